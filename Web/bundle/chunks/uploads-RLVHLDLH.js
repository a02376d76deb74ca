import{a}from"./chunk-JQIGIRFS.js";import"./chunk-STQRSDY5.js";export{a as uploadBytes};
