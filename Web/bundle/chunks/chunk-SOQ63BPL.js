import{a as m}from"./chunk-SX3A7LTH.js";import{g as o}from"./chunk-V4G726D4.js";o(m);
