import{a}from"./chunk-LBXI44HB.js";import"./chunk-NUYXPDEG.js";import"./chunk-KT6QDZ7Y.js";export{a as openKeysHelp};
