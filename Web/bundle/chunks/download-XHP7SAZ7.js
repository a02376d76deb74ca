import{a}from"./chunk-3CBSQZKZ.js";import"./chunk-QNEWMGKX.js";import"./chunk-DPJGVIHA.js";import"./chunk-WYRJRBD3.js";import"./chunk-ZSXPPJ77.js";import"./chunk-Y4HQ7EP4.js";export{a as download};
