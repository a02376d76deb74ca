import{a}from"./chunk-3CBSQZKZ.js";import"./chunk-WIIGNE3Y.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-2RQMXYUT.js";export{a as download};
