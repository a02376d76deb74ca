import"../chunks/chunk-STP2323O.js";import"../chunks/chunk-MMIK2TDT.js";
