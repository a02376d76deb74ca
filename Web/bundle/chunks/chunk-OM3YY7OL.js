import{a as m}from"./chunk-DPJGVIHA.js";import{l as o}from"./chunk-OFQJ6KL3.js";o(m);
