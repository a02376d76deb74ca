import{a}from"./chunk-W4KZPDD2.js";import"./chunk-75GMPFWU.js";import"./chunk-G2JEYXLK.js";import"./chunk-AW2GNDUE.js";export{a as openEmojiPicker};
