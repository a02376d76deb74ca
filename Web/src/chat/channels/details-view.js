import "../../texts/more.js";
import { avatar } from "../../ui/avatar.js";
import { ask, openDialog } from "../../ui/dialog.js";
import { focused, h, on, reconcile, refill, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { openMenu } from "../../ui/menu.js";
import { pictureOf } from "../../client/for-views.js";
import { leaveOpen } from "./channel-menu.js";
import { openCreateGroup, openInvite, openRename } from "./group-dialogs.js";
import { openLeave } from "./leave-dialog.js";
import { adoptListStyles } from "../styles/list-styles.js";
import { personParts } from "./people-picker.js";
import { personActions } from "./person-actions.js";
import { openProfile } from "./profile-dialog.js";
import { choosePicture } from "../messages/pictures.js";
import { isModerating, mayEdit, mayRemove, rolesToGive } from "./roles.js";

/**
 * @typedef {import("../../client/types.js").Member} Member
 * @typedef {import("../../client/types.js").Role} Role
 * @typedef {import("../../texts/texts.js").Key} Key
 * @typedef {Pick<import("../context.js").Context, "client" | "conversation" | "t" | "root" | "fail" | "start" |
 *   "toasts"> & {open?: (channel: string) => void, leave?: () => void}} DetailsContext `open` shows another channel,
 *   `leave` the list alone
 * @typedef {{label: string, icon: import("../../ui/icons.js").IconName, hint?: string, isDanger?: boolean,
 *   isEnd?: boolean, isOn?: boolean, run: () => unknown}} Action
 */

/** From how many members on they can be searched. */
const manyMembers = 12;

/**
 * Opens the details of a conversation: what it is, who is in it, and what the user may change or end. It follows the
 * conversation while it is open, and closes when the user does not have it any more.
 *
 * @param {DetailsContext} context
 * @returns {import("../../ui/dialog.js").Dialog}
 */
export function openDetails(context) {
  return new DetailsView(context).dialog;
}

class DetailsView {
  /** @param {DetailsContext} context */
  constructor(context) {
    this.#context = context;
    const { t, root, conversation, client } = context;
    adoptListStyles(root);
    this.#top = h("div", { class: "details-top" });
    this.#actions = h("div", { class: "details-actions" });
    this.#ends = h("div", { class: "details-actions" });
    this.#membersTitle = h("h3", { class: "section-title" });
    this.#search = h("input", { class: "input", type: "search", placeholder: t("group.searchMembers"),
      "aria-label": t("group.searchMembers"), autocomplete: "off" });
    this.#searchField = h("label", { class: "search inset" }, icon("search"), this.#search);
    this.#members = h("ul", { class: "people", role: "list", "aria-label": t("group.members") });
    /** The open dialog. */
    this.dialog = openDialog(root, {
      title: t("group.details"), closeLabel: t("close"), class: "tall",
      body: [this.#top, this.#actions, this.#membersTitle, this.#searchField, this.#members, this.#ends],
    });
    const { signal } = this.#end;
    on(conversation, "change", () => this.#draw(), signal);
    on(client, "state blocked", () => this.#draw(), signal);
    on(this.#search, "input", () => this.#drawMembers(), signal);
    this.dialog.closed.then(() => this.#end.abort());
    this.#draw();
    this.#readOthers();
  }

  #context;
  #end = new AbortController();
  #top;
  #actions;
  /** What cannot be undone, and what takes the conversation away: below the members. */
  #ends;
  #membersTitle;
  #searchField;
  #search;
  #members;
  /**
   * Who is invited or banned; only moderators see them.
   *
   * @type {Member[]}
   */
  #others = [];
  #membersSeen = "";
  #shown = "";
  /** @type {Map<string, () => unknown>} */
  #runs = new Map();

  get #channel() {
    return this.#context.conversation.channel;
  }

  /** The other user of a 1-on-1. */
  get #other() {
    const { client } = this.#context;
    const other = this.#channel?.members.find(({ userID }) => userID !== client.user.userID);
    return this.#channel?.kind === "single" ? other : undefined;
  }

  #draw() {
    const { conversation } = this.#context;
    const channel = this.#channel;
    if (!channel || conversation.isGone) return this.dialog.close();
    this.#drawTop(channel);
    this.#drawActions(channel);
    this.#drawMembers();
  }

  /** @param {import("../../client/types.js").Channel} channel */
  #drawTop(channel) {
    const { client, t } = this.#context;
    const picture = pictureOf(client, channel);
    const about = channel.kind.endsWith("News") ? t("count.subscribers", { count: channel.memberCount })
      : channel.kind === "open" ? t("count.here", { count: channel.memberCount })
      : channel.kind === "group" ? t("count.members", { count: channel.memberCount }) : this.#other?.userID ?? "";
    const key = JSON.stringify([picture, about]);
    if (key === this.#shown) return;
    this.#shown = key;
    refill(
      this.#top, avatar(picture, { size: 88, resolve: (url) => client.imageURL(url) }),
      h("h3", { dir: "auto" }, channel.kind === "self" ? t("kind.self") : channel.name),
      h("p", { class: "hint" }, channel.kind === "self" ? "" : t(/** @type {Key} */ (`kind.${channel.kind}`))),
      h("p", { class: "hint" }, h("bdi", null, about)),
    );
  }

  /** @param {import("../../client/types.js").Channel} channel */
  #drawActions(channel) {
    const { client, t, conversation, root, fail, open, leave } = this.#context;
    const { kind, role } = channel;
    const other = this.#other;
    const isMuted = Boolean(channel.preference?.isMuted);
    /**
     * @param {string} title
     * @param {string} action
     * @param {() => Promise<unknown>} work
     */
    const confirmed = (title, action, work) => async () => {
      const question = { title, action, cancel: t("cancel"), closeLabel: t("close"), isDanger: true };
      if (await ask(root, question)) await work();
    };
    /** @param {Blob | null} picture */
    const setPicture = async (picture) => {
      if (picture) await conversation.setPicture(picture);
      else await client.perform("channel.setProfile", { channel: channel.channel, profile: { avatar: "" } });
    };
    /** @type {(Action | false | undefined)[]} */
    const actions = [
      kind !== "open" && kind !== "self" &&
        { label: t("group.mute"), hint: t("group.muteHint"), icon: "bell-off", isOn: isMuted,
          run: () => conversation.mute(!isMuted) },
      { label: t("media.title"), icon: "image",
        run: async () => (await import("../messages/media-dialog.js")).openMedia(this.#context) },
      kind === "group" &&
        { label: t("group.invite"), icon: "person-add", run: () => openInvite(root, { client, t, conversation }) },
      other && open && !client.options.isVisitor && {
        label: t("new.group"), icon: "people",
        run: () => openCreateGroup(root, {
          client, t, members: [other], onSelect: this.#leaveFor(open), onFailure: fail,
        }),
      },
      mayEdit(channel) && { label: t("group.rename"), icon: "edit", run: () => openRename(root, { t, conversation }) },
      mayEdit(channel) && {
        label: t("group.changePicture"), icon: "image",
        run: () => choosePicture((picture) => setPicture(picture).catch(fail)),
      },
      mayEdit(channel) && Boolean(channel.profile?.avatar) &&
        { label: t("group.removePicture"), icon: "trash", run: () => setPicture(null) },
      kind !== "open" &&
        { label: t("group.hide"), hint: t("group.hideHint"), icon: "eye-off", isEnd: true,
          run: async () => {
            await conversation.hide();
            this.dialog.close();
            leave?.();
          } },
      kind !== "open" && !kind.endsWith("News") && {
        label: t("group.clear"), icon: "trash", isDanger: true,
        run: confirmed(t("group.clearConfirm"), t("delete"),
          () => client.perform("message.delete", { scope: "channel", channel: channel.channel })),
      },
      ...(other ? personActions(this.#context, other, () => this.dialog.close()) : [])
        .map((action) => ({ ...action, isEnd: true })),
      kind === "group" && {
        label: t("group.leave"), icon: "log-out", isDanger: true,
        run: () => openLeave(root, { client, conversation, t }),
      },
      kind === "open" && leave && {
        label: t("open.leave"), icon: "log-out", isDanger: true,
        run: () => {
          this.dialog.close();
          leaveOpen(client, channel.channel);
          leave();
        },
      },
      kind === "publicNews" &&
        { label: t("news.unsubscribe"), icon: "log-out", isDanger: true, run: () => conversation.leave() },
      kind === "group" && role === "admin" && {
        label: t("group.dismiss"), icon: "trash", isDanger: true,
        run: confirmed(t("group.dismissConfirm", { title: channel.name }), t("group.dismiss"),
          () => conversation.dismiss()),
      },
      (kind === "single" || kind === "self") && {
        label: t("group.end"), icon: "close", isDanger: true,
        run: confirmed(t("group.endConfirm"), t("group.end"), () => conversation.end()),
      },
    ];
    const shown = /** @type {Action[]} */ (actions.filter(Boolean));
    this.#runs = new Map(shown.map((action) => [action.label, action.run]));
    /**
     * @param {HTMLElement} place
     * @param {Action[]} actions
     */
    const fill = (place, actions) => reconcile(
      place, actions, ({ label }) => label, (action) => this.#makeAction(action), (button, { isOn }) => {
        if (isOn !== undefined) button.setAttribute("aria-checked", String(isOn));
      });
    const isEnd = (/** @type {Action} */ action) => Boolean(action.isEnd || action.isDanger);
    fill(this.#actions, shown.filter((action) => !isEnd(action)));
    fill(this.#ends, shown.filter(isEnd));
  }

  /** @param {Action} action */
  #makeAction({ label, hint, icon: name, isDanger, isOn }) {
    const run = async () => {
      try {
        await this.#runs.get(label)?.();
      } catch (error) {
        this.#context.fail(error);
      }
    };
    return h(
      "button",
      { type: "button", class: isDanger ? "item danger" : "item", onclick: run,
        ...(isOn !== undefined && { role: "switch", "aria-checked": String(isOn) }) },
      icon(name), h("span", { class: "grow" }, label, hint && h("span", { class: "hint" }, hint)),
      isOn !== undefined && h("span", { class: "switch" }),
    );
  }

  /** @param {(channel: string) => void} open */
  #leaveFor(open) {
    return (/** @type {string} */ channel) => {
      this.dialog.close();
      open(channel);
    };
  }

  /** Reads who is invited or banned: the conversation does not know it. */
  async #readOthers() {
    const { client, conversation, fail } = this.#context;
    try {
      if (this.#channel?.kind === "group" && isModerating(this.#channel.role)) {
        this.#others = (await client.read(
          "member.list", { channel: conversation.id, limit: 500, roles: ["invited", "outcast"] })).members;
      }
      if (this.dialog.element.isConnected) this.#draw();
    } catch (error) {
      fail(error);
    }
  }

  #drawMembers() {
    const { client, t, conversation } = this.#context;
    const channel = this.#channel;
    const isGroup = channel?.kind === "group";
    this.#membersTitle.hidden = this.#members.hidden = !isGroup;
    this.#searchField.hidden = !isGroup || conversation.members.length < manyMembers;
    if (!isGroup) return;
    // Members come and go in the log; who is invited or banned has to be read again with them.
    const seen = `${conversation.members.map(({ userID, role }) => `${userID} ${role}`)} ${lastLine(conversation)}`;
    const isOther = this.#membersSeen && seen !== this.#membersSeen;
    this.#membersSeen = seen;
    if (isOther) this.#readOthers();
    const text = this.#search.value.trim().toLocaleLowerCase();
    const known = new Set(conversation.members.map(({ userID }) => userID));
    const all = [...conversation.members, ...this.#others.filter(({ userID }) => !known.has(userID))];
    const shown = all.filter(({ userID, name }) =>
      name.toLocaleLowerCase().includes(text) || userID.toLowerCase().includes(text));
    setText(this.#membersTitle, t("count.members", { count: channel.memberCount }));
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
      work().then(() => this.#readOthers()).catch(fail);
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
        this.dialog.close();
        start(userID).catch(fail);
      } },
      { label: t("profile.open", { name }), icon: "person",
        action: () => openProfile(this.#context, member, () => this.dialog.close()) },
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
