import{e as a}from"./chunk-UXYHAUM7.js";import"./chunk-M75K264L.js";import"./chunk-STP2323O.js";import"./chunk-MMIK2TDT.js";export{a as openLeave};
