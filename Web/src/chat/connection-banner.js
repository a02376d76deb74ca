import { errorText } from "../texts/errors.js";
import { h, on, refill, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** @typedef {import("../client/client.js").Client} Client */

/** A connection that takes longer than this, in ms, is told. */
const patience = 1500;

/**
 * Whether a server refuses this page because it is one of another origin: then a notice says how to allow it.
 *
 * @param {Client} client
 */
export const isForeign = ({ error, server }) =>
  error?.name === "origin" && !["null", server].includes(location.origin);

/** Tells above the chat that there is no connection, that it takes long, or why the server refuses it. */
export class ConnectionBanner {
  /**
   * @param {import("../ui/live.js").LiveRegion} live
   * @param {() => import("../texts/texts.js").Texts} t
   */
  constructor(live, t) {
    this.#live = live;
    this.#t = t;
  }

  #live;
  #t;
  element = h("div", { class: "connection", part: "connection", hidden: true });

  /** Shows the state of the client that is watched, in the language in use. */
  draw = () => {};

  /**
   * Follows a client.
   *
   * @param {Client} client
   * @param {AbortSignal} signal
   */
  watch(client, signal) {
    let isLate = false;
    this.draw = () => this.#draw(client, isLate);
    on(client, "state", this.draw, signal);
    const timer = setTimeout(() => {
      isLate = true;
      this.draw();
    }, patience);
    on(signal, "abort", () => {
      clearTimeout(timer);
      this.element.hidden = true;
    });
  }

  /**
   * @param {Client} client
   * @param {boolean} isLate
   */
  #draw(client, isLate) {
    const t = this.#t();
    const { element } = this;
    const { state, error } = client;
    const text = {
      connecting: isLate ? t("connection.connecting") : "",
      offline: t("connection.offline"),
      refused: isForeign(client) ? "" : errorText(error, t),
    }[/** @type {string} */ (state)] ?? "";
    const place = element.querySelector("span");
    const shown = place?.textContent ?? "";
    if (shown === text && element.hidden === !text) return;
    element.hidden = !text;
    // The button that was pressed keeps the focus.
    if (place && state === "offline" && element.querySelector("button")) setText(place, text);
    else {
      refill(element, text && [
        icon(state === "refused" ? "warning" : "offline"), h("span", null, text),
        state === "offline" && h("button", { type: "button", onclick: () => this.#connectNow(client) },
          t("connection.now"))]);
    }
    if (!shown && !text) return;
    if (state === "refused") this.#live.failure(text);
    else this.#live.note(text || t("connection.back"));
  }

  /**
   * Tries at once; what the banner says comes back with the next failure.
   *
   * @param {Client} client
   */
  #connectNow(client) {
    setText(/** @type {HTMLElement} */ (this.element.querySelector("span")), this.#t()("connection.connecting"));
    client.wake();
  }
}
