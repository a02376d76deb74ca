import{a,b}from"./chunk-LPD7H5AE.js";import"./chunk-G2XBQVNO.js";import"./chunk-MBJXRPDK.js";import"./chunk-KSVHQFIC.js";export{a as fileView,b as showProgress};
