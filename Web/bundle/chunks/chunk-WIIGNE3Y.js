import{a as m,n as o}from"./chunk-2RQMXYUT.js";o(m);
