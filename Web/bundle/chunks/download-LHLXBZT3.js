import{a}from"./chunk-ASE52Q2K.js";import"./chunk-BED5UBN5.js";import"./chunk-JKURV7HX.js";export{a as download};
