import{a}from"./chunk-AINAOIED.js";import"./chunk-WI73DLX4.js";import"./chunk-JO2SKDWH.js";export{a as download};
