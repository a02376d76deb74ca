import{a,b}from"./chunk-AZ2LIE5F.js";import"./chunk-QRXCY5RO.js";import"./chunk-K6346PGB.js";export{a as fileView,b as showProgress};
