import{a}from"./chunk-COVKJAUU.js";import"./chunk-PEP335OO.js";import"./chunk-STP2323O.js";import"./chunk-MMIK2TDT.js";export{a as openEmojiPicker};
