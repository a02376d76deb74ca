import{a}from"./chunk-U2FVK2JV.js";import"./chunk-GPJPOVE4.js";import"./chunk-JEDR4SLX.js";import"./chunk-E7NGX7J7.js";export{a as openEmojiPicker};
