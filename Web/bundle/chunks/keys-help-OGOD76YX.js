import{a}from"./chunk-L47VP5IS.js";import"./chunk-VLQQOPN4.js";import"./chunk-BBLAKPKO.js";export{a as openKeysHelp};
