import{a as m}from"./chunk-SX3A7LTH.js";import{g as o}from"./chunk-ETCG6L2Y.js";o(m);
