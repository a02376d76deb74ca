import{a}from"./chunk-L7TF7FSN.js";import"./chunk-KXJQLKO2.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-MJI2HW7I.js";export{a as download};
