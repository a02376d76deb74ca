import{a}from"./chunk-3CBSQZKZ.js";import"./chunk-OM3YY7OL.js";import"./chunk-DPJGVIHA.js";import"./chunk-OFQJ6KL3.js";import"./chunk-Y4HQ7EP4.js";export{a as download};
