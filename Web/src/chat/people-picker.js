import { avatar } from "../ui/avatar.js";
import { h, on, refill } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { isUserID } from "../client/ids.js";
import { errorText } from "../texts/lines.js";

/**
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("../texts/texts.js").Texts} Texts
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

/**
 * A field for the id of a user, with the people that one knows below it, filtered by what is typed.
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
    /**
     * The ids of those who are not offered any more.
     *
     * @type {Set<string>}
     */
    this.chosen = new Set();
    const id = `people-${Math.random().toString(36).slice(2)}`;
    /** The field for an id. */
    this.input = h("input", {
      class: "input", type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "64",
      dir: "ltr", "aria-describedby": id, autofocus: true,
    });
    this.#note = h("span", { class: "hint", id, role: "status" }, hint);
    this.#hint = hint;
    this.#list = h("div", { class: "people" });
    this.#title = h("h3", { class: "section-title" }, t("new.people"));
    const field = h("label", { class: "field" }, h("span", null, label), this.input, this.#note);
    this.element = h(
      "form", { class: "people", novalidate: true },
      h("div", { class: "with-button picker" }, field), this.#title, this.#list,
    );
    this.#button = h("button", { type: "submit", class: "button primary" }, action);
    field.after(this.#button);
    on(this.input, "input", () => {
      this.#say("");
      this.#draw();
    });
    on(this.element, "submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#draw();
  }

  #client;
  #t;
  #pick;
  #people;
  #note;
  #hint;
  #list;
  #title;
  #button;

  /** Clears the field and offers everybody again who is not chosen. */
  reset() {
    this.input.value = "";
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
    const text = this.input.value.trim().toLocaleLowerCase();
    const offered = this.#people
      .filter(({ userID, name }) => !this.chosen.has(userID) &&
        (userID.toLowerCase().includes(text) || name.toLocaleLowerCase().includes(text)))
      .slice(0, 30);
    this.#title.hidden = !offered.length;
    refill(this.#list, offered.map((person) => h(
      "button", { type: "button", class: "person", onclick: () => this.#pick(person) },
      personParts(this.#client, person), icon("add"),
    )));
  }

  async #submit() {
    const userID = this.input.value.trim();
    if (!isUserID(userID)) {
      this.#say(this.#t("signIn.userIDInvalid"));
      return this.input.focus();
    }
    this.#button.disabled = true;
    try {
      const { users } = await this.#client.read("user.get", { userIDs: [userID] });
      if (users.length) return this.#pick(users[0]);
      this.#say(this.#t("error.userMissing"));
    } catch (error) {
      this.#say(errorText(error, this.#t));
    } finally {
      this.#button.disabled = false;
    }
    this.input.focus();
  }
}
