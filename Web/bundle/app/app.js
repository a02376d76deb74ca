import"../chunks/chunk-LXRILO7U.js";import"../chunks/chunk-CDBD32DE.js";
