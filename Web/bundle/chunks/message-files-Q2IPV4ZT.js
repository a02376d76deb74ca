import{a,b}from"./chunk-6HL4L4QA.js";import"./chunk-EYUDIF5J.js";import"./chunk-JEDR4SLX.js";import"./chunk-E7NGX7J7.js";export{a as fileView,b as showProgress};
