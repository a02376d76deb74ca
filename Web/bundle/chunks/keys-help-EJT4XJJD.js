import{a}from"./chunk-CJQQEXLI.js";import"./chunk-BED5UBN5.js";import"./chunk-JKURV7HX.js";export{a as openKeysHelp};
