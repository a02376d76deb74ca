import{a}from"./chunk-3CBSQZKZ.js";import"./chunk-VK67BS3U.js";import"./chunk-DPJGVIHA.js";import"./chunk-EIMUZDGE.js";import"./chunk-ZSXPPJ77.js";import"./chunk-Y4HQ7EP4.js";export{a as download};
