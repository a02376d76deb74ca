import{a}from"./chunk-3CBSQZKZ.js";import"./chunk-CP45DVN6.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-MJI2HW7I.js";export{a as download};
