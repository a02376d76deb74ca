import{a}from"./chunk-2DLS7U6J.js";import"./chunk-3SX4WQ3C.js";export{a as download};
