import{a,b}from"./chunk-TEADN4SM.js";import"./chunk-LVMOWILH.js";import"./chunk-BED5UBN5.js";import"./chunk-JKURV7HX.js";export{a as fileView,b as showProgress};
