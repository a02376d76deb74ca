import{a}from"./chunk-3CBSQZKZ.js";import"./chunk-LRSLODDT.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-BHU2EXK3.js";export{a as download};
