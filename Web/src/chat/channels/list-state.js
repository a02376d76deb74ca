import { errorText } from "../../texts/texts.js";
import { h, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";

/** What stands below the conversations, or in their place: loading, nothing there, nothing found, a failure. */
export class ListState {
  /**
   * @param {import("../../roost.js").Client} client
   * @param {import("../../texts/texts.js").Texts} t
   * @param {{openNew: () => void, openBrowser: () => void}} actions what a user without conversations can begin with
   */
  constructor(client, t, actions) {
    this.#client = client;
    this.#t = t;
    this.#actions = actions;
    this.element = h("div", { class: "list-state", role: "status" });
  }

  #client;
  #t;
  #actions;
  #shown = "";

  /**
   * @param {{query: string, count: number, hasMore: boolean, hasOpen: boolean}} list `count` conversations are there or
   *   found; `hasMore` if not all of them are shown; `hasOpen` if open channels are shown above them
   * @returns {boolean} whether the list is loading
   */
  draw({ query, count, hasMore, hasOpen }) {
    const { list } = this.#client;
    const isLoading = !list.error && (list.isLoading || !list.hasLoaded || Boolean(query && list.isSearching));
    const state = list.error && (!count || !list.isComplete) ? `error ${list.error.name}`
      : isLoading && (!count || query) ? (count ? "more" : query ? "search" : "first")
      : isLoading || hasMore || (count && !list.isComplete && !query) ? "more"
      : count ? "" : query ? `none ${query}` : hasOpen ? "" : "empty";
    if (state !== this.#shown) this.#show(state, query, Boolean(count));
    this.#shown = state;
    return isLoading;
  }

  /**
   * @param {string} state
   * @param {string} query
   * @param {boolean} isBelow whether there are conversations above
   */
  #show(state, query, isBelow) {
    const { element } = this;
    const { list } = this.#client;
    const t = this.#t;
    const { openNew, openBrowser } = this.#actions;
    element.hidden = !state;
    element.classList.toggle("small", isBelow || state === "search");
    if (state === "first") {
      refill(element, h("span", { class: "visually-hidden" }, t("loading")));
      element.style.setProperty("display", "block");
      element.append(...Array.from({ length: 7 }, () => h("div", { class: "skeleton", "aria-hidden": "true" })));
      return;
    }
    element.style.removeProperty("display");
    if (state === "more" || state === "search") {
      refill(element, h("span", { class: "spinner" }), h("span", { class: "visually-hidden" }, t("loading")));
    } else if (list.error && state.startsWith("error")) {
      refill(element, h("span", null, errorText(list.error, t)),
        h("button", { type: "button", class: "button", onclick: () => list.loadMore() }, t("retry")));
    } else if (state.startsWith("none")) {
      refill(element, h("span", { dir: "auto" }, t("noneFound", { text: query })));
    } else if (state) {
      refill(element, icon("conversation"),
        h("strong", null, t("list.empty")), h("span", null, t("list.emptyHint")),
        h("div", { class: "actions" },
          h("button", { type: "button", class: "button primary", onclick: openNew }, t("list.new")),
          h("button", { type: "button", class: "button", onclick: openBrowser }, t("open.title"))));
    }
  }
}
