import{e as a}from"./chunk-64TNTCB6.js";import"./chunk-W4FAI2HQ.js";import"./chunk-WI73DLX4.js";import"./chunk-JO2SKDWH.js";export{a as openLeave};
