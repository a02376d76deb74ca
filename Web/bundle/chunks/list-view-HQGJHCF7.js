import{Y as a}from"./chunk-BBLAKPKO.js";export{a as ChannelListView};
