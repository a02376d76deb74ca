import{a,b,c}from"./chunk-NW6DPPI7.js";import"./chunk-VDUPOGID.js";import"./chunk-NUYXPDEG.js";import"./chunk-KT6QDZ7Y.js";export{a as openCreateGroup,b as openInvite,c as openRename};
