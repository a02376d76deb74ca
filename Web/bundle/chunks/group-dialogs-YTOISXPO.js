import{a,b,c}from"./chunk-UYN3WOS7.js";import"./chunk-M75K264L.js";import"./chunk-STP2323O.js";import"./chunk-MMIK2TDT.js";export{a as openCreateGroup,b as openInvite,c as openRename};
