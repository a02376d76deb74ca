import{Y as a}from"./chunk-E7NGX7J7.js";export{a as ChannelListView};
