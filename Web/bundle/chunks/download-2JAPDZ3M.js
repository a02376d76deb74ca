import{a}from"./chunk-KNRAVEJO.js";import"./chunk-MBJXRPDK.js";import"./chunk-KSVHQFIC.js";export{a as download};
