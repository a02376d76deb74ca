import { on } from "../ui/dom.js";

/**
 * Keeps free what a keyboard on the screen covers: some phones lay it over the page.
 *
 * @param {HTMLElement} element the chat
 * @param {HTMLElement} frame is told how much is covered, in a custom property
 * @param {AbortSignal} signal
 */
export function watchScreenKeyboard(element, frame, signal) {
  const viewport = window.visualViewport;
  if (!viewport) return;
  on(viewport, "resize scroll", () => {
    const covered = element.matches(":focus-within") ?
      Math.max(0, element.getBoundingClientRect().bottom - viewport.height - viewport.offsetTop) : 0;
    const isKeyboard = viewport.scale === 1 && innerHeight - viewport.height > 120;
    frame.style.setProperty("--roost-keyboard", `${isKeyboard ? covered : 0}px`);
  }, signal);
}
