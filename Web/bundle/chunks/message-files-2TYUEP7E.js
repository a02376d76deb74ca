import{a,b}from"./chunk-M4UKOG4X.js";import"./chunk-ZKIQ666R.js";import"./chunk-WI73DLX4.js";import"./chunk-JO2SKDWH.js";export{a as fileView,b as showProgress};
