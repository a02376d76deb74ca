import{a}from"./chunk-L7TF7FSN.js";import"./chunk-FAS53PSD.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-6X2RMANJ.js";export{a as download};
