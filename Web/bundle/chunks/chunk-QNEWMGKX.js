import{a as m}from"./chunk-DPJGVIHA.js";import{a as o}from"./chunk-WYRJRBD3.js";o(m);
