import{a,b,c}from"./chunk-T4PNH2BQ.js";import"./chunk-7BLNYMHA.js";import"./chunk-JEDR4SLX.js";import"./chunk-E7NGX7J7.js";export{a as openCreateGroup,b as openInvite,c as openRename};
