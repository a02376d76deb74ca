import{b as a}from"./chunk-7C2EMF2K.js";import"./chunk-22L4ZNC4.js";import"./chunk-Z3H4NNB2.js";import"./chunk-KWBVK346.js";import"./chunk-K6346PGB.js";export{a as openLightbox};
