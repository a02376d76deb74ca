import{a,b,c}from"./chunk-B6QCKZAA.js";import"./chunk-W4FAI2HQ.js";import"./chunk-WI73DLX4.js";import"./chunk-JO2SKDWH.js";export{a as openCreateGroup,b as openInvite,c as openRename};
