/**
 * Traditional Chinese, as it is written in Taiwan. See texts-en.js.
 *
 * @type {import("./texts.js").Table}
 */
export const table: import("./texts.js").Table;
