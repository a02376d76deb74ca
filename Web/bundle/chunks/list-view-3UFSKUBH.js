import{U as a}from"./chunk-3SX4WQ3C.js";export{a as ChannelListView};
