import"../chunks/chunk-VLQQOPN4.js";import"../chunks/chunk-BBLAKPKO.js";
