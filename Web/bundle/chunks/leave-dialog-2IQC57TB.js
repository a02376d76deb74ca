import{e as a}from"./chunk-VAB4YD7L.js";import"./chunk-SXYW53W4.js";import"./chunk-MBJXRPDK.js";import"./chunk-KSVHQFIC.js";export{a as openLeave};
