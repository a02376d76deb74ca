import{a}from"./chunk-HVIRAULM.js";import"./chunk-YNSA36ZE.js";import"./chunk-MBJXRPDK.js";import"./chunk-KSVHQFIC.js";export{a as openEmojiPicker};
