import{a}from"./chunk-FK3VHGM7.js";import"./chunk-G2JEYXLK.js";import"./chunk-AW2GNDUE.js";export{a as openKeysHelp};
