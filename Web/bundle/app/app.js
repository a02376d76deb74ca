import"../chunks/chunk-3SX4WQ3C.js";
