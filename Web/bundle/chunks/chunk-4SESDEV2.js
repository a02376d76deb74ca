import{a as m}from"./chunk-DPJGVIHA.js";import{g as o}from"./chunk-JYW4OIGE.js";o(m);
