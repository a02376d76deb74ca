import { h, on } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { openEmojiPicker } from "../lazy.js";

/**
 * One pair of buttons, to react and to answer, for the row under the pointer of a mouse.
 *
 * @param {import("../context.js").Context} context
 * @param {import("./timeline-view.js").TimelineView} timeline
 * @param {import("../extras.js").Extras} extras
 */
export function watchTools(context, timeline, extras) {
  const { t, signal, conversation } = context;
  /**
   * @param {import("../../texts/texts.js").Key} key
   * @param {import("../../ui/icons.js").IconName} sign
   * @param {(item: import("../../client/types.js").MessageItem, at: Element) => void} act
   */
  const button = (key, sign, act) => h("button", {
    type: "button", class: "icon-button", tabindex: "-1", "aria-label": t(key), title: t(key),
    onclick: (/** @type {any} */ event) => {
      const item = extras.messageAt(event.target);
      if (item) act(item, event.currentTarget);
    },
  }, icon(sign));
  const tools = h("span", { class: "tools" },
    button("message.react", "emoji", ({ message }, anchor) => openEmojiPicker(context, {
      anchor, returnTo: /** @type {HTMLElement} */ (anchor.closest("[data-key]")),
      onpick: (emoji) => conversation.react(message.messageID ?? "", emoji).catch(context.fail),
    })),
    button("message.reply", "reply", ({ message }) => context.reply(message)));
  on(timeline.rows, "pointerover", (event) => {
    if (event.pointerType !== "mouse" || !conversation.canWrite) return;
    const row = event.target.closest("[data-key]");
    if (!row || tools.parentElement === row) return;
    const item = extras.messageAt(row);
    if (item?.message.messageID && !item.message.recall) row.append(tools);
    else tools.remove();
  }, signal, { passive: true });
}
