import{a as m}from"./chunk-DPJGVIHA.js";import{a as o}from"./chunk-P2XSFBKB.js";o(m);
