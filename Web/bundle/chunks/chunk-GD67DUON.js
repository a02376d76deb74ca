import{a as o}from"./chunk-6P55TYKD.js";import{a as m}from"./chunk-WGESXEGA.js";o(m);
