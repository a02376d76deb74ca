import{b as a}from"./chunk-SFU4DIQR.js";import"./chunk-X636A6GP.js";import"./chunk-ZKXO3E42.js";import"./chunk-KKBIGSJX.js";import"./chunk-3SX4WQ3C.js";export{a as openProfile};
