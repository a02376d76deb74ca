import{a,b}from"./chunk-M2PW3VQN.js";import"./chunk-MDCT7U7Y.js";import"./chunk-3SX4WQ3C.js";export{a as fileView,b as showProgress};
