import { isUserID } from "../client/ids.js";
import { languages } from "../texts/texts.js";
import { h, on, refill } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/**
 * @typedef {{token: string} | {guest: {userID: string, name: string}}} Credentials
 * @typedef {import("../texts/texts.js").Texts} Texts
 */

/**
 * The screen where the user signs in: as a guest if the server accepts guests, otherwise with a token.
 */
export class SignInView {
  /**
   * @param {Texts} t
   * @param {{info: Promise<{guests: boolean} | null>, guest?: {userID: string, name: string} | null, notice?: string,
   *   isBad?: boolean, language?: string, onLanguage: (language: string) => void,
   *   onSubmit: (credentials: Credentials) => Promise<string>}} options `guest` fills the fields; `notice` stands above
   *   them; `onSubmit` resolves with what went wrong, or with an empty text
   */
  constructor(t, options) {
    this.#t = t;
    this.#options = options;
    const { guest, notice, isBad, language = "", onLanguage } = options;
    this.#notice = h("div", { role: "alert" });
    this.#say(notice ?? "", isBad ?? true);
    this.#userID = this.#field("userid", "signIn.userID", "signIn.userIDHint", {
      dir: "ltr", autocapitalize: "none", spellcheck: "false", autocomplete: "username", maxlength: "64",
      value: guest?.userID ?? "",
    });
    this.#name = this.#field("name", "signIn.name", "signIn.nameHint", {
      dir: "auto", autocomplete: "nickname", maxlength: "200", value: guest?.name ?? "",
    });
    this.#token = this.#field("token", "signIn.token", "signIn.tokenHint", {
      dir: "ltr", autocapitalize: "none", spellcheck: "false", autocomplete: "off", rows: "4",
    }, "textarea");
    this.#submit = h("button", { type: "submit", class: "button primary" }, t("signIn.submit"));
    this.#fields = h("div", { class: "form", id: "sign-in-fields" });
    this.#tabs = h("div", { class: "tabs", role: "tablist", "aria-label": t("signIn.title") });
    this.#form = h("form", { class: "form", novalidate: true, "aria-label": t("signIn.title") },
      this.#fields, this.#submit);
    const choice = h(
      "select", { "aria-label": t("settings.language"), onchange: () => onLanguage(choice.value) },
      [{ code: "", name: t("settings.languageAuto") }, ...languages].map(({ code, name }) =>
        h("option", { value: code, lang: code || null, selected: code === language }, name)),
    );
    /** The element to put into the page. */
    this.element = h(
      "main", { class: "screen" },
      h("div", { class: "card" },
        h("div", { class: "welcome" },
          h("img", { src: "web/app/icon.svg", alt: "" }),
          h("h1", null, t("app.name")), h("p", { class: "quiet-text" }, t("signIn.tagline"))),
        this.#notice, this.#tabs, this.#form, h("label", { class: "languages" }, icon("globe"), choice)),
    );
    on(this.#form, "submit", (event) => {
      event.preventDefault();
      this.#submitted();
    });
    on(this.#tabs, "keydown", (event) => {
      if (!/^Arrow(Left|Right)$/.test(event.key)) return;
      event.preventDefault();
      this.#show(!this.#isGuest);
      /** @type {HTMLElement | null} */ (this.#tabs.querySelector('[aria-selected="true"]'))?.focus();
    });
    this.#begin();
  }

  #t;
  #options;
  #notice;
  #tabs;
  #form;
  #fields;
  #userID;
  #name;
  #token;
  #submit;
  #isGuest = false;

  async #begin() {
    const t = this.#t;
    this.#form.hidden = this.#tabs.hidden = true;
    const info = await this.#options.info;
    this.#form.hidden = false;
    if (!info) {
      // Nothing is known of the server: both ways may work later.
      if (!this.#notice.firstChild) this.#say(t("signIn.unreachable"), true);
    }
    const hasGuests = info?.guests ?? true;
    this.#tabs.hidden = !hasGuests;
    if (info?.guests && !this.#notice.firstChild) this.#say(t("signIn.devMode"), false);
    this.#show(hasGuests);
    this.focus();
  }

  /** Moves the focus into the first field. */
  focus() {
    /** @type {HTMLElement | null} */ (this.#fields.querySelector("input, textarea"))?.focus({ preventScroll: true });
  }

  /**
   * @param {string} id
   * @param {import("../texts/texts.js").Key} label
   * @param {import("../texts/texts.js").Key} hint
   * @param {any} properties
   * @param {"input" | "textarea"} [tag]
   */
  #field(id, label, hint, properties, tag = "input") {
    const input = h(tag, { class: "input", id, name: id, "aria-describedby": `${id}-hint`, required: true,
      ...(tag === "input" && { type: "text" }), ...properties });
    const note = h("span", { class: "hint", id: `${id}-hint` }, this.#t(hint));
    const element = h("label", { class: "field", for: id }, h("span", null, this.#t(label)), input, note);
    /** @param {import("../texts/texts.js").Key | ""} problem */
    const mark = (problem) => {
      note.textContent = this.#t(problem || hint);
      note.className = problem ? "error-text" : "hint";
      if (problem) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    };
    on(input, "input", () => mark(""));
    return { element, input, mark };
  }

  /** @param {boolean} isGuest */
  #show(isGuest) {
    this.#isGuest = isGuest;
    const t = this.#t;
    /**
     * @param {string} label
     * @param {boolean} forGuest
     */
    const tab = (label, forGuest) => h("button", {
      type: "button", role: "tab", "aria-selected": String(forGuest === isGuest), "aria-controls": "sign-in-fields",
      tabindex: forGuest === isGuest ? "0" : "-1",
      onclick: () => {
        this.#show(forGuest);
        this.focus();
      },
    }, label);
    refill(this.#tabs, tab(t("signIn.asGuest"), true), tab(t("signIn.withToken"), false));
    if (!this.#tabs.hidden) {
      this.#fields.setAttribute("role", "tabpanel");
      this.#fields.setAttribute("aria-label", t(isGuest ? "signIn.asGuest" : "signIn.withToken"));
    }
    refill(this.#fields, isGuest ? [this.#userID.element, this.#name.element] : this.#token.element);
  }

  /**
   * @param {string} text
   * @param {boolean} isBad
   */
  #say(text, isBad) {
    this.#notice.className = text ? `notice ${isBad ? "bad" : ""}` : "";
    refill(this.#notice, text ? [icon(isBad ? "warning" : "info"), h("span", null, text)] : null);
  }

  async #submitted() {
    const t = this.#t;
    const userID = this.#userID.input.value.trim();
    const name = this.#name.input.value.trim();
    const token = this.#token.input.value.trim();
    /** @type {[any, boolean, import("../texts/texts.js").Key][]} */
    const checks = this.#isGuest
      ? [[this.#userID, isUserID(userID), "signIn.userIDInvalid"]]
      : [[this.#token, token.length > 0, "signIn.tokenMissing"]];
    for (const [field, isRight, problem] of checks) {
      if (isRight) continue;
      field.mark(problem);
      return field.input.focus();
    }
    this.#submit.disabled = true;
    this.#submit.textContent = t("signIn.busy");
    this.#say("", false);
    const guest = { userID, name: name || userID };
    const problem = await this.#options.onSubmit(this.#isGuest ? { guest } : { token });
    this.#submit.disabled = false;
    this.#submit.textContent = t("signIn.submit");
    if (problem) {
      this.#say(problem, true);
      this.focus();
    }
  }
}
