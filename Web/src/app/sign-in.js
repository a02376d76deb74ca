import "../ui/more-icons.js";
import { isUserID } from "../client/ids.js";
import { languages } from "../texts/texts.js";
import { avatar } from "../ui/avatar.js";
import { h, on, refill } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/**
 * @typedef {import("./kept-login.js").KeptLogin} KeptLogin
 * @typedef {{guest: {userID: string, name: string}} | {login: KeptLogin} | {token: string}} Identity who connects
 * @typedef {{guest: {userID: string, name: string}}
 *   | (({token: string} | {code: string} | {loginName: string, password: string, newName?: string}
 *     | {provider: import("./provider.js").ProviderAnswer})
 *     & {isTemporary?: boolean, identity?: {login: KeptLogin} | {token: string}})} Credentials what somebody signs in
 *   with; `newName` if the account is new, `isTemporary` if the browser must not keep it, `identity` is what an
 *   earlier try has got
 * @typedef {"guest" | "password" | "token"} Way
 * @typedef {import("../texts/texts.js").Texts} Texts
 */

/** @type {Record<Way, import("../texts/texts.js").Key>} */
const labels = { guest: "signIn.asGuest", password: "signIn.withPassword", token: "signIn.withToken" };

/**
 * The screen where the user signs in: as a guest if the server accepts guests, with a password if it has any, with a
 * token, at an identity provider, or as somebody whose login the browser keeps.
 */
export class SignInView {
  /**
   * @param {Texts} t
   * @param {{info: Promise<import("./server.js").Info | null>, guest?: {userID: string, name: string} | null,
   *   accounts: import("./accounts.js").Account[], onAccount: (account: import("./accounts.js").Account) => void,
   *   notice?: string, isBad?: boolean, language?: string, onLanguage: (language: string) => void,
   *   onSubmit: (credentials: Credentials) => Promise<string>, onProvider: () => Promise<string>}} options `guest`
   *   fills the fields; `notice` stands above them; `onSubmit` and `onProvider` resolve with what went wrong, or with
   *   an empty text
   */
  constructor(t, options) {
    this.#t = t;
    this.#options = options;
    const { guest, notice, isBad } = options;
    this.#notice = h("div", { role: "alert" });
    this.#say(notice ?? "", isBad ?? true);
    this.#userID = this.#field("userid", "signIn.userID", "signIn.userIDHint", {
      dir: "ltr", autocapitalize: "none", spellcheck: "false", autocomplete: "username", maxlength: "64",
      value: guest?.userID ?? "",
    });
    this.#name = this.#field("name", "signIn.name", "signIn.nameHint", {
      dir: "auto", autocomplete: "nickname", maxlength: "200", value: guest?.name ?? "",
    });
    this.#loginName = this.#field("loginname", "signIn.loginName", "signIn.loginNameHint", {
      dir: "ltr", autocapitalize: "none", spellcheck: "false", autocomplete: "username", maxlength: "254",
    });
    this.#password = this.#field("password", "signIn.password", "", {
      type: "password", dir: "ltr", autocomplete: "current-password", maxlength: "200",
    });
    this.#stay = h("input", { type: "checkbox", checked: true });
    this.#stayLine = h("label", { class: "check" }, this.#stay, h("span", null, t("signIn.stay"),
      h("span", { class: "hint block" }, t("signIn.stayHint"))));
    this.#token = this.#field("token", "signIn.token", "signIn.tokenHint", {
      dir: "ltr", autocapitalize: "none", spellcheck: "false", autocomplete: "off", rows: "4",
    }, "textarea");
    this.#submit = h("button", { type: "submit", class: "button primary" }, t("signIn.submit"));
    this.#fields = h("div", { class: "form", id: "sign-in-fields" });
    this.#tabs = h("div", { class: "tabs", role: "tablist", "aria-label": t("signIn.title") });
    this.#provider = h("div", { class: "form", hidden: true });
    this.#change = h("button", { type: "button", class: "button quiet", hidden: true, onclick: () => {
      this.#isNew = !this.#isNew;
      this.#say("", false);
      this.#show(this.#way);
      this.focus();
    } });
    this.#form = h("form", { class: "form", novalidate: true, "aria-label": t("signIn.title") },
      this.#fields, this.#submit, this.#change);
    /** The element to put into the page. */
    this.element = h(
      "main", { class: "screen" },
      h("div", { class: "card" },
        h("div", { class: "welcome" },
          h("img", { src: "web/app/icon.svg", alt: "" }),
          h("h1", null, t("app.name")), h("p", { class: "quiet-text" }, t("signIn.tagline"))),
        this.#notice, this.#accountButtons(), this.#provider, this.#tabs, this.#form,
        h("label", { class: "languages" }, icon("globe"), this.#languages())),
    );
    on(this.#form, "submit", (event) => {
      event.preventDefault();
      this.#submitted();
    });
    on(this.#tabs, "keydown", (event) => this.#tabKeyPressed(event));
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
  #loginName;
  #password;
  #stay;
  #stayLine;
  #token;
  #submit;
  #provider;
  /** Changes between logging in and a new account. */
  #change;
  #isNew = false;
  #allowsSignUp = false;
  /** @type {Way[]} */
  #ways = [];
  /** @type {Way} */
  #way = "token";
  #keepsLogins = false;
  /** Whether the notice is about what was entered. */
  #isTold = false;

  async #begin() {
    const t = this.#t;
    this.#form.hidden = this.#tabs.hidden = true;
    const info = await this.#options.info;
    this.#form.hidden = false;
    if (!info) {
      // Nothing is known of the server: all ways may work later.
      if (!this.#notice.firstChild) this.#say(t("signIn.unreachable"), true);
    }
    this.#keepsLogins = info?.keepsLogins ?? false;
    this.#allowsSignUp = info?.signUp ?? false;
    if (info?.provider) this.#showProvider(info.provider);
    this.#ways = [];
    if (info?.guests ?? true) this.#ways.push("guest");
    if (info?.passwords ?? !info) this.#ways.push("password");
    this.#ways.push("token");
    this.#tabs.hidden = this.#ways.length < 2;
    if (info?.guests && !this.#notice.firstChild) this.#say(t("signIn.devMode"), false);
    this.#show(this.#ways[0]);
    this.focus();
  }

  /** The choice of the language. */
  #languages() {
    const t = this.#t;
    const { language = "", onLanguage } = this.#options;
    const choice = h(
      "select", { "aria-label": t("settings.language"), onchange: () => onLanguage(choice.value) },
      [{ code: "", name: t("settings.languageAuto") }, ...languages].map(({ code, name }) =>
        h("option", { value: code, lang: code || null, selected: code === language }, name)),
    );
    return choice;
  }

  /** @param {KeyboardEvent} event */
  #tabKeyPressed(event) {
    if (!/^Arrow(Left|Right)$/.test(event.key)) return;
    event.preventDefault();
    const step = (event.key === "ArrowRight") === (this.#t.dir === "ltr") ? 1 : -1;
    const { length } = this.#ways;
    this.#show(this.#ways[(this.#ways.indexOf(this.#way) + step + length) % length]);
    /** @type {HTMLElement | null} */ (this.#tabs.querySelector('[aria-selected="true"]'))?.focus();
  }

  /** @param {string} host */
  #showProvider(host) {
    const t = this.#t;
    const button = h("button", { type: "button", class: "button primary", onclick: async () => {
      button.disabled = true;
      const problem = await this.#options.onProvider();
      button.disabled = false;
      if (problem) this.#say(problem, true);
    } }, t("signIn.withProvider", { host }));
    this.#provider.hidden = false;
    refill(this.#provider, [button, h("p", { class: "or quiet-text" }, t("signIn.or"))]);
    this.#submit.classList.remove("primary");
  }

  /** Those who are signed in already. */
  #accountButtons() {
    const { accounts, onAccount } = this.#options;
    if (!accounts.length) return null;
    return h("div", { class: "accounts", role: "group", "aria-label": this.#t("signIn.accounts") },
      accounts.map((account) => h(
        "button", { type: "button", class: "item", onclick: () => onAccount(account) },
        avatar({ id: account.userID, name: account.name }, { size: 32 }),
        h("span", { class: "grow" }, this.#t("signIn.continueAs", { name: account.name })))));
  }

  /** What is in the fields of a guest. */
  get guest() {
    return { userID: this.#userID.input.value, name: this.#name.input.value };
  }

  /** Moves the focus into the first field. */
  focus() {
    /** @type {HTMLElement | null} */ (this.#fields.querySelector("input, textarea"))?.focus({ preventScroll: true });
  }

  /**
   * @param {string} id
   * @param {import("../texts/texts.js").Key} label
   * @param {import("../texts/texts.js").Key | ""} hint
   * @param {any} properties
   * @param {"input" | "textarea"} [tag]
   */
  #field(id, label, hint, properties, tag = "input") {
    const input = h(tag, { class: "input", id, name: id, "aria-describedby": `${id}-hint`, required: true,
      ...(tag === "input" && { type: "text" }), ...properties });
    const note = h("span", { class: "hint", id: `${id}-hint` }, hint && this.#t(hint));
    // The hint describes the field; in its label it would be read twice.
    const element = h("div", { class: "field" }, h("label", { class: "label", for: id }, this.#t(label)), input, note);
    /** @param {import("../texts/texts.js").Key | ""} changed */
    const setHint = (changed) => {
      hint = changed;
      mark("");
    };
    /** @param {import("../texts/texts.js").Key | ""} problem */
    const mark = (problem) => {
      const key = problem || hint;
      note.textContent = key && this.#t(key);
      note.className = problem ? "error-text" : "hint";
      if (problem) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    };
    on(input, "input", () => mark(""));
    return { element, input, mark, setHint };
  }

  /** @param {Way} way */
  #show(way) {
    // What was wrong with the other way is no news here.
    if (way !== this.#way && this.#notice.classList.contains("bad") && this.#isTold) this.#say("", false);
    this.#way = way;
    const t = this.#t;
    refill(this.#tabs, this.#ways.map((each) => h("button", {
      type: "button", role: "tab", "aria-selected": String(each === way), "aria-controls": "sign-in-fields",
      tabindex: each === way ? "0" : "-1",
      onclick: () => {
        this.#show(each);
        this.focus();
      },
    }, t(labels[each]))));
    if (!this.#tabs.hidden) {
      this.#fields.setAttribute("role", "tabpanel");
      this.#fields.setAttribute("aria-label", t(labels[way]));
    }
    this.#stayLine.hidden = !this.#keepsLogins;
    const isNew = way === "password" && this.#isNew;
    this.#change.hidden = way !== "password" || !this.#allowsSignUp;
    this.#change.textContent = t(isNew ? "signIn.haveAccount" : "signIn.create");
    this.#submit.textContent = t(isNew ? "signIn.createSubmit" : "signIn.submit");
    this.#password.input.setAttribute("autocomplete", isNew ? "new-password" : "current-password");
    this.#loginName.setHint(isNew ? "signIn.newLoginNameHint" : "signIn.loginNameHint");
    this.#password.setHint(isNew ? "signIn.newPasswordHint" : "");
    refill(this.#fields, {
      guest: [this.#userID.element, this.#name.element],
      password: [isNew && this.#name.element, this.#loginName.element, this.#password.element, this.#stayLine],
      token: [this.#token.element, this.#stayLine],
    }[way]);
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
    const loginName = this.#loginName.input.value.trim();
    const password = this.#password.input.value;
    const isNew = this.#way === "password" && this.#isNew;
    /** @type {Record<Way, [any, boolean, import("../texts/texts.js").Key][]>} */
    const checks = {
      guest: [[this.#userID, isUserID(userID), "signIn.userIDInvalid"]],
      password: [
        [this.#loginName, loginName.length > 0, "signIn.loginNameMissing"],
        [this.#loginName, !isNew || !/[@+\s]/u.test(loginName), "signIn.loginNameInvalid"],
        [this.#password, password.length > 0, "signIn.passwordMissing"],
        [this.#password, !isNew || new TextEncoder().encode(password).length >= 8, "signIn.passwordShort"],
      ],
      token: [[this.#token, token.length > 0, "signIn.tokenMissing"]],
    };
    for (const [field, isRight, problem] of checks[this.#way]) {
      if (isRight) continue;
      field.mark(problem);
      return field.input.focus();
    }
    this.#submit.disabled = true;
    this.#submit.textContent = t(isNew ? "signIn.createBusy" : "signIn.busy");
    this.#say("", false);
    const isTemporary = !this.#stay.checked;
    const problem = await this.#options.onSubmit({
      guest: { guest: { userID, name: name || userID } },
      password: { loginName, password, isTemporary, ...(isNew && { newName: name || loginName }) },
      token: { token, isTemporary },
    }[this.#way]);
    this.#submit.disabled = false;
    this.#submit.textContent = t(isNew ? "signIn.createSubmit" : "signIn.submit");
    if (problem) {
      this.#say(problem, true);
      this.#isTold = true;
      this.focus();
    }
  }
}
