import{a,b}from"./chunk-BVWHKUPD.js";import"./chunk-DDOU33UI.js";import"./chunk-G2JEYXLK.js";import"./chunk-AW2GNDUE.js";export{a as fileView,b as showProgress};
