import { h, on, refill, setText } from "../../ui/dom.js";

const names = /** @type {const} */ ([
  "emoji.toneNone", "emoji.toneLight", "emoji.toneMediumLight", "emoji.toneMedium", "emoji.toneMediumDark",
  "emoji.toneDark"]);

/** The choice of the skin tone in the emoji picker: a button, and a row of tones that it shows. */
export class ToneChoice {
  /**
   * @param {import("../../texts/texts.js").Texts} t
   * @param {typeof import("./emoji-search.js")} search
   * @param {() => void} onchange
   */
  constructor(t, search, onchange) {
    this.#t = t;
    this.#search = search;
    this.tone = search.keptTone();
    this.#onchange = onchange;
    this.button = h("button", { type: "button", class: "emoji", "aria-expanded": "false",
      "aria-label": t("emoji.tone"), title: t("emoji.tone") });
    this.row = h("div", { class: "emoji-tones", role: "radiogroup", "aria-label": t("emoji.tone"), hidden: true });
    on(this.button, "click", () => this.show(this.row.hidden));
    this.#draw();
  }

  #t;
  #search;
  #onchange;

  /** @param {boolean} isShown */
  show(isShown) {
    this.row.hidden = !isShown;
    this.button.setAttribute("aria-expanded", `${isShown}`);
    (isShown ? /** @type {HTMLElement} */ (this.row.querySelector("[aria-checked='true']")) : this.button).focus();
  }

  #draw() {
    const t = this.#t;
    const { tones, keepTone } = this.#search;
    setText(this.button, `✋${this.tone}`);
    refill(this.row, tones.map((each, index) => h("button", {
      type: "button", class: "emoji", role: "radio", "aria-checked": `${each === this.tone}`,
      tabindex: each === this.tone ? "0" : "-1", "aria-label": t(names[index]), title: t(names[index]),
      onclick: () => {
        this.tone = each;
        keepTone(each);
        this.#draw();
        this.show(false);
        this.#onchange();
      },
    }, `✋${each}`)));
  }
}
