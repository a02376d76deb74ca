import { on, swallowClick } from "./dom.js";

/** How long a finger rests until it is a long press, in ms. */
const pressTime = 500;

/**
 * Tells of long presses by a finger, also in browsers that send no `contextmenu` for them.
 *
 * @param {HTMLElement} element
 * @param {(target: Element, point: {x: number, y: number}) => void} act
 * @param {(target: Element) => boolean} isMeant whether a press there counts
 * @param {AbortSignal} signal
 */
export function onLongPress(element, act, isMeant, signal) {
  let timer = 0;
  const stop = () => clearTimeout(timer);
  on(element, "pointerdown", ({ target, pointerType, clientX: x, clientY: y }) => {
    if (pointerType !== "touch" || !isMeant(target)) return;
    timer = setTimeout(() => {
      swallowClick();
      act(target, { x, y });
    }, pressTime);
  }, signal);
  on(element, "pointerup pointercancel pointermove", (event) => {
    if (event.type !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 4) stop();
  }, signal);
  on(element, "scroll", stop, signal, { passive: true });
  on(element, "contextmenu", stop, signal);
}
