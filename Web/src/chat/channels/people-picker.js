import { avatar } from "../../ui/avatar.js";
import { h, on, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { byActivity, isMessage, isUserID } from "../../client/for-views.js";
import { errorText } from "../../texts/texts.js";

/**
 * @typedef {import("../../roost.js").Client} Client
 * @typedef {import("../../texts/texts.js").Texts} Texts
 * @typedef {import("../../texts/texts.js").Key} Key
 * @typedef {{userID: string, name: string, imageURL?: string}} Person
 */

/**
 * The other members of the user's conversations, those with the newest activity first.
 *
 * @param {Client} client
 * @param {Set<string>} [without] ids of users to leave out
 * @returns {Person[]} at most 500
 */
export function knownPeople(client, without) {
  /** @type {Map<string, Person>} */
  const people = new Map();
  for (const { members } of client.list.channels) {
    for (const { userID, name, imageURL } of members) {
      if (userID === client.user.userID || without?.has(userID) || people.has(userID)) continue;
      people.set(userID, { userID, name, imageURL });
      if (people.size === 500) return [...people.values()];
    }
  }
  return [...people.values()];
}

/**
 * A row of a person: picture, name and user id.
 *
 * @param {Client} client
 * @param {Person} person
 * @returns {Node[]}
 */
export const personParts = (client, { userID, name, imageURL }) => [
  avatar({ id: userID, name, imageURL }, { size: 36, resolve: (url) => client.imageURL(url) }),
  h("span", { class: "grow" },
    h("bdi", null, name), name !== userID && h("bdi", { class: "hint", dir: "ltr" }, userID)),
];

/** After so long a pause, in ms, the server is asked for what is typed. */
const pause = 300;
/** In so many open channels those who wrote last are offered. */
const maxOpen = 5;
/** Servers that look nobody up by login name. @type {WeakSet<Client>} */
const withoutNames = new WeakSet();

/**
 * Looks up a user by the whole user id or login name.
 *
 * @param {Client} client
 * @param {string} text
 * @returns {Promise<Person[]>} rejects with a `RoostError`
 */
export async function findPeople(client, text) {
  const userIDs = isUserID(text) ? [text] : [];
  try {
    if (!withoutNames.has(client)) {
      return (await client.read("user.find", { ...(userIDs.length && { userIDs }), loginNames: [text] })).users;
    }
  } catch (error) {
    // The operator may have switched login names off, and users may look up only so many in an hour.
    const { name } = /** @type {import("../../client/errors.js").RoostError} */ (error);
    if (name === "functionUnavailable") withoutNames.add(client);
    else if (name !== "dataFormat" && name !== "tooManyRequests") throw error;
  }
  return userIDs.length ? (await client.read("user.get", { userIDs })).users : [];
}

/**
 * Who has written in the open channels where the user is: nobody has a list of those who are there.
 *
 * @param {Client} client
 * @returns {Promise<Person[]>}
 */
async function peopleOfOpenChannels(client) {
  const channels = [...client.channels.values()].filter(({ kind }) => kind === "open").sort(byActivity);
  const pages = await Promise.all(channels.slice(0, maxOpen).map(({ channel }) =>
    client.read("message.list", { channel, limit: 100, onlyShown: true }).catch(() => null)));
  const messages = pages.flatMap((page) => (page?.events ?? []).filter(isMessage).reverse());
  /** @type {Map<string, Person>} */
  const people = new Map();
  for (const { senderID = "", body } of messages) {
    if (!senderID || people.has(senderID)) continue;
    people.set(senderID, { userID: senderID, name: body.senderName ?? senderID, imageURL: body.senderImageURL });
  }
  return [...people.values()];
}

/**
 * A field for the name of a user: below it are the people that one knows and those who wrote in open channels, filtered
 * by what is typed, and whom the server finds by the whole login name or user id.
 */
export class PeoplePicker {
  /**
   * @param {Client} client
   * @param {Texts} t
   * @param {{label: string, hint: string, action: string, without?: Set<string>,
   *   pick: (person: Person) => void}} options `action` is the button beside the field; `pick`
   *   gets each person who is chosen and known to the server
   */
  constructor(client, t, { label, hint, action, without, pick }) {
    this.#client = client;
    this.#t = t;
    this.#pick = pick;
    this.#people = knownPeople(client, without);
    this.#without = new Set([client.user.userID, ...without ?? []]);
    /**
     * The ids of those who are not offered any more.
     *
     * @type {Set<string>}
     */
    this.chosen = new Set();
    const id = `people-${Math.random().toString(36).slice(2)}`;
    /** The field for an id. */
    this.input = h("input", {
      class: "input", type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "200",
      dir: "auto", "aria-describedby": id, autofocus: true,
    });
    this.#note = h("span", { class: "hint", id, role: "status" }, hint);
    this.#hint = hint;
    this.#list = h("div", { class: "people" });
    const field = h("label", { class: "field" }, h("span", null, label), this.input, this.#note);
    this.element = h(
      "form", { class: "people", novalidate: true },
      h("div", { class: "with-button picker" }, field), this.#list,
    );
    this.#button = h("button", { type: "submit", class: "button primary" }, action);
    field.after(this.#button);
    on(this.input, "input", () => {
      this.#say("");
      this.#found = [];
      this.#draw();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#look().catch(() => {}), pause);
    });
    on(this.element, "submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#draw();
    peopleOfOpenChannels(client).then((people) => {
      const known = new Set(this.#people.map(({ userID }) => userID));
      this.#strangers = people.filter(({ userID }) => !known.has(userID) && !this.#without.has(userID));
      this.#draw();
    }, () => {});
  }

  #client;
  #t;
  #pick;
  #people;
  #note;
  #hint;
  #list;
  #button;
  #without;
  /** @type {Person[]} Who wrote in open channels. */
  #strangers = [];
  /** @type {Person[]} Whom the server has found. */
  #found = [];
  #timer = 0;

  /** Clears the field and offers everybody again who is not chosen. */
  reset() {
    clearTimeout(this.#timer);
    this.input.value = "";
    this.#found = [];
    this.#say("");
    this.#draw();
  }

  /** @param {string} problem empty for none */
  #say(problem) {
    this.#note.textContent = problem || this.#hint;
    this.#note.className = problem ? "error-text" : "hint";
    if (problem) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }

  #draw() {
    const t = this.#t;
    const text = this.input.value.trim().toLocaleLowerCase();
    const shown = new Set(this.chosen);
    /**
     * @param {Key} title
     * @param {Person[]} people
     */
    const section = (title, people) => {
      const offered = people.filter(({ userID }) => !shown.has(userID)).slice(0, 30);
      for (const { userID } of offered) shown.add(userID);
      return offered.length && [
        h("h3", { class: "section-title" }, t(title)),
        offered.map((person) => h(
          "button", { type: "button", class: "person", "data-user": person.userID,
            onclick: () => this.#choose(person) },
          personParts(this.#client, person), icon("add"))),
      ];
    };
    const isFitting = (/** @type {Person} */ { userID, name }) =>
      userID.toLowerCase().includes(text) || name.toLocaleLowerCase().includes(text);
    const known = this.#people.filter(isFitting);
    refill(this.#list, section("new.people", known) || null,
      section("new.found", this.#offered) || null,
      section("new.fromOpen", this.#strangers.filter(isFitting)) || null);
    this.#mark(text);
  }

  /**
   * Marks whom the Enter key takes: the only one, or whom the server finds by the whole id or login name, who is meant
   * even if others contain it.
   *
   * @param {string} text
   */
  #mark(text) {
    const found = this.#offered;
    const shown = [...this.#list.querySelectorAll("button")];
    const marked = !text ? undefined : shown.length === 1 ? shown[0] :
      found.length === 1 ? shown.find(({ dataset }) => dataset.user === found[0].userID) : undefined;
    marked?.setAttribute("aria-current", "true");
  }

  /** Whom the server has found, without those who cannot be chosen. */
  get #offered() {
    return this.#found.filter(({ userID }) => !this.#without.has(userID) && !this.chosen.has(userID));
  }

  /** @param {Person} person */
  #choose(person) {
    clearTimeout(this.#timer);
    this.#pick(person);
  }

  /** Asks the server for what is typed now. */
  async #look() {
    clearTimeout(this.#timer);
    const text = this.input.value.trim();
    if (!text) return;
    const found = await findPeople(this.#client, text);
    if (this.input.value.trim() !== text) return;
    this.#found = found;
    this.#draw();
  }

  async #submit() {
    const text = this.input.value.trim();
    if (!text) return this.input.focus();
    this.#button.disabled = true;
    try {
      await this.#look();
      const marked = /** @type {HTMLElement | null} */ (this.#list.querySelector("[aria-current]"));
      if (marked) return marked.click();
      if (!this.#list.querySelector("button")) this.#say(this.#t("error.userMissing"));
    } catch (error) {
      this.#say(errorText(error, this.#t));
    } finally {
      this.#button.disabled = false;
    }
    this.input.focus();
  }
}
