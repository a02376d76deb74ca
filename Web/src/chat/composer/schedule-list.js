import "../../texts/more.js";
import "../../ui/more-icons.js";
import { h, reconcile, set, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt, css } from "../../ui/styles.js";

const styles = css(`
.scheduled { padding: 4px 4px 0; border-bottom: 1px solid var(--roost-line); }
.scheduled > .item { font-size: var(--roost-size-1); color: var(--roost-text-2); border-radius: 18px; }
.scheduled [aria-expanded="true"] .icon:last-child { rotate: 180deg; }
.scheduled ul { max-height: 30dvh; overflow: auto; }
.scheduled li { display: flex; align-items: center; gap: 8px; min-height: 52px; padding: 4px 4px 4px 12px; }
.scheduled li .grow { display: grid; }
`);

/**
 * Shows the messages that the server will send later, folded to their number, above the field.
 *
 * @param {import("../context.js").Context} context
 * @param {HTMLElement} place
 */
export function showSchedules({ client, conversation, t, times, fail, root }, place) {
  adopt(root, styles);
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
    const at = t("schedule.item", { time: times.momentText(each.sendAt, client.serverTime) });
    return h("li", null,
      h("span", { class: "grow" }, h("span", { class: "ellipsis", dir: "auto" }, text),
        h("time", { class: "hint", datetime: times.isoText(each.sendAt) }, at)),
      h("button", { type: "button", class: "button quiet", onclick: () =>
        conversation.cancelSchedule(each.scheduleID).catch(fail) }, t("schedule.cancel")));
  });
}
