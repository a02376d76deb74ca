import{a}from"./chunk-LBJYXE5O.js";import"./chunk-G2JEYXLK.js";import"./chunk-AW2GNDUE.js";export{a as download};
