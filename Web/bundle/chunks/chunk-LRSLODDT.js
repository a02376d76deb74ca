import{a as m,n as o}from"./chunk-BHU2EXK3.js";o(m);
