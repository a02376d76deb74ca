import{a,b}from"./chunk-GQYAR5MR.js";import"./chunk-YMOFGSO6.js";import"./chunk-VLQQOPN4.js";import"./chunk-BBLAKPKO.js";export{a as fileView,b as showProgress};
