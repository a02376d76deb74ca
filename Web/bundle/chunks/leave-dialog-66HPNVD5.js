import{e as a}from"./chunk-AAWEYR2B.js";import"./chunk-7BLNYMHA.js";import"./chunk-JEDR4SLX.js";import"./chunk-E7NGX7J7.js";export{a as openLeave};
