/**
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {import("./texts.js").Key} Key
 * @typedef {import("../client/types.js").Row | import("../client/types.js").OwnRow} Row
 * @typedef {import("../client/protocol.js").RowBodies} Bodies
 * @typedef {(userID: string) => string | null | undefined} NameOf gives the name to show, if it is known
 */

/**
 * The text of a server line, without a full stop: who joined, left, has another role, or changed a setting.
 *
 * @param {Row} event
 * @param {Texts} t
 * @param {string} ownUserID
 * @param {NameOf} [nameOf] for the users of whom the event has only the id; without it, the id is shown
 * @returns {string | null} null for messages, reactions, typing and whatever else is no line
 */
export function lineText(event, t, ownUserID, nameOf) {
  const lines = new Lines(event, t, ownUserID, nameOf).all();
  return lines.length ? t.list(lines) : null;
}

/** The settings of a channel, in the order of a line. */
const settings = ["title", "customAttributes", "avatar", "background", "canJoin", "editors", "history", "minMembers",
  "maxMembers", "moderatorsMayRecall", "noticesForwards", "pinners"];

class Lines {
  /**
   * @param {Row} event
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
    const { event } = this;
    switch (event.event) {
      case "channel.joined": {
        const { reason, title, channel } = event.body;
        return reason === "created" ? [this.by("line.created", { title: title || channel })] : [];
      }
      case "news.created":
        return [this.t("line.newsBegins", { title: event.body.title })];
      case "channel.dismissed":
        return [this.by("line.dismissed", {}, event.body.byName)];
      case "member.invited": {
        const { members, invited } = event.body;
        return [
          ...(members?.length ? [this.joined(members)] : []),
          ...(invited?.length ? [this.named("line.invited", invited)] : []),
        ];
      }
      case "member.joined": {
        const { member, isAnswer } = event.body;
        return [isAnswer ? this.of(member, "line.accepted", "line.acceptedOwn") : this.joined([member])];
      }
      case "member.left":
        return [this.left(event.body)];
      case "member.kicked":
        return [this.named("line.removed", event.body.members)];
      case "member.banned":
        return [this.named("line.banned", event.body.members)];
      case "member.roleChanged":
        return event.body.members.map((member) => this.role(member));
      case "member.profileChanged":
        return [this.profile(event.body)];
      case "channel.profileChanged":
        return [this.settings(event.body.profile ?? {})];
      case "vote.closed":
        return [this.voteClosed(event.body)];
      case "pin.added":
        return [this.by("line.pinned", {}, event.body.byName)];
      default:
        return [];
    }
  }

  /** How many members the channel has now, as text. */
  get members() {
    const { body } = this.event;
    return this.t("count.members", { count: ("memberCount" in body && body.memberCount) || 0 });
  }

  /** @param {string} userID */
  name(userID) {
    return this.nameOf?.(userID) || userID;
  }

  /**
   * What the event's sender did. The key with `Own` at its end is for oneself.
   *
   * @param {"line.created" | "line.dismissed" | "line.title" | "line.picture" | "line.settings" |
   *   "line.voteClosed" | "line.pinned"} key
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

  /** @param {Bodies["member.left"]} body */
  left({ userID, name, successor }) {
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

  /** @param {Bodies["member.profileChanged"]} body */
  profile({ member, hasNickname, hasChannelImage }) {
    if (!hasNickname && !hasChannelImage) return this.of(member, "line.memberUsual", "line.memberUsualOwn");
    if (!hasNickname) return this.of(member, "line.memberPicture", "line.memberPictureOwn");
    const { userID: user, name } = member;
    return user === this.ownUserID ? this.t("line.renamedOwn", { name }) : this.t("line.renamed", { user, name });
  }

  /** @param {Record<string, any>} profile */
  settings(profile) {
    const names = settings.filter((name) => profile[name] !== undefined);
    if (names.length === 1 && profile.title) return this.by("line.title", { title: profile.title });
    if (names.length === 1 && profile.avatar) return this.by("line.picture", {});
    const lines = names.flatMap((name) => this.setting(name, profile));
    if (lines.length) return this.by("line.settings", { settings: this.t.list(lines) });
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
      case "pinners":
        return [t(value === "moderators" ? "setting.pinners.moderators" : "setting.pinners.participants")];
      default:
        return [];
    }
  }

  /** @param {Bodies["vote.closed"]} body */
  voteClosed({ tally, byName }) {
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
