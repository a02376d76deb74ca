import "../../texts/more.js";
import { openDialog } from "../../ui/dialog.js";
import { h, on, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { errorText } from "../../texts/texts.js";
import { adoptListStyles } from "../styles/list-styles.js";
import { PeoplePicker } from "./people-picker.js";

/**
 * @typedef {import("../../roost.js").Client} Client
 * @typedef {import("../../roost.js").Conversation} Conversation
 * @typedef {import("../../texts/texts.js").Texts} Texts
 * @typedef {import("./people-picker.js").Person} Person
 */

/** The longest title of a group, in UTF-16 units. */
const titleLength = 200;

/**
 * A choice of people: chips of those who are chosen, and a picker for more.
 *
 * @param {Client} client
 * @param {Texts} t
 * @param {{chosen?: Person[], without?: Set<string>, onchange: (people: Person[]) => void}} options
 */
function peopleChoice(client, t, { chosen = [], without, onchange }) {
  /** @type {Map<string, Person>} */
  const people = new Map();
  const chips = h("div", { class: "chips", role: "group", "aria-label": t("create.members") });
  /** @type {PeoplePicker} */
  const picker = new PeoplePicker(client, t, {
    label: t("create.addMember"), hint: t("create.membersHint"), action: t("add"), without,
    pick: (person) => {
      if (person.userID === client.user.userID || without?.has(person.userID)) return picker.reset();
      add(person);
      picker.reset();
      picker.input.focus();
    },
  });
  /** @param {Person} person */
  const add = (person) => {
    people.set(person.userID, person);
    picker.chosen.add(person.userID);
    draw();
  };
  /** @param {string} userID */
  const remove = (userID) => {
    people.delete(userID);
    picker.chosen.delete(userID);
    picker.reset();
    draw();
    picker.input.focus();
  };
  const draw = () => {
    refill(chips, [...people.values()].map(({ userID, name }) => h(
      "span", { class: "chip" }, h("bdi", { class: "ellipsis" }, name),
      h("button", { type: "button", class: "icon-button", onclick: () => remove(userID),
        "aria-label": t("create.removeMember", { name }) }, icon("close")),
    )));
    onchange([...people.values()]);
  };
  for (const person of chosen) add(person);
  return { element: h("div", { class: "field" }, chips, picker.element), picker };
}

/**
 * Opens the dialog for a new group: title and members.
 *
 * @param {Node & ParentNode} root
 * @param {{client: Client, t: Texts, members?: Person[], onSelect?: (channel: string) => void,
 *   onFailure: (error: unknown) => void}} options `members` are chosen already
 */
export function openCreateGroup(root, { client, t, members, onSelect, onFailure }) {
  adoptListStyles(root);
  /** @type {string[]} */
  let userIDs = [];
  const title = h("input", { class: "input", type: "text", maxlength: `${titleLength}`, autocomplete: "off",
    dir: "auto", autofocus: true });
  const problem = h("p", { class: "error-text", role: "alert" });
  const submit = h("button", { type: "button", class: "button primary" }, t("create.submit"));
  const choice = peopleChoice(client, t, {
    chosen: members, onchange: (people) => (userIDs = people.map(({ userID }) => userID)),
  });
  choice.picker.input.removeAttribute("autofocus");
  const form = h("form", null,
    h("label", { class: "field" }, h("span", null, `${t("create.name")} (${t("optional")})`), title,
      h("span", { class: "hint" }, t("create.nameHint"))));
  const dialog = openDialog(root, {
    title: t("create.title"), closeLabel: t("close"), body: [form, choice.element, problem],
    footer: [h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("cancel")), submit],
  });
  const create = async () => {
    if (!userIDs.length) {
      problem.textContent = t("create.noMembers");
      return choice.picker.input.focus();
    }
    submit.disabled = true;
    try {
      const channel = await client.createGroup({ title: title.value.trim(), members: userIDs });
      dialog.close();
      onSelect?.(channel);
    } catch (error) {
      if (!dialog.element.isConnected) return onFailure(error);
      problem.textContent = errorText(error, t);
      submit.disabled = false;
    }
  };
  on(form, "submit", (event) => {
    event.preventDefault();
    create();
  });
  on(submit, "click", create);
}

/**
 * Opens the dialog that invites people into a group.
 *
 * @param {Node & ParentNode} root
 * @param {{client: Client, t: Texts, conversation: Conversation}} options
 */
export function openInvite(root, { client, t, conversation }) {
  adoptListStyles(root);
  /** @type {string[]} */
  let userIDs = [];
  const asks = h("input", { type: "checkbox" });
  const problem = h("p", { class: "error-text", role: "alert" });
  const submit = h("button", { type: "button", class: "button primary" }, t("group.inviteSubmit"));
  const choice = peopleChoice(client, t, {
    without: new Set(conversation.members.map(({ userID }) => userID)),
    onchange: (people) => {
      userIDs = people.map(({ userID }) => userID);
      submit.disabled = !userIDs.length;
    },
  });
  submit.disabled = true;
  const dialog = openDialog(root, {
    title: t("group.invite"), closeLabel: t("close"),
    body: [choice.element, h("label", { class: "check" }, asks, t("group.inviteAsk")), problem],
    footer: [h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("cancel")), submit],
  });
  on(submit, "click", async () => {
    submit.disabled = true;
    /** @type {import("../../client/protocol.js").NewMember[]} */
    const members = asks.checked ? userIDs.map((userID) => ({ userID, role: "invited" })) : userIDs;
    try {
      await client.perform("member.invite", { channel: conversation.id, members });
      dialog.close();
    } catch (error) {
      problem.textContent = errorText(error, t);
      submit.disabled = false;
    }
  });
}

/**
 * Opens the dialog that changes a group's title; an empty one removes it.
 *
 * @param {Node & ParentNode} root
 * @param {{t: Texts, conversation: Conversation}} options
 */
export function openRename(root, { t, conversation }) {
  const title = h("input", { class: "input", type: "text", maxlength: `${titleLength}`, autocomplete: "off",
    dir: "auto", autofocus: true, value: conversation.channel?.title ?? "" });
  const problem = h("p", { class: "error-text", role: "alert" });
  const submit = h("button", { type: "submit", class: "button primary", form: "rename-form" }, t("save"));
  const form = h("form", { id: "rename-form" },
    h("label", { class: "field" }, h("span", null, t("group.title")), title,
      h("span", { class: "hint" }, t("create.nameHint"))));
  const dialog = openDialog(root, {
    title: t("group.rename"), closeLabel: t("close"), body: [form, problem],
    footer: [h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("cancel")), submit],
  });
  on(form, "submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await conversation.rename(title.value.trim());
      dialog.close();
    } catch (error) {
      problem.textContent = errorText(error, t);
      submit.disabled = false;
    }
  });
  title.select();
}
