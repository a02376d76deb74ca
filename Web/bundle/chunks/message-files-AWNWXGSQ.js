import{a,b}from"./chunk-QGP4NR3V.js";import"./chunk-TFHP77JS.js";import"./chunk-LXRILO7U.js";import"./chunk-CDBD32DE.js";export{a as fileView,b as showProgress};
