import{a as o}from"./chunk-25FVVBRA.js";import{a as m}from"./chunk-YSSYGA25.js";o(m);
