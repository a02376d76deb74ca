import{a,b,c}from"./chunk-LF6IKMPT.js";import"./chunk-SXYW53W4.js";import"./chunk-MBJXRPDK.js";import"./chunk-KSVHQFIC.js";export{a as openCreateGroup,b as openInvite,c as openRename};
