import{a}from"./chunk-L7TF7FSN.js";import"./chunk-V7ZFHE5Q.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-E7DKWEXL.js";export{a as download};
