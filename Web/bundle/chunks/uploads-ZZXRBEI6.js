import{a}from"./chunk-SV74YMVQ.js";import"./chunk-45ACWXST.js";export{a as uploadBytes};
