import{a}from"./chunk-PCVTGWQY.js";import"./chunk-V7K4E4Z5.js";import"./chunk-MRYQ45LQ.js";export{a as uploadBytes};
