/**
 * What was done with a launcher, as this tab keeps it.
 *
 * @param {string} key
 * @returns {string | null} "open" or "closed"; null if nothing was
 */
export function readKept(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {"open" | "closed"} state
 */
export function keep(key, state) {
  try {
    sessionStorage.setItem(key, state);
  } catch {
    // The browser keeps nothing.
  }
}
