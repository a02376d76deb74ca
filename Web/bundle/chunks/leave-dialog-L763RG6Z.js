import{e as a}from"./chunk-H2PCAULI.js";import"./chunk-Q3ZRXEB5.js";import"./chunk-K6346PGB.js";export{a as openLeave};
