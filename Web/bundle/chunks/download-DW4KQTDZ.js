import{a}from"./chunk-L7TF7FSN.js";import"./chunk-HSTGQXT5.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-XTGN5TKA.js";export{a as download};
