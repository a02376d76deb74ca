import{a}from"./chunk-562SAYPK.js";import"./chunk-KKBIGSJX.js";import"./chunk-3SX4WQ3C.js";export{a as openEmojiPicker};
