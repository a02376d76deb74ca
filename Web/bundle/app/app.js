import"../chunks/chunk-WI73DLX4.js";import"../chunks/chunk-JO2SKDWH.js";
