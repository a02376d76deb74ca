import { h, on } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";

/** The field above the list, in which a part of a name is searched. */
export class ListSearch {
  /**
   * @param {import("../../texts/texts.js").Texts} t
   * @param {{onsearch: () => void, onclear: () => void, onenter: () => void, ondown: () => void,
   *   signal: AbortSignal}} options `onsearch` is called when the text is another one, `onclear` after Escape,
   *   `onenter` to open what was found first, and `ondown` to go to the list
   */
  constructor(t, { onsearch, onclear, onenter, ondown, signal }) {
    this.#input = h("input", { class: "input", type: "search", placeholder: t("list.search"), enterkeyhint: "search",
      "aria-label": t("list.search"), autocomplete: "off" });
    this.element = h("label", { class: "search" }, icon("search"), this.#input);
    on(this.#input, "input", onsearch, signal);
    on(this.#input, "keydown", (event) => {
      if (event.key === "ArrowDown") {
        event.preventDefault();
        ondown();
      } else if (event.key === "Enter" && this.query && !event.isComposing) {
        onenter();
      } else if (event.key === "Escape" && this.#input.value) {
        event.stopPropagation();
        this.#input.value = "";
        onclear();
      }
    }, signal);
  }

  #input;

  /** What is searched; empty if nothing is. */
  get query() {
    return this.#input.value.trim();
  }

  /** Whether nothing is in the field, not even a space. */
  get isEmpty() {
    return !this.#input.value;
  }

  /** @param {FocusOptions} [options] */
  focus(options) {
    this.#input.focus(options);
  }

  /** Moves the focus into the field, and marks what is in it. */
  select() {
    this.#input.focus();
    this.#input.select();
  }
}
