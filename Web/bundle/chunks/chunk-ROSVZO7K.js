import{a as m}from"./chunk-LSANJA2S.js";import{a as o}from"./chunk-RYQCDNDK.js";o(m);
