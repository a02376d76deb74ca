import"../chunks/chunk-G2JEYXLK.js";import"../chunks/chunk-AW2GNDUE.js";
