import{Y as a}from"./chunk-KT6QDZ7Y.js";export{a as ChannelListView};
