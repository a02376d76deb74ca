import{a}from"./chunk-3M4BTF2N.js";import"./chunk-VLQQOPN4.js";import"./chunk-BBLAKPKO.js";export{a as download};
