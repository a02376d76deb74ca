import "../texts/more.js";
import { h, on } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/**
 * Says in each dialog that there is no connection, as what it waits for comes only with one, and the line that says so
 * elsewhere is behind it.
 *
 * @param {{client: import("../client/client.js").Client, root: HTMLElement | ShadowRoot, signal: AbortSignal,
 *   t: () => import("../texts/texts.js").Texts}} options `root` has the dialogs in it
 */
export function watchDialogs({ client, root, signal, t }) {
  on(root, "opened", ({ target }) => {
    if (!target.matches("dialog.dialog")) return;
    const end = new AbortController();
    const note = h("div", { class: "connection", role: "status", hidden: true });
    target.querySelector("header").after(note);
    const draw = () => {
      // A try that is under way leaves it as it is.
      if (client.state !== "connecting") note.hidden = client.state !== "offline";
      if (note.hidden || note.firstChild) return;
      note.append(icon("offline"), h("span", null, t()("connection.waits")),
        h("button", { type: "button", onclick: () => void client.wake() }, t()("connection.now")));
    };
    on(client, "state", draw, end.signal);
    on(signal, "abort", () => end.abort(), end.signal);
    on(target, "close", () => end.abort(), end.signal);
    draw();
  }, signal);
}
