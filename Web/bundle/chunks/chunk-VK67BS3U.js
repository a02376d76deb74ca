import{a as m}from"./chunk-DPJGVIHA.js";import{a as o}from"./chunk-EIMUZDGE.js";o(m);
