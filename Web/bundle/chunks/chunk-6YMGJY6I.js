import{a as o}from"./chunk-Q7QSB77H.js";import{a as m}from"./chunk-JSY2GKLA.js";o(m);
