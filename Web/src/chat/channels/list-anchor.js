import { focused } from "../../ui/dom.js";

/**
 * Changes the rows of a list so that neither what is on the screen moves nor the focus is lost.
 *
 * @param {HTMLElement} scroller
 * @param {HTMLElement} rows
 * @param {readonly string[]} ids those of the rows afterwards, in order
 * @param {(node: Element) => string} idOf
 * @param {() => void} change
 */
export function keepPlace(scroller, rows, ids, idOf, change) {
  const held = rows.contains(focused()) ? focused() : null;
  const anchor = scroller.scrollTop > 0 ? firstVisible(scroller, rows, ids, idOf) : null;
  const place = anchor?.getBoundingClientRect().top ?? 0;
  change();
  if (anchor?.isConnected) scroller.scrollTop += anchor.getBoundingClientRect().top - place;
  // An element that is moved in the page loses the focus.
  if (held?.isConnected && focused() !== held) held.focus({ preventScroll: true });
}

/**
 * The first row on the screen that does not go to another place.
 *
 * @param {HTMLElement} scroller
 * @param {HTMLElement} rows
 * @param {readonly string[]} ids
 * @param {(node: Element) => string} idOf
 */
function firstVisible(scroller, rows, ids, idOf) {
  const { top } = scroller.getBoundingClientRect();
  const nodes = [...rows.children];
  const index = nodes.findIndex((node) => node.getBoundingClientRect().bottom > top);
  const places = new Map(ids.map((id, at) => [id, at]));
  // What moves goes to the top, so it is before the row that was above it.
  const above = nodes[index - 1] && places.get(idOf(nodes[index - 1]));
  return nodes.slice(Math.max(index, 0)).find((node) => {
    const at = places.get(idOf(node));
    return at !== undefined && (above === undefined || at > above);
  }) ?? null;
}
