import "../../texts/more.js";
import { h, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt, css } from "../../ui/styles.js";

const styles = css(`
.origin-notice code { padding: 8px 12px; border-radius: 8px; background: var(--roost-surface-2);
  color: var(--roost-text); font: var(--roost-size-1)/1.5 ui-monospace, monospace;
  overflow-wrap: anywhere; user-select: all; text-align: start; }
`);

/**
 * Says to the developer of a page that the server does not let pages of this origin connect, and what allows it.
 *
 * @param {HTMLElement} place where the chat would be
 * @param {string} server
 * @param {import("../../texts/texts.js").Texts} t
 */
export function showOriginNotice(place, server, t) {
  const option = `--allow-origin ${location.origin}`;
  console.error(`${server} does not let pages of ${location.origin} connect. Start it with ${option}.`);
  refill(place, h("div", { class: "placeholder origin-notice", role: "alert" },
    icon("warning"), h("h2", null, t("origin.title")),
    h("p", null, t("origin.text", { server, origin: location.origin })), h("code", { dir: "ltr" }, option)));
  adopt(place, styles);
}
