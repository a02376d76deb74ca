import { on } from "../../ui/dom.js";

const most = 8;
/** What a double click or tap, and a step of a key, enlarge by. */
const doubleTap = 2.5;
const step = 1.5;
/** So close in time, in ms, and place, in pixels, two taps are one double tap. */
const tapTime = 300;
const tapSpace = 30;
/** So far a finger moves to go to another picture. */
const swipe = 60;

/**
 * Enlarges a picture in its place: by the wheel, two fingers, a double click or tap; and moves it by dragging.
 *
 * @typedef {{by: (factor: number) => void, pan: (x: number, y: number) => void, reset: () => void, isZoomed: boolean,
 *   wasMoved: boolean}} Zoom `pan` moves by parts of the place; `wasMoved` says whether the last press dragged
 *
 * @param {HTMLElement} place which the picture fills, and that takes the pointers
 * @param {HTMLElement} picture
 * @param {{onzoom: (isZoomed: boolean) => void, onswipe: (side: 1 | -1) => void, signal: AbortSignal}} options `side`
 *   is -1 for a finger that moves to the left
 * @returns {Zoom}
 */
export function zoomable(place, picture, { onzoom, onswipe, signal }) {
  let [scale, x, y] = [1, 0, 0];
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  let tapped = { time: -Infinity, x: 0, y: 0 };
  let begun = { x: 0, y: 0 };
  let hasPinched = false;

  const draw = () => {
    const { clientWidth, clientHeight } = place;
    const spareX = Math.max(0, (picture.offsetWidth * scale - clientWidth) / 2);
    const spareY = Math.max(0, (picture.offsetHeight * scale - clientHeight) / 2);
    x = Math.max(-spareX, Math.min(spareX, x));
    y = Math.max(-spareY, Math.min(spareY, y));
    picture.style.setProperty("transform", scale === 1 ? "none" : `translate(${x}px, ${y}px) scale(${scale})`);
    place.classList.toggle("is-zoomed", scale > 1);
    onzoom(scale > 1);
  };
  /**
   * Enlarges, so that what is at a point stays there.
   *
   * @param {number} to
   * @param {{x: number, y: number}} [point] the middle if absent
   */
  const zoomTo = (to, point) => {
    const next = Math.max(1, Math.min(most, to));
    if (point) {
      const box = place.getBoundingClientRect();
      const [fromX, fromY] = [point.x - box.left - box.width / 2, point.y - box.top - box.height / 2];
      x = fromX - ((fromX - x) * next) / scale;
      y = fromY - ((fromY - y) * next) / scale;
    } else {
      x = (x * next) / scale;
      y = (y * next) / scale;
    }
    scale = next < 1.01 ? 1 : next;
    draw();
  };
  /** @type {Zoom} */
  const zoom = {
    by: (factor) => zoomTo(scale * factor),
    pan(partX, partY) {
      x += partX * place.clientWidth;
      y += partY * place.clientHeight;
      draw();
    },
    reset: () => zoomTo(1),
    get isZoomed() {
      return scale > 1;
    },
    wasMoved: false,
  };

  on(place, "wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 20 : 1;
    // The fingers on a pad come as a wheel with Ctrl, in small steps.
    const speed = event.ctrlKey ? 100 : 400;
    zoomTo(scale * Math.exp((-event.deltaY * lines) / speed), { x: event.clientX, y: event.clientY });
  }, signal, { passive: false });

  /** The middle of the fingers and how far they are apart. */
  const spread = () => {
    const [one, other] = [...pointers.values()];
    return {
      x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, distance: Math.hypot(one.x - other.x, one.y - other.y) || 1 };
  };
  on(place, "pointerdown", (event) => {
    if (event.button) return;
    if (!pointers.size) {
      zoom.wasMoved = hasPinched = false;
      begun = { x: event.clientX, y: event.clientY };
    }
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 2) hasPinched = true;
  }, signal);
  on(window, "pointermove", (event) => {
    const from = pointers.get(event.pointerId);
    if (!from) return;
    const to = { x: event.clientX, y: event.clientY };
    if (pointers.size === 1) {
      if (Math.hypot(to.x - begun.x, to.y - begun.y) > 5) zoom.wasMoved = true;
      if (scale > 1) {
        x += to.x - from.x;
        y += to.y - from.y;
        draw();
      }
      pointers.set(event.pointerId, to);
      return;
    }
    const before = spread();
    pointers.set(event.pointerId, to);
    const after = spread();
    x += after.x - before.x;
    y += after.y - before.y;
    zoom.wasMoved = true;
    zoomTo((scale * after.distance) / before.distance, after);
  }, signal);
  on(window, "pointerup pointercancel", (event) => {
    if (!pointers.delete(event.pointerId) || pointers.size || event.type === "pointercancel") return;
    const here = { x: event.clientX, y: event.clientY };
    const [byX, byY] = [here.x - begun.x, here.y - begun.y];
    if (zoom.wasMoved) {
      const isSwipe = event.pointerType === "touch" && scale === 1 && !hasPinched &&
        Math.abs(byX) > swipe && Math.abs(byX) > 2 * Math.abs(byY);
      if (isSwipe) onswipe(byX < 0 ? -1 : 1);
      return;
    }
    const isSecond = event.timeStamp - tapped.time < tapTime &&
      Math.hypot(here.x - tapped.x, here.y - tapped.y) < tapSpace;
    tapped = isSecond ? { time: -Infinity, x: 0, y: 0 } : { time: event.timeStamp, ...here };
    if (isSecond && event.composedPath()[0] === picture) zoomTo(scale > 1 ? 1 : doubleTap, here);
  }, signal);
  on(window, "resize", draw, signal);
  return zoom;
}

/** What a key enlarges by; 0 for the size at first, null if it is none of these keys. */
export const zoomOfKey = (/** @type {string} */ key) =>
  ({ "+": step, "=": step, "-": 1 / step, "_": 1 / step, "0": 0 })[key] ?? null;
