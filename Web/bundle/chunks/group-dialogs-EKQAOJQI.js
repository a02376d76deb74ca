import{a,b,c}from"./chunk-JDNJVYWZ.js";import"./chunk-5DS6OZSS.js";import"./chunk-LXRILO7U.js";import"./chunk-CDBD32DE.js";export{a as openCreateGroup,b as openInvite,c as openRename};
