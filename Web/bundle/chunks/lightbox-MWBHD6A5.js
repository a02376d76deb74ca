import{b as a}from"./chunk-MFMSF23W.js";import"./chunk-MEZCF7LQ.js";import"./chunk-2DLS7U6J.js";import"./chunk-KKBIGSJX.js";import"./chunk-3SX4WQ3C.js";export{a as openLightbox};
