import{Y as a}from"./chunk-JO2SKDWH.js";export{a as ChannelListView};
