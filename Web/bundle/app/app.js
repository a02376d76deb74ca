import"../chunks/chunk-NUYXPDEG.js";import"../chunks/chunk-KT6QDZ7Y.js";
