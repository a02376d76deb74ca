import{a as m}from"./chunk-DPJGVIHA.js";import{l as o}from"./chunk-446K773K.js";o(m);
