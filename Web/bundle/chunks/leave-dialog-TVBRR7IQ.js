import{e as a}from"./chunk-T42QNBW4.js";import"./chunk-WHTAI7LN.js";import"./chunk-3SX4WQ3C.js";export{a as openLeave};
