import{a}from"./chunk-ZKOOPXGV.js";import"./chunk-3SX4WQ3C.js";export{a as openKeysHelp};
