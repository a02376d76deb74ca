import{U as a}from"./chunk-K6346PGB.js";export{a as ChannelListView};
