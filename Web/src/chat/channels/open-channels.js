import "../../texts/more.js";
import { avatar } from "../../ui/avatar.js";
import { openDialog } from "../../ui/dialog.js";
import { h, on, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { isChannelID } from "../../client/for-views.js";
import { errorText } from "../../texts/texts.js";
import { adoptListStyles } from "../styles/list-styles.js";

const pageRows = 30;
/** How long the user pauses before a search begins, in ms. */
const searchPause = 250;

/**
 * Opens the dialog with all open channels, and the channels for news: search, join, subscribe. Who may make open
 * channels can make one by its id.
 *
 * @param {Node & ParentNode} root
 * @param {{client: import("../../roost.js").Client, t: import("../../texts/texts.js").Texts, isDev?: boolean,
 *   onSelect: (channel: string) => void, onFailure: (error: unknown) => void}} options
 */
export function openBrowser(root, { client, t, isDev, onSelect, onFailure }) {
  adoptListStyles(root);
  const search = h("input", { class: "input", type: "search", placeholder: t("open.search"), autocomplete: "off",
    "aria-label": t("open.search"), autofocus: true, maxlength: "64" });
  const rows = h("ul", { class: "people", role: "list", "aria-label": t("open.title") });
  const state = h("div", { class: "list-state small", role: "status" });
  const more = h("button", { type: "button", class: "button" }, t("loadMore"));
  const news = h("ul", { class: "people", role: "list", "aria-label": t("news.title") });
  const newsTitle = h("h3", { class: "section-title" }, t("news.title"));
  const canMake = isDev || client.isOperator || Boolean(client.options.guest);
  /** @type {string | undefined} */
  let next;
  let asked = 0;

  /** @param {string} channel */
  const choose = (channel) => {
    dialog.close();
    onSelect(channel);
  };

  /** @param {any} channel */
  const row = ({ channel, title, memberCount, profile }) => h(
    "li", null,
    h("button", { type: "button", class: "person", onclick: () => choose(channel),
      "aria-label": `${t("open.joinNamed", { title: title || channel })}, ${t("count.here", { count: memberCount })}` },
    avatar({ id: channel, name: title || channel, imageURL: profile?.avatar },
      { size: 40, resolve: (url) => client.imageURL(url) }),
    h("span", { class: "grow" }, h("bdi", { class: "ellipsis" }, title || channel),
      h("span", { class: "hint" }, t("count.here", { count: memberCount }))),
    h("span", { class: "role" }, t("open.join"))),
  );

  /** @param {boolean} isFirst */
  const load = async (isFirst) => {
    const number = (asked += 1);
    const keyword = search.value.trim();
    if (isFirst) next = undefined;
    state.hidden = false;
    refill(state, h("span", { class: "spinner" }), h("span", { class: "visually-hidden" }, t("loading")));
    more.hidden = true;
    try {
      const page = await client.read("channel.listOpen", {
        limit: pageRows, ...(keyword && { keyword }), ...(next && { cursor: next }),
      });
      if (number !== asked) return;
      if (isFirst) rows.replaceChildren();
      const first = page.channels.length;
      rows.append(...page.channels.map(row));
      next = page.next;
      more.hidden = !next;
      const added = rows.children[rows.children.length - first];
      if (!isFirst) added?.querySelector("button")?.focus();
      state.hidden = rows.childElementCount > 0;
      refill(state, keyword ? t("noneFound", { text: keyword }) : t("open.empty"));
    } catch (error) {
      if (number !== asked) return;
      refill(state, errorText(error, t),
        h("button", { type: "button", class: "button", onclick: () => load(isFirst) }, t("retry")));
    }
  };

  const loadNews = async () => {
    try {
      const { channels } = await client.read("news.list", { limit: 100 });
      newsTitle.hidden = news.hidden = !channels.length;
      refill(news, channels.map(newsRow));
    } catch {
      // What is there to see is only less.
      newsTitle.hidden = news.hidden = true;
    }
  };

  /** @param {any} channel */
  const newsRow = ({ channel, title, subscriberCount, isSubscribed, profile }) => {
    const subscribe = async () => {
      if (isSubscribed) return choose(channel);
      try {
        await client.perform("member.join", { channel });
        choose(channel);
      } catch (error) {
        onFailure(error);
      }
    };
    return h(
      "li", null,
      h("button", { type: "button", class: "person", onclick: subscribe },
        avatar({ id: channel, name: title, imageURL: profile?.avatar },
          { size: 40, resolve: (url) => client.imageURL(url) }),
        h("span", { class: "grow" }, h("bdi", { class: "ellipsis" }, title),
          h("span", { class: "hint" }, t("count.subscribers", { count: subscriberCount }))),
        h("span", { class: "role" }, t(isSubscribed ? "news.subscribed" : "news.subscribe"))),
    );
  };

  const dialog = openDialog(root, {
    title: t("open.title"), closeLabel: t("close"), class: "tall",
    body: [
      h("label", { class: "search inset" }, icon("search"), search), h("div", null, rows, state, more),
      newsTitle, news, canMake && makeForm(t, choose),
    ],
  });
  newsTitle.hidden = news.hidden = true;
  let timer = 0;
  on(search, "input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => load(true), searchPause);
  });
  on(more, "click", () => load(false));
  load(true);
  loadNews();
}

/**
 * @param {import("../../texts/texts.js").Texts} t
 * @param {(channel: string) => void} choose
 */
function makeForm(t, choose) {
  const input = h("input", { class: "input", type: "text", autocomplete: "off", autocapitalize: "none", dir: "ltr",
    spellcheck: "false", maxlength: "64", "aria-describedby": "make-hint" });
  const hint = h("span", { class: "hint", id: "make-hint", role: "status" }, t("open.idHint"));
  const form = h(
    "form", { novalidate: true },
    h("h3", { class: "section-title" }, t("open.create")),
    h("div", { class: "with-button" },
      h("label", { class: "field" }, h("span", null, t("open.id")), input),
      h("button", { type: "submit", class: "button" }, t("create"))),
    hint,
  );
  on(form, "submit", (event) => {
    event.preventDefault();
    const channel = input.value.trim();
    if (isChannelID(channel)) return choose(channel);
    hint.textContent = t("open.idInvalid");
    hint.className = "error-text";
    input.setAttribute("aria-invalid", "true");
    input.focus();
  });
  return form;
}
