/**
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {import("./texts.js").Key} Key
 * @typedef {import("../client/types.js").Event} Event
 * @typedef {import("../client/types.js").Content} Content
 * @typedef {(userID: string) => string | null | undefined} NameOf gives the name to show, if it is known
 */

/**
 * The text of a server line, without a full stop: who joined, left, has another role, or changed a setting.
 *
 * @param {Event} event
 * @param {Texts} t
 * @param {string} ownUserID
 * @param {NameOf} [nameOf] for the users of whom the event has only the id; without it, the id is shown
 * @returns {string | null} null for messages, reactions, typing and whatever else is no line
 */
export function lineText(event, t, ownUserID, nameOf) {
  const lines = new Lines(event, t, ownUserID, nameOf).all();
  return lines.length ? t.list(lines) : null;
}

class Lines {
  /**
   * @param {Event} event
   * @param {Texts} t
   * @param {string} ownUserID
   * @param {NameOf} [nameOf]
   */
  constructor(event, t, ownUserID, nameOf) {
    this.event = event;
    this.t = t;
    this.ownUserID = ownUserID;
    this.nameOf = nameOf;
  }

  /** @returns {string[]} */
  all() {
    const { body } = this.event;
    switch (this.event.event) {
      case "channel.joined":
        return body.reason === "created" ? [this.by("line.created", { title: body.title || body.channel })] : [];
      case "news.created":
        return [this.t("line.newsBegins", { title: body.title })];
      case "channel.dismissed":
        return [this.by("line.dismissed", {}, body.byName)];
      case "member.invited":
        return [
          ...(body.members?.length ? [this.joined(body.members)] : []),
          ...(body.invited?.length ? [this.named("line.invited", body.invited)] : []),
        ];
      case "member.joined":
        if (!body.isAnswer) return [this.joined([body.member])];
        return [this.of(body.member, "line.accepted", "line.acceptedOwn")];
      case "member.left":
        return [this.left()];
      case "member.kicked":
        return [this.named("line.removed", body.members)];
      case "member.banned":
        return [this.named("line.banned", body.members)];
      case "member.roleChanged":
        return body.members.map((/** @type {any} */ member) => this.role(member));
      case "member.profileChanged":
        return [this.profile()];
      case "channel.profileChanged":
        return [this.settings(body.profile ?? {})];
      case "vote.closed":
        return [this.voteClosed()];
      default:
        return [];
    }
  }

  /** How many members the channel has now, as text. */
  get members() {
    return this.t("count.members", { count: this.event.body.memberCount ?? 0 });
  }

  /** @param {string} userID */
  name(userID) {
    return this.nameOf?.(userID) || userID;
  }

  /**
   * What the event's sender did. The key with `Own` at its end is for oneself.
   *
   * @param {"line.created" | "line.dismissed" | "line.title" | "line.picture" | "line.settings" |
   *   "line.voteClosed"} key
   * @param {Record<string, string | number>} values
   * @param {string} [name]
   */
  by(key, values, name) {
    const { senderID } = this.event;
    if (senderID && senderID === this.ownUserID) return this.t(`${key}Own`, values);
    return this.t(key, { ...values, name: name || (senderID ? this.name(senderID) : this.t("server")) });
  }

  /**
   * What somebody did, if there is no other user in it.
   *
   * @param {{userID: string, name: string}} user
   * @param {Key} key
   * @param {Key} ownKey
   */
  of(user, key, ownKey) {
    return this.t(user.userID === this.ownUserID ? ownKey : key, { name: user.name, members: this.members });
  }

  /** @param {{userID: string, name: string}[]} users */
  joined(users) {
    const { members } = this;
    if (users.length === 1 && users[0].userID === this.ownUserID) return this.t("line.joinedOwn", { members });
    return this.t("line.joined", { names: this.t.list(users.map(({ name }) => name)), count: users.length, members });
  }

  /**
   * What the sender did with some users.
   *
   * @param {"line.invited" | "line.removed" | "line.banned"} key
   * @param {{userID: string, name: string}[]} users
   */
  named(key, users) {
    const { senderID } = this.event;
    const name = senderID ? this.name(senderID) : this.t("server");
    const values = { names: this.t.list(users.map((user) => user.name)), members: this.members };
    if (senderID && senderID === this.ownUserID) return this.t(`${key}Own`, values);
    if (users.length === 1 && users[0].userID === this.ownUserID) return this.t(`${key}You`, { name });
    return this.t(key, { ...values, name });
  }

  left() {
    const { userID, name, successor } = this.event.body;
    const { members } = this;
    if (userID === this.ownUserID) return this.t("line.leftOwn");
    if (!successor) return this.t("line.left", { name, members });
    if (successor === this.ownUserID) return this.t("line.leftSuccessorYou", { name, members });
    return this.t("line.leftSuccessor", { name, members, successor: this.name(successor) });
  }

  /** @param {{userID: string, name: string, role: string}} member */
  role({ userID, name, role }) {
    const own = `line.roleOwn.${role}`;
    if (userID === this.ownUserID && this.t.has(own)) return this.t(/** @type {Key} */ (own));
    const key = `line.role.${role}`;
    return this.t(/** @type {Key} */ (this.t.has(key) ? key : "line.role.participant"), { name });
  }

  profile() {
    const { member, hasNickname, hasChannelImage } = this.event.body;
    if (!hasNickname && !hasChannelImage) return this.of(member, "line.memberUsual", "line.memberUsualOwn");
    if (!hasNickname) return this.of(member, "line.memberPicture", "line.memberPictureOwn");
    const { userID: user, name } = member;
    return user === this.ownUserID ? this.t("line.renamedOwn", { name }) : this.t("line.renamed", { user, name });
  }

  /** @param {Record<string, any>} profile */
  settings(profile) {
    const names = Object.keys(profile);
    if (names.length === 1 && profile.title) return this.by("line.title", { title: profile.title });
    if (names.length === 1 && profile.avatar) return this.by("line.picture", {});
    const settings = names.flatMap((name) => this.setting(name, profile));
    if (settings.length) return this.by("line.settings", { settings: this.t.list(settings) });
    const { senderID } = this.event;
    return this.t("line.settingsNone", { name: senderID ? this.name(senderID) : this.t("server") });
  }

  /**
   * @param {string} name
   * @param {Record<string, any>} profile
   * @returns {string[]}
   */
  setting(name, profile) {
    const { t } = this;
    const value = profile[name];
    switch (name) {
      case "title":
        return [value ? t("setting.title", { title: value }) : t("setting.noTitle")];
      case "customAttributes":
        return [t("setting.attributes", { number: Number(value) })];
      case "avatar":
        return [t(value ? "setting.picture" : "setting.noPicture")];
      case "background":
        return [t(value ? "setting.background" : "setting.noBackground")];
      case "canJoin":
        return [t(value ? "setting.canJoin" : "setting.cannotJoin")];
      case "editors":
        return [t(value === "moderators" ? "setting.editors.moderators" : "setting.editors.participants")];
      case "history":
        if (value === "last") return [t("setting.history.last", { count: profile.historyRows ?? 1 })];
        return [t(value === "sinceJoin" ? "setting.history.sinceJoin" : "setting.history.all")];
      case "minMembers":
      case "maxMembers":
        return [t(`setting.${name}`, { count: Number(value) })];
      case "moderatorsMayRecall":
        return [t(value ? "setting.moderatorsRecall" : "setting.moderatorsNoRecall")];
      case "noticesForwards":
        return [t(value ? "setting.forwardsNoticed" : "setting.forwardsUnnoticed")];
      default:
        return [];
    }
  }

  voteClosed() {
    const { tally, byName } = this.event.body;
    const text = tallyText(tally, this.t);
    if (!byName && !this.event.senderID) return this.t("line.voteOver", { tally: text });
    return this.by("line.voteClosed", { tally: text }, byName);
  }
}

/**
 * The counts of a vote in one line: `option 1: 2, option 2: 1 (3 voters)`.
 *
 * @param {{counts?: number[], voters: number}} tally
 * @param {Texts} t
 * @returns {string}
 */
export function tallyText(tally, t) {
  const voters = t("count.voters", { count: tally.voters });
  if (!tally.counts) return voters;
  const options = tally.counts.map((votes, index) => t("tally.option", { number: index + 1, votes }));
  return t("tally.all", { options: t.list(options), voters });
}

/** @type {Record<string, Key>} */
const previews = {
  sticker: "preview.sticker",
  image: "preview.picture",
  video: "preview.film",
  voice: "preview.voice",
  contact: "preview.contact",
  document: "preview.file",
  location: "preview.place",
  screenshotTaken: "preview.screenshot",
  messageCopied: "preview.copy",
  messagesForwarded: "preview.forward",
  messageSaved: "preview.save",
  publicNews: "preview.news",
  corporateNews: "preview.news",
};

/** @type {Record<string, "notice.screenshot" | "notice.copy" | "notice.forward" | "notice.save">} */
const notices = {
  screenshotTaken: "notice.screenshot",
  messageCopied: "notice.copy",
  messagesForwarded: "notice.forward",
  messageSaved: "notice.save",
};

/**
 * What a message says, in one line without its sender: the text, or a word for its type. For quotes, schedules, the
 * options of votes and notifications.
 *
 * @param {Content & {call?: any, vote?: any, isForwarded?: boolean, recall?: any, isRecalled?: boolean}} content the
 *   content of a message, or the snapshot of an answered one
 * @param {Texts} t
 * @returns {string} at most 300 UTF-16 units of what people wrote
 */
export function contentText(content, t) {
  if (content.recall || content.isRecalled) return t("preview.recalled");
  const said = oneLine(content.type === "sticker" ? "" : content.text);
  if (content.call) return callText(content.call, t);
  if (content.vote) return t("preview.vote", { text: said });
  if (said) return said;
  const type = content.type ?? "text";
  const name = oneLine(type === "location" ? content.location?.address : content.file?.name);
  if (type === "document" && name) return t("preview.fileNamed", { name });
  if (type === "location" && name) return t("preview.placeNamed", { name });
  const contact = oneLine(content.extras?.name);
  if (type === "contact" && contact) return t("preview.contactNamed", { name: contact });
  return t(Object.hasOwn(previews, type) ? previews[type] : "preview.message");
}

/**
 * The preview of a channel's last message for the list: one's own begins with “You:”.
 *
 * @param {any} message a `Message`, or an event such as `lastMessage` of a channel
 * @param {Texts} t
 * @param {string} ownUserID
 * @param {{withSender?: boolean, nameOf?: NameOf}} [options] `withSender`: whether the message of somebody else begins
 *   with a name, as in groups and open channels
 * @returns {string} one line; empty without a message
 */
export function previewText(message, t, ownUserID, options = {}) {
  const { withSender = false, nameOf } = options;
  if (!message) return "";
  const isEvent = typeof message.event === "string";
  const isMessage = !isEvent || /^message\.(sent|announced|relayed)$/.test(message.event);
  if (!isMessage) return lineText(message, t, ownUserID, nameOf) ?? "";
  const content = isEvent ? message.body : message;
  if (content.recall) return t("preview.recalled");
  const notice = noticeText({ ...content, senderID: message.senderID }, t, ownUserID);
  if (notice) return notice;
  const said = contentText(content, t);
  const text = content.isForwarded ? t("preview.forwarded", { text: said }) : said;
  const { senderID } = message;
  if (senderID && senderID === ownUserID) return t("list.own", { text });
  const name = content.senderName;
  return withSender && senderID && name ? t("list.by", { name, text }) : text;
}

/**
 * The line for a message that only says what somebody did: took a screenshot, copied, passed on or saved a message.
 *
 * @param {{type?: string, senderID?: string, senderName?: string}} message
 * @param {Texts} t
 * @param {string} ownUserID
 * @returns {string | null} null for all other types
 */
export function noticeText(message, t, ownUserID) {
  const type = message.type ?? "";
  if (!Object.hasOwn(notices, type)) return null;
  if (message.senderID && message.senderID === ownUserID) return t(`${notices[type]}Own`);
  return t(notices[type], { name: message.senderName || message.senderID || t("server") });
}

/**
 * What stands in the place of a recalled message.
 *
 * @param {{byUserID?: string, byName: string, byRole?: "moderator" | "operator"}} recall
 * @param {Texts} t
 * @param {string} ownUserID
 * @returns {string}
 */
export function recalledText(recall, t, ownUserID) {
  if (!recall.byUserID) return t("recalled.expired");
  if (recall.byUserID === ownUserID) return t("recalled.own");
  return t(recall.byRole === "operator" ? "recalled.operator" : "recalled.by", { name: recall.byName });
}

/**
 * A call in one line: its kind, and how it ended.
 *
 * @param {{kind: string, result?: string, durationMs?: number}} call
 * @param {Texts} t
 * @param {(ms: number) => string} [durationText] for the length of an answered call
 * @returns {string}
 */
export function callText(call, t, durationText) {
  const kind = t(call.kind === "video" ? "call.video" : "call.voice");
  if (call.result === "answered") {
    const duration = call.durationMs != null && durationText?.(call.durationMs);
    return duration ? t("call.answered", { call: kind, duration }) : kind;
  }
  const key = `call.${call.result}`;
  const isKnown = /^(missed|declined|cancelled|failed)$/.test(call.result ?? "");
  return isKnown ? t(/** @type {Key} */ (key), { call: kind }) : kind;
}

/**
 * The line about who is typing.
 *
 * @param {readonly {name: string}[]} users
 * @param {Texts} t
 * @returns {string} empty if nobody types
 */
export function typingText(users, t) {
  const [first, second] = users.map(({ name }) => name);
  if (users.length === 0) return "";
  if (users.length === 1) return t("typing.one", { name: first });
  if (users.length === 2) return t("typing.two", { first, second });
  return t("typing.many", { first, second, count: users.length - 2 });
}

/**
 * An error as a sentence for people, with the next thing to try.
 *
 * @param {any} error a `RoostError`, or anything else that was thrown
 * @param {Texts} t
 * @returns {string} the text of its code and field, or of its code; if there is none, the server's own message, or a
 *   general sentence
 */
export function errorText(error, t) {
  const key = `error.${error?.name}`;
  // The last name of a path such as "options[1].text".
  const reason = `${key}.${/\w+(?=(\[\d+\])?$)/.exec(error?.field ?? "")?.[0]}`;
  for (const each of [reason, key]) if (t.has(each)) return t(/** @type {Key} */ (each));
  const isFromServer = typeof error?.code === "number" && error.code > 0 && error.constructor?.name !== "DOMException";
  return (isFromServer && oneLine(error.message)) || t("error.unknown");
}

/** @param {string} [text] */
function oneLine(text) {
  const line = (text ?? "").slice(0, 1000).replace(/\s+/g, " ").trim();
  // Half of a surrogate pair at the end goes.
  return line.length <= 300
    ? line.replace(/[\ud800-\udbff]$/, "")
    : `${line.slice(0, 299).replace(/[\ud800-\udbff]$/, "")}…`;
}
