import{a as m}from"./chunk-DPJGVIHA.js";import{g as o}from"./chunk-BBFK2VLB.js";o(m);
