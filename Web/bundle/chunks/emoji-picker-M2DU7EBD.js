import{a}from"./chunk-KJY2GDTK.js";import"./chunk-J4AUY7CO.js";import"./chunk-NUYXPDEG.js";import"./chunk-KT6QDZ7Y.js";export{a as openEmojiPicker};
