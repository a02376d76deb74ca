import{Y as a}from"./chunk-AW2GNDUE.js";export{a as ChannelListView};
