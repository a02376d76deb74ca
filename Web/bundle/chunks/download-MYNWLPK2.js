import{a}from"./chunk-BPR2A4BG.js";import"./chunk-NUYXPDEG.js";import"./chunk-KT6QDZ7Y.js";export{a as download};
