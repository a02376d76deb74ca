import{a}from"./chunk-LQP5MQKU.js";import"./chunk-ZURSS7KI.js";import"./chunk-B5FSEVQL.js";import"./chunk-TBVTYUQB.js";export{a as download};
