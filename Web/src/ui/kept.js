/**
 * What a browser that keeps nothing, or that is full, could not keep: it holds until the page is closed.
 *
 * @type {Map<string, string | null>}
 */
const held = new Map();

/**
 * What this browser keeps under a key.
 *
 * @param {string} key
 */
export function kept(key) {
  try {
    return held.has(key) ? held.get(key) ?? null : localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keeps a text under a key, if the browser can.
 *
 * @param {string} key
 * @param {string | null} text null removes it
 */
export function keep(key, text) {
  held.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    held.set(key, text);
  }
}
