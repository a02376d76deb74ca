import{Y as a}from"./chunk-JKURV7HX.js";export{a as ChannelListView};
