import{a}from"./chunk-PO7ZIHMV.js";import"./chunk-6FDFI5XE.js";import"./chunk-WI73DLX4.js";import"./chunk-JO2SKDWH.js";export{a as openEmojiPicker};
