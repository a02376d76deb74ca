import{a as m}from"./chunk-DPJGVIHA.js";import{g as o}from"./chunk-3RYGHJXF.js";o(m);
