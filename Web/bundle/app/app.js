import"../chunks/chunk-K6346PGB.js";
