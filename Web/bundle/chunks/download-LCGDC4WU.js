import{a}from"./chunk-MGI3FOSP.js";import"./chunk-JEDR4SLX.js";import"./chunk-E7NGX7J7.js";export{a as download};
