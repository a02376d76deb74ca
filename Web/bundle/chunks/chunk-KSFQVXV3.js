import{a as m}from"./chunk-SX3A7LTH.js";import{g as o}from"./chunk-AQPJOI4Y.js";o(m);
