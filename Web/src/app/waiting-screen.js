import { h, on, refill } from "../ui/dom.js";

/** A start that takes longer than this, in ms, is told. */
const patience = 600;

/**
 * Shows the waiting screen from a moment on until the chat has something to show.
 *
 * @param {HTMLElement} chat
 * @param {{place: HTMLElement, signal: AbortSignal, screen: () => HTMLElement, onSomethingToSee: () => void}} options
 *   `place` gets the screen; `onSomethingToSee` is called when this or the chat is first seen
 */
export function showUntilReady(chat, { place, signal, screen, onSomethingToSee }) {
  const timer = setTimeout(() => {
    onSomethingToSee();
    chat.inert = true;
    refill(place, screen());
  }, patience);
  on(chat, "ready", () => {
    clearTimeout(timer);
    onSomethingToSee();
    chat.inert = false;
    place.replaceChildren();
  }, signal, { once: true });
  on(signal, "abort", () => clearTimeout(timer));
}

/**
 * What is shown while there is nothing to show yet: that the app connects, and what one can do.
 *
 * @param {import("../texts/texts.js").Texts} t
 * @param {{onConnect: () => void, onLogOut: () => void}} options
 */
export function waitingScreen(t, { onConnect, onLogOut }) {
  const button = (/** @type {import("../texts/texts.js").Key} */ key, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", class: "button", onclick }, t(key));
  return h("section", { class: "screen over", "aria-label": t("app.name") },
    h("div", { class: "card welcome" },
      h("img", { src: "web/app/icon.svg", alt: "" }), h("h1", null, t("app.name")),
      h("p", { role: "status", class: "quiet-text" }, t("connection.connecting")),
      h("div", { class: "row" }, button("connection.now", onConnect), button("settings.logOut", onLogOut))));
}
