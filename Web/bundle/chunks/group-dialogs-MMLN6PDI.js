import{a,b,c}from"./chunk-CBOOB56A.js";import"./chunk-WHTAI7LN.js";import"./chunk-3SX4WQ3C.js";export{a as openCreateGroup,b as openInvite,c as openRename};
