import{e as a}from"./chunk-3AYGLMXF.js";import"./chunk-5DS6OZSS.js";import"./chunk-LXRILO7U.js";import"./chunk-CDBD32DE.js";export{a as openLeave};
