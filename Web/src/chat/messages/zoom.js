import { on } from "../../ui/dom.js";
import { watchFingers } from "./zoom-fingers.js";

const most = 8;
/** What a double click or tap, and a step of a key, enlarge by. */
const doubleTap = 2.5;
const step = 1.5;

/** Enlarges a picture in its place: by the wheel, two fingers, a double click or tap; and moves it by dragging. */
export class Zoom {
  /**
   * @param {HTMLElement} place which the picture fills, and that takes the pointers
   * @param {HTMLElement} picture
   * @param {{onzoom: (isZoomed: boolean) => void, onswipe: (side: 1 | -1) => void, signal: AbortSignal}} options `side`
   *   is -1 for a finger that moves to the left
   */
  constructor(place, picture, { onzoom, onswipe, signal }) {
    this.#place = place;
    this.#picture = picture;
    this.#onzoom = onzoom;
    on(place, "wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 20 : 1;
      // The fingers on a pad come as a wheel with Ctrl, in small steps.
      const speed = event.ctrlKey ? 100 : 400;
      this.by(Math.exp((-event.deltaY * lines) / speed), { x: event.clientX, y: event.clientY });
    }, signal, { passive: false });
    watchFingers(place, this, {
      onswipe,
      ontwice: (point, target) => {
        if (target === picture) this.#zoomTo(this.isZoomed ? 1 : doubleTap, point);
      },
      signal,
    });
    on(window, "resize", () => this.#draw(), signal);
  }

  #place;
  #picture;
  #onzoom;
  #scale = 1;
  #x = 0;
  #y = 0;
  /** Whether the last press dragged. */
  wasMoved = false;

  get isZoomed() {
    return this.#scale > 1;
  }

  /**
   * Enlarges, so that what is at a point stays there.
   *
   * @param {number} factor
   * @param {{x: number, y: number}} [point] the middle if absent
   */
  by(factor, point) {
    this.#zoomTo(this.#scale * factor, point);
  }

  /** Shows the picture in its first size. */
  reset() {
    this.#zoomTo(1);
  }

  /**
   * Moves the picture by parts of its place.
   *
   * @param {number} x
   * @param {number} y
   */
  pan(x, y) {
    this.move(x * this.#place.clientWidth, y * this.#place.clientHeight);
  }

  /**
   * Moves the picture by pixels.
   *
   * @param {number} x
   * @param {number} y
   */
  move(x, y) {
    this.#x += x;
    this.#y += y;
    this.#draw();
  }

  /**
   * Enlarges and moves the picture with two fingers.
   *
   * @param {number} factor
   * @param {{x: number, y: number}} from where their middle was
   * @param {{x: number, y: number}} to where it is
   */
  pinch(factor, from, to) {
    this.#x += to.x - from.x;
    this.#y += to.y - from.y;
    this.by(factor, to);
  }

  /**
   * @param {number} to
   * @param {{x: number, y: number}} [point]
   */
  #zoomTo(to, point) {
    const next = Math.max(1, Math.min(most, to));
    const box = this.#place.getBoundingClientRect();
    const [fromX, fromY] = point ? [point.x - box.left - box.width / 2, point.y - box.top - box.height / 2] : [0, 0];
    this.#x = fromX - ((fromX - this.#x) * next) / this.#scale;
    this.#y = fromY - ((fromY - this.#y) * next) / this.#scale;
    this.#scale = next < 1.01 ? 1 : next;
    this.#draw();
  }

  #draw() {
    const { clientWidth, clientHeight } = this.#place;
    const scale = this.#scale;
    const spareX = Math.max(0, (this.#picture.offsetWidth * scale - clientWidth) / 2);
    const spareY = Math.max(0, (this.#picture.offsetHeight * scale - clientHeight) / 2);
    this.#x = Math.max(-spareX, Math.min(spareX, this.#x));
    this.#y = Math.max(-spareY, Math.min(spareY, this.#y));
    const moved = `translate(${this.#x}px, ${this.#y}px) scale(${scale})`;
    this.#picture.style.setProperty("transform", scale === 1 ? "none" : moved);
    this.#place.classList.toggle("is-zoomed", this.isZoomed);
    this.#onzoom(this.isZoomed);
  }
}

/** What a key enlarges by; 0 for the size at first, null if it is none of these keys. */
export const zoomOfKey = (/** @type {string} */ key) =>
  ({ "+": step, "=": step, "-": 1 / step, "_": 1 / step, "0": 0 })[key] ?? null;
