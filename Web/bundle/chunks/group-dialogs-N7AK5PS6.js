import{a,b,c}from"./chunk-PGXLCYRR.js";import"./chunk-Q3ZRXEB5.js";import"./chunk-K6346PGB.js";export{a as openCreateGroup,b as openInvite,c as openRename};
