import{a}from"./chunk-XMCWCEWL.js";import"./chunk-TCAEIM6P.js";import"./chunk-LXRILO7U.js";import"./chunk-CDBD32DE.js";export{a as openEmojiPicker};
