import{a}from"./chunk-S3PKCLDN.js";import"./chunk-3QBE2XMK.js";import"./chunk-VLQQOPN4.js";import"./chunk-BBLAKPKO.js";export{a as openEmojiPicker};
