import{a}from"./chunk-LYVFFTYT.js";import"./chunk-FGL23BOC.js";import"./chunk-MRYQ45LQ.js";export{a as download};
