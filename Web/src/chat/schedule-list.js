import "../texts/more.js";
import { h, reconcile, set, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/**
 * Shows the messages that the server will send later, folded to their number, above the field.
 *
 * @param {import("./context.js").Context} context
 * @param {HTMLElement} place
 */
export function showSchedules({ client, conversation, t, times, fail }, place) {
  const { schedules } = conversation;
  place.hidden = !schedules.length;
  if (!schedules.length) return place.replaceChildren();
  if (!place.firstChild) {
    const list = h("ul", { hidden: true });
    const toggle = h("button", {
      type: "button", class: "item", "aria-expanded": "false",
      onclick: () => {
        list.hidden = !list.hidden;
        set(toggle, { "aria-expanded": `${!list.hidden}` });
      },
    }, icon("clock"), h("span", { class: "grow" }), icon("chevron-down"));
    place.append(toggle, list);
  }
  const [toggle, list] = /** @type {any} */ (place.children);
  setText(toggle.children[1], t("schedule.count", { count: schedules.length }));
  reconcile(list, schedules, (each) => each.scheduleID, (each) => {
    const text = each.subject ?? each.messages.map((message) => message.text).join("\n");
    const at = t("schedule.item", { time: times.momentText(each.sendAt, client.sync.serverTime) });
    return h("li", null,
      h("span", { class: "grow" }, h("span", { class: "ellipsis", dir: "auto" }, text),
        h("time", { class: "hint", datetime: times.isoText(each.sendAt) }, at)),
      h("button", { type: "button", class: "button quiet", onclick: () =>
        conversation.cancelSchedule(each.scheduleID).catch(fail) }, t("schedule.cancel")));
  });
}
