import{a}from"./chunk-LQP5MQKU.js";import"./chunk-SQGOZMLA.js";import"./chunk-B5FSEVQL.js";import"./chunk-DELU55BI.js";export{a as download};
