import{a}from"./chunk-4DJ5KSNE.js";import"./chunk-STP2323O.js";import"./chunk-MMIK2TDT.js";export{a as openKeysHelp};
