import { h } from "../ui/dom.js";

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
