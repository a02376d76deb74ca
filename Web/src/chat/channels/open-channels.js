import "../../texts/more.js";
import { avatar } from "../../ui/avatar.js";
import { openDialog } from "../../ui/dialog.js";
import { h, on, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { isChannelID } from "../../client/for-views.js";
import { errorText } from "../../texts/texts.js";
import { adoptListStyles } from "../styles/list-styles.js";

/** @typedef {import("../../roost.js").Client} Client */
/** @typedef {import("../../texts/texts.js").Texts} Texts */

const pageRows = 30;
/** How long the user pauses before a search begins, in ms. */
const searchPause = 250;

/**
 * Opens the dialog with all open channels, and the channels for news: search, join, subscribe. Who may make open
 * channels can make one by its id.
 *
 * @param {Node & ParentNode} root
 * @param {{client: Client, t: Texts, isDev?: boolean,
 *   onSelect: (channel: string) => void, onFailure: (error: unknown) => void}} options
 */
export function openBrowser(root, { client, t, isDev, onSelect, onFailure }) {
  adoptListStyles(root);
  const search = h("input", { class: "input", type: "search", placeholder: t("open.search"), autocomplete: "off",
    "aria-label": t("open.search"), autofocus: true, maxlength: "64" });
  const rows = h("ul", { class: "people", role: "list", "aria-label": t("open.title") });
  const state = h("div", { class: "list-state small", role: "status" });
  const more = h("button", { type: "button", class: "button" }, t("loadMore"));
  const canMake = isDev || client.isOperator || Boolean(client.options.guest);
  /** @type {string | undefined} */
  let next;
  let asked = 0;
  /** @param {string} channel */
  const choose = (channel) => {
    dialog.close();
    onSelect(channel);
  };
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
      rows.append(...page.channels.map((channel) => openRow(client, t, channel, choose)));
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

  const dialog = openDialog(root, {
    title: t("open.title"), closeLabel: t("close"), class: "tall",
    body: [
      h("label", { class: "search inset" }, icon("search"), search), h("div", null, rows, state, more),
      newsSection(client, t, choose, onFailure), canMake && makeForm(t, choose),
    ],
  });
  let timer = 0;
  on(search, "input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => load(true), searchPause);
  });
  on(more, "click", () => load(false));
  load(true);
}

/**
 * The row of a channel, or of news.
 *
 * @param {Client} client
 * @param {{channel: string, title?: string, profile?: {avatar?: string}}} channel
 * @param {{label?: string, hint: string, role: string, choose: () => void}} options
 */
function rowView(client, { channel, title, profile }, { label, hint, role, choose }) {
  const name = title || channel;
  return h("li", null, h("button", { type: "button", class: "person", onclick: choose, "aria-label": label },
    avatar({ id: channel, name, imageURL: profile?.avatar }, { size: 40, resolve: (url) => client.imageURL(url) }),
    h("span", { class: "grow" }, h("bdi", { class: "ellipsis" }, name), h("span", { class: "hint" }, hint)),
    h("span", { class: "role" }, role)));
}

/**
 * @param {Client} client
 * @param {Texts} t
 * @param {any} about
 * @param {(channel: string) => void} choose
 */
function openRow(client, t, about, choose) {
  const { channel, title, memberCount } = about;
  const hint = t("count.here", { count: memberCount });
  return rowView(client, about, {
    label: `${t("open.joinNamed", { title: title || channel })}, ${hint}`, hint, role: t("open.join"),
    choose: () => choose(channel),
  });
}

/**
 * The channels for news, each with whether the user has subscribed to it; hidden if there are none.
 *
 * @param {Client} client
 * @param {Texts} t
 * @param {(channel: string) => void} choose
 * @param {(error: unknown) => void} fail
 */
function newsSection(client, t, choose, fail) {
  const rows = h("ul", { class: "people", role: "list", "aria-label": t("news.title") });
  const title = h("h3", { class: "section-title" }, t("news.title"));
  title.hidden = rows.hidden = true;
  /** @param {any} about */
  const row = (about) => {
    const { channel, subscriberCount: count, isSubscribed } = about;
    return rowView(client, about, {
      hint: t("count.subscribers", { count }), role: t(isSubscribed ? "news.subscribed" : "news.subscribe"),
      choose: async () => {
        try {
          if (!isSubscribed) await client.perform("member.join", { channel });
          choose(channel);
        } catch (error) {
          fail(error);
        }
      },
    });
  };
  client.read("news.list", { limit: 100 }).then(({ channels }) => {
    title.hidden = rows.hidden = !channels.length;
    refill(rows, channels.map(row));
  }, () => {
    // What is there to see is only less.
  });
  return [title, rows];
}

/**
 * @param {Texts} t
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
