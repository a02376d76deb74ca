import{e as a}from"./chunk-2H4WNHRE.js";import"./chunk-XWJMA3NA.js";import"./chunk-G2JEYXLK.js";import"./chunk-AW2GNDUE.js";export{a as openLeave};
