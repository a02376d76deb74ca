import{a,b,c}from"./chunk-BL3TYOKK.js";import"./chunk-XWJMA3NA.js";import"./chunk-G2JEYXLK.js";import"./chunk-AW2GNDUE.js";export{a as openCreateGroup,b as openInvite,c as openRename};
