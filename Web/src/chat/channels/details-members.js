import { ask } from "../../ui/dialog.js";
import { focused, h, on, reconcile, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { openMenu } from "../../ui/menu.js";
import { personParts } from "./people-picker.js";
import { openProfile } from "./profile-dialog.js";
import { isModerating, mayRemove, rolesToGive } from "./roles.js";

/**
 * @typedef {import("../../client/types.js").Member} Member
 * @typedef {import("../../texts/texts.js").Key} Key
 */

/** From how many members on they can be searched. */
const manyMembers = 12;

/** The members of a group, and for moderators who is invited or banned, each with what can be done. */
export class DetailsMembers {
  /**
   * @param {import("./details-view.js").DetailsContext} context
   * @param {{close: () => void, signal: AbortSignal}} options `close` ends the details
   */
  constructor(context, { close, signal }) {
    this.#context = context;
    this.#close = close;
    const { t } = context;
    this.#search = h("input", { class: "input", type: "search", placeholder: t("group.searchMembers"),
      "aria-label": t("group.searchMembers"), autocomplete: "off" });
    this.#searchField = h("label", { class: "search inset" }, icon("search"), this.#search);
    this.#members = h("ul", { class: "people", role: "list", "aria-label": t("group.members") });
    /** What to put into the details. */
    this.elements = [this.#title, this.#searchField, this.#members];
    on(this.#search, "input", () => this.draw(), signal);
  }

  #context;
  #close;
  #title = h("h3", { class: "section-title" });
  #search;
  #searchField;
  #members;
  /**
   * Who is invited or banned; only moderators see them.
   *
   * @type {Member[]}
   */
  #others = [];
  #seen = "";

  get #channel() {
    return this.#context.conversation.channel;
  }

  /** Reads who is invited or banned: the conversation does not know it. */
  async readOthers() {
    const { client, conversation, fail } = this.#context;
    try {
      if (this.#channel?.kind === "group" && isModerating(this.#channel.role)) {
        this.#others = (await client.read(
          "member.list", { channel: conversation.id, limit: 500, roles: ["invited", "outcast"] })).members;
      }
      if (this.#members.isConnected) this.draw();
    } catch (error) {
      fail(error);
    }
  }

  /** Shows what has changed in the conversation. */
  draw() {
    const { client, t, conversation } = this.#context;
    const channel = this.#channel;
    const isGroup = channel?.kind === "group";
    this.#title.hidden = this.#members.hidden = !isGroup;
    this.#searchField.hidden = !isGroup || conversation.members.length < manyMembers;
    if (!isGroup) return;
    // Members come and go in the log; who is invited or banned has to be read again with them.
    const seen = `${conversation.members.map(({ userID, role }) => `${userID} ${role}`)} ${lastLine(conversation)}`;
    const isOther = this.#seen && seen !== this.#seen;
    this.#seen = seen;
    if (isOther) this.readOthers();
    const text = this.#search.value.trim().toLocaleLowerCase();
    const known = new Set(conversation.members.map(({ userID }) => userID));
    const all = [...conversation.members, ...this.#others.filter(({ userID }) => !known.has(userID))];
    const shown = all.filter(({ userID, name }) =>
      name.toLocaleLowerCase().includes(text) || userID.toLowerCase().includes(text));
    setText(this.#title, t("count.members", { count: channel.memberCount }));
    const held = focused();
    const wasIn = held && this.#members.contains(held);
    reconcile(
      this.#members, shown.map((member) => memberKey(member, client.user.userID)), ({ key }) => key,
      ({ member }) => this.#makeMember(member),
    );
    if (wasIn && !held.isConnected) /** @type {HTMLElement} */ (this.#members.querySelector("button"))?.focus();
  }

  /** @param {Member} member */
  #makeMember(member) {
    const { client, t } = this.#context;
    const isSelf = member.userID === client.user.userID;
    const role = member.role === "participant" ? null : t(/** @type {Key} */ (`role.${member.role}`));
    const parts = [
      ...personParts(client, member),
      isSelf && h("span", { class: "role" }, t("you")), role && h("span", { class: "role" }, role),
    ];
    const row = h(
      isSelf ? "div" : "button",
      isSelf ? { class: "person" } : {
        type: "button", class: "person", "aria-haspopup": "menu", onclick: () => this.#openMemberMenu(member, row),
      }, parts,
    );
    return h("li", null, row);
  }

  /**
   * @param {Member} member
   * @param {HTMLElement} anchor
   */
  #openMemberMenu(member, anchor) {
    const { userID, name, role } = member;
    const { client, t, root, conversation, fail, start } = this.#context;
    const own = this.#channel?.role;
    const admins = conversation.members.filter((member) => member.role === "admin").length;
    const channel = conversation.id;
    /** @param {() => Promise<unknown>} work */
    const tried = (work) => () => {
      work().then(() => this.readOthers()).catch(fail);
    };
    /**
     * @param {string} title
     * @param {string} action
     * @param {"member.kick" | "member.ban"} command
     */
    const removal = (title, action, command) => tried(async () => {
      const question = { title, action, cancel: t("cancel"), closeLabel: t("close"), isDanger: true, returnTo: anchor };
      if (await ask(root, question)) await client.perform(command, { channel, members: [userID] });
    });
    const isOther = role === "invited" || role === "outcast";
    const makes = /** @type {const} */ ({
      participant: "group.makeParticipant", moderator: "group.makeModerator", admin: "group.makeAdmin",
    });
    /** @type {(import("../../ui/menu.js").MenuItem | false)[]} */
    const items = [
      role !== "outcast" && { label: t("message.start", { name }), icon: "conversation", action: () => {
        this.#close();
        start(userID).catch(fail);
      } },
      { label: t("profile.open", { name }), icon: "person",
        action: () => openProfile(this.#context, member, this.#close) },
      ...rolesToGive(own, role, admins).map((given) => ({
        label: t(makes[/** @type {keyof typeof makes} */ (given)]), icon: /** @type {const} */ ("person"),
        action: tried(() => conversation.setRole(userID, given)),
      })),
      mayRemove(own, role) && role === "invited" && { label: t("group.withdraw"), icon: "close", isDanger: true,
        action: tried(() => client.perform("member.kick", { channel, members: [userID] })) },
      mayRemove(own, role) && role === "outcast" && { label: t("group.unban"), icon: "check",
        action: tried(() => client.perform("member.unban", { channel, members: [userID] })) },
      mayRemove(own, role) && !isOther && { label: t("group.kick"), icon: "log-out", isDanger: true,
        action: removal(t("group.kickConfirm", { name }), t("remove"), "member.kick") },
      mayRemove(own, role) && role !== "outcast" && { label: t("group.ban"), icon: "block", isDanger: true,
        action: removal(t("group.banConfirm", { name }), t("group.ban"), "member.ban") },
    ];
    openMenu(root, {
      label: t("group.actionsFor", { name }), anchor, returnTo: anchor,
      items: /** @type {import("../../ui/menu.js").MenuItem[]} */ (items.filter(Boolean)),
    });
  }
}

/**
 * The newest line about the channel, such as somebody invited somebody.
 *
 * @param {import("../../client/conversation.js").Conversation} conversation
 */
function lastLine({ items }) {
  for (let index = items.length - 1; index >= 0; index -= 1) if (items[index].kind === "line") return items[index].key;
  return "";
}

/** @type {WeakMap<Member, {key: string, member: Member}>} */
const keyed = new WeakMap();

/**
 * A member with a key that changes with what the row shows, but not with the read mark.
 *
 * @param {Member} member
 * @param {string} me
 */
function memberKey(member, me) {
  const { userID, name, imageURL, role } = member;
  let known = keyed.get(member);
  if (!known) keyed.set(member, (known = { key: JSON.stringify([userID, name, imageURL, role, me]), member }));
  return known;
}
