import{Y as a}from"./chunk-KSVHQFIC.js";export{a as ChannelListView};
