import{a}from"./chunk-PCVTGWQY.js";import"./chunk-V7K4E4Z5.js";export{a as uploadBytes};
