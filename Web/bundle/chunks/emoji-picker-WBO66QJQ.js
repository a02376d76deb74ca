import{a}from"./chunk-ZX2OBNGS.js";import"./chunk-BT2QHFCI.js";import"./chunk-BED5UBN5.js";import"./chunk-JKURV7HX.js";export{a as openEmojiPicker};
