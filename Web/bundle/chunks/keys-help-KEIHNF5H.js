import{a}from"./chunk-2ULSXHW5.js";import"./chunk-K6346PGB.js";export{a as openKeysHelp};
