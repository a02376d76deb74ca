import{a,b}from"./chunk-B6DRIS6N.js";import"./chunk-BYSYAOHC.js";import"./chunk-STP2323O.js";import"./chunk-MMIK2TDT.js";export{a as fileView,b as showProgress};
