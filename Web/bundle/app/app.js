import"../chunks/chunk-JEDR4SLX.js";import"../chunks/chunk-E7NGX7J7.js";
