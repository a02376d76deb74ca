import{a}from"./chunk-S4OZSPWD.js";import"./chunk-STP2323O.js";import"./chunk-MMIK2TDT.js";export{a as download};
