import{a}from"./chunk-UCQDNVXH.js";import"./chunk-KWBVK346.js";import"./chunk-K6346PGB.js";export{a as openEmojiPicker};
