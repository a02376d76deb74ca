import{a}from"./chunk-LQP5MQKU.js";import"./chunk-AKOMXOFK.js";import"./chunk-B5FSEVQL.js";import"./chunk-QQ5AYLBF.js";export{a as download};
