import{e as a}from"./chunk-M34WRDOT.js";import"./chunk-VDUPOGID.js";import"./chunk-NUYXPDEG.js";import"./chunk-KT6QDZ7Y.js";export{a as openLeave};
