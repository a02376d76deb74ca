import{a}from"./chunk-LYVFFTYT.js";import"./chunk-FGL23BOC.js";export{a as download};
