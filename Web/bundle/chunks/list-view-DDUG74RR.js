import{Y as a}from"./chunk-CDBD32DE.js";export{a as ChannelListView};
