import{a,b,c}from"./chunk-PJF4HOUV.js";import"./chunk-RSOFB2XC.js";import"./chunk-VLQQOPN4.js";import"./chunk-BBLAKPKO.js";export{a as openCreateGroup,b as openInvite,c as openRename};
