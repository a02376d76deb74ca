import"../chunks/chunk-BED5UBN5.js";import"../chunks/chunk-JKURV7HX.js";
