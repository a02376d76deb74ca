import{a as m}from"./chunk-DPJGVIHA.js";import{g as o}from"./chunk-S6NBBBKX.js";o(m);
