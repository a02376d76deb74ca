import{a}from"./chunk-MO27HJMT.js";import"./chunk-JEDR4SLX.js";import"./chunk-E7NGX7J7.js";export{a as openKeysHelp};
