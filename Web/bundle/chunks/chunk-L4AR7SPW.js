import{a as m}from"./chunk-DPJGVIHA.js";import{a as o}from"./chunk-RXNJ37XO.js";o(m);
