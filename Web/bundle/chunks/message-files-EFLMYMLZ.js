import{a,b}from"./chunk-K7TOQTB7.js";import"./chunk-V2MUTWRE.js";import"./chunk-NUYXPDEG.js";import"./chunk-KT6QDZ7Y.js";export{a as fileView,b as showProgress};
