import{a,b,c}from"./chunk-JGSNYMOG.js";import"./chunk-W3T5TABM.js";import"./chunk-BED5UBN5.js";import"./chunk-JKURV7HX.js";export{a as openCreateGroup,b as openInvite,c as openRename};
