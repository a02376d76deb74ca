import{a}from"./chunk-L7TF7FSN.js";import"./chunk-HHOHZUPD.js";import"./chunk-Y4HQ7EP4.js";import"./chunk-77ZYVP35.js";export{a as download};
