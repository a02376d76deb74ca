import{a}from"./chunk-L7TF7FSN.js";import"./chunk-IN6EGCDU.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-OOSJSKBN.js";export{a as download};
