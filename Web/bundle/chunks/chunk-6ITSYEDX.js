import{a as m}from"./chunk-DPJGVIHA.js";import{a as o}from"./chunk-KM3K6J5R.js";o(m);
