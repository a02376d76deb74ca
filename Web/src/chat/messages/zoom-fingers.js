import { on } from "../../ui/dom.js";

/** So close in time, in ms, and place, in pixels, two taps are one double tap. */
const tapTime = 300;
const tapSpace = 30;
/** So far a finger moves to go to another picture. */
const swipe = 60;

/** @typedef {{x: number, y: number}} Point */

/** @param {PointerEvent} event */
const pointOf = ({ clientX: x, clientY: y }) => ({ x, y });

/**
 * Enlarges and moves a picture by what fingers and a mouse do on it.
 *
 * @param {HTMLElement} place that takes the pointers
 * @param {import("./zoom.js").Zoom} zoom
 * @param {{onswipe: (side: 1 | -1) => void, ontwice: (point: Point, target: EventTarget) => void,
 *   signal: AbortSignal}} options `onswipe` as for `Zoom`; `ontwice` is called after a double click or tap
 */
export function watchFingers(place, zoom, { onswipe, ontwice, signal }) {
  /** @type {Map<number, Point>} */
  const pointers = new Map();
  let tapped = { time: -Infinity, x: 0, y: 0 };
  let begun = { x: 0, y: 0 };
  let hasPinched = false;
  on(place, "pointerdown", (event) => {
    if (event.button) return;
    if (!pointers.size) {
      zoom.wasMoved = hasPinched = false;
      begun = pointOf(event);
    }
    pointers.set(event.pointerId, pointOf(event));
    if (pointers.size === 2) hasPinched = true;
  }, signal);
  on(window, "pointermove", (event) => {
    const from = pointers.get(event.pointerId);
    if (!from) return;
    const to = pointOf(event);
    const before = spread(pointers);
    pointers.set(event.pointerId, to);
    if (!before) {
      if (Math.hypot(to.x - begun.x, to.y - begun.y) > 5) zoom.wasMoved = true;
      if (zoom.isZoomed) zoom.move(to.x - from.x, to.y - from.y);
      return;
    }
    const after = /** @type {Point & {distance: number}} */ (spread(pointers));
    zoom.wasMoved = true;
    zoom.pinch(after.distance / before.distance, before, after);
  }, signal);
  on(window, "pointerup pointercancel", (event) => {
    if (!pointers.delete(event.pointerId) || pointers.size || event.type === "pointercancel") return;
    const here = pointOf(event);
    const [byX, byY] = [here.x - begun.x, here.y - begun.y];
    if (zoom.wasMoved) {
      const isSwipe = event.pointerType === "touch" && !zoom.isZoomed && !hasPinched &&
        Math.abs(byX) > swipe && Math.abs(byX) > 2 * Math.abs(byY);
      if (isSwipe) onswipe(byX < 0 ? -1 : 1);
      return;
    }
    const isSecond = event.timeStamp - tapped.time < tapTime &&
      Math.hypot(here.x - tapped.x, here.y - tapped.y) < tapSpace;
    tapped = isSecond ? { time: -Infinity, x: 0, y: 0 } : { time: event.timeStamp, ...here };
    if (isSecond) ontwice(here, event.composedPath()[0]);
  }, signal);
}

/**
 * The middle of two fingers and how far they are apart; null for one.
 *
 * @param {Map<number, Point>} pointers
 */
function spread(pointers) {
  const [one, other] = pointers.values();
  return other ? {
    x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, distance: Math.hypot(one.x - other.x, one.y - other.y) || 1,
  } : null;
}
