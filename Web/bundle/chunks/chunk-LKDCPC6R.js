import{a as o}from"./chunk-N5GZTTNY.js";import{a as m}from"./chunk-LWAED6BS.js";o(m);
