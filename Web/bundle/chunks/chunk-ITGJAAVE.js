import{a as o}from"./chunk-J6GSMCYS.js";import{a as m}from"./chunk-WJMMJFLC.js";o(m);
