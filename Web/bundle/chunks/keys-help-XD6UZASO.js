import{a}from"./chunk-VKHHG5E4.js";import"./chunk-WI73DLX4.js";import"./chunk-JO2SKDWH.js";export{a as openKeysHelp};
