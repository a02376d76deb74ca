import{a}from"./chunk-EMSY637Q.js";import"./chunk-LXRILO7U.js";import"./chunk-CDBD32DE.js";export{a as download};
