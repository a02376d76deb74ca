import{a}from"./chunk-L7TF7FSN.js";import"./chunk-SQGOZMLA.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-DELU55BI.js";export{a as download};
