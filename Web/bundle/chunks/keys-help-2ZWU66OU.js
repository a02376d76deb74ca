import{a}from"./chunk-JTZQE3ZA.js";import"./chunk-MBJXRPDK.js";import"./chunk-KSVHQFIC.js";export{a as openKeysHelp};
