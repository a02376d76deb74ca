import{Y as a}from"./chunk-MMIK2TDT.js";export{a as ChannelListView};
