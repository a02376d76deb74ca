import"../chunks/chunk-MBJXRPDK.js";import"../chunks/chunk-KSVHQFIC.js";
