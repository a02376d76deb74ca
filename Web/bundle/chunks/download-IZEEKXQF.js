import{a}from"./chunk-Z3H4NNB2.js";import"./chunk-K6346PGB.js";export{a as download};
