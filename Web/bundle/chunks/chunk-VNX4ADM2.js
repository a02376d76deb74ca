import{a as m}from"./chunk-DPJGVIHA.js";import{a as o}from"./chunk-GWGPD3PL.js";o(m);
