import{e as a}from"./chunk-SWST2PSI.js";import"./chunk-RSOFB2XC.js";import"./chunk-VLQQOPN4.js";import"./chunk-BBLAKPKO.js";export{a as openLeave};
