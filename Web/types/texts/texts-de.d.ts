/**
 * German. See texts-en.js.
 *
 * @type {import("./texts.js").Table}
 */
export const table: import("./texts.js").Table;
