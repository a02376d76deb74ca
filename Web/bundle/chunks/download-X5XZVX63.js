import{a}from"./chunk-LQP5MQKU.js";import"./chunk-6CLU563A.js";import"./chunk-B5FSEVQL.js";import"./chunk-LL7Z2OMH.js";export{a as download};
