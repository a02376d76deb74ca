import{a}from"./chunk-AR7LXTPB.js";import"./chunk-LXRILO7U.js";import"./chunk-CDBD32DE.js";export{a as openKeysHelp};
