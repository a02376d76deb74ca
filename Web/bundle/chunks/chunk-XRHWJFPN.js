import{a as m}from"./chunk-SX3A7LTH.js";import{g as o}from"./chunk-YUE3FDE4.js";o(m);
