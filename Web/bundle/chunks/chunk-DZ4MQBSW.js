import{a as o}from"./chunk-DAZM2KTQ.js";import{a as m}from"./chunk-ZLTO3EZB.js";o(m);
