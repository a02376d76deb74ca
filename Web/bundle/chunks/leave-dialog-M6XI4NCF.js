import{e as a}from"./chunk-3AYGCTJE.js";import"./chunk-W3T5TABM.js";import"./chunk-BED5UBN5.js";import"./chunk-JKURV7HX.js";export{a as openLeave};
