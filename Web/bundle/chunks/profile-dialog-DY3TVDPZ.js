import{b as a}from"./chunk-XBIIP23J.js";import"./chunk-CDIUSEXY.js";import"./chunk-T5GWHC4I.js";import"./chunk-KWBVK346.js";import"./chunk-K6346PGB.js";export{a as openProfile};
