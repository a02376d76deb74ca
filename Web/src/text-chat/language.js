/**
 * The language of an element: the nearest attribute `lang`, also outside of shadow roots; else English.
 *
 * @param {Element} element
 * @returns {string}
 */
export function nearestLanguage(element) {
  for (let place = /** @type {Element | null} */ (element); place;) {
    const found = place.closest("[lang]");
    if (found) return found.getAttribute("lang") || "en";
    const root = place.getRootNode();
    place = root instanceof ShadowRoot ? root.host : null;
  }
  return "en";
}
