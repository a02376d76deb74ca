import{a}from"./chunk-3CBSQZKZ.js";import"./chunk-4WGWSORH.js";import"./chunk-DPJGVIHA.js";import"./chunk-446K773K.js";import"./chunk-Y4HQ7EP4.js";export{a as download};
