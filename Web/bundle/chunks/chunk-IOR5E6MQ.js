import{a as o}from"./chunk-IKTL35JK.js";import{a as m}from"./chunk-P4FC34A3.js";o(m);
