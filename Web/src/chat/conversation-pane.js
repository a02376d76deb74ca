import { h, set, single } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { ConversationView } from "./conversation-view.js";

/** @typedef {import("../client/client.js").Client} Client */

/**
 * The conversations over each other, of which the one on top is shown: those that were started from another one, where
 * there is no list to go back to.
 */
export class ConversationPane {
  /**
   * @param {{client: () => Client, t: () => import("../texts/texts.js").Texts, root: HTMLElement,
   *   list: () => import("./channels/list-view.js").ChannelListView | null,
   *   live: import("../ui/live.js").LiveRegion, toasts: () => import("../ui/toast.js").Toasts,
   *   fail: (error: unknown) => void, onopen: (channel: string | null) => void,
   *   onclose: (channel: string | undefined) => void, onleave: () => void}} options `root` takes the details; `onopen`
   *   is called when another conversation is shown, or none; `onclose` when one was left that was started from the one
   *   that is shown now; `onleave` when the focus has no place
   */
  constructor(options) {
    this.#options = options;
    this.#openDetails = single((channel) => this.#details(channel), options.fail);
  }

  element = h("div", { class: "conversation-pane" });
  #options;
  #openDetails;
  /** @type {string[]} */
  #channels = [];
  /** @type {ConversationView | null} */
  #view = null;
  /** What is said if there is neither a conversation nor a list. */
  problem = "";

  /** The channel of the conversation that is shown; null if there is none. */
  get channel() {
    return this.#channels.at(-1) ?? null;
  }

  /** The conversation that is shown; null if there is none. */
  get view() {
    return this.#view;
  }

  /**
   * Shows one conversation, or none; the one that is shown already only gets the focus.
   *
   * @param {string | null} channel
   */
  open(channel) {
    if (channel === this.channel) this.#view?.focus();
    else this.show(channel);
  }

  /**
   * Shows one conversation, or none.
   *
   * @param {string | null} channel
   */
  show(channel) {
    this.#channels = channel ? [channel] : [];
    this.draw();
  }

  /** Shows nothing any more. */
  clear() {
    this.#view?.close();
    this.#view = null;
    this.#channels = [];
    this.element.replaceChildren();
  }

  /** Shows the conversation on top again, in the language in use, or that there is none. */
  draw() {
    const list = this.#options.list();
    const { channel, element } = this;
    const root = /** @type {ShadowRoot} */ (element.getRootNode());
    const hadFocus = this.#view?.element.contains(root.activeElement);
    this.#view?.close();
    this.#view = null;
    list?.select(channel);
    element.parentElement?.classList.toggle("is-open", channel !== null);
    element.replaceChildren();
    if (channel) {
      const view = this.#makeView(channel);
      this.#view = view;
      element.append(view.element);
      view.open().catch(this.#options.fail);
      // A keyboard that slides in would hide what one wants to read.
      if (hadFocus || (list && matchMedia("(hover: hover)").matches)) view.focus();
    } else {
      element.append(this.#placeholder());
      if (hadFocus) list?.focus();
    }
    this.#options.onopen(channel);
  }

  /** @param {string} channel */
  #makeView(channel) {
    const { client, t, list, live, toasts } = this.#options;
    const isOver = this.#channels.length > 1;
    const view = new ConversationView(client(), client().conversation(channel), t(), {
      onBack: isOver || list() ? () => this.#goBack() : undefined,
      onDetails: () => this.#openDetails(channel),
      onOpen: (other) => this.#openOver(other),
      live,
      toasts: toasts(),
    });
    view.element.classList.toggle("is-over", isOver);
    // A landmark of a page has a name of its own; several chats may show the same conversation.
    if (!list()) set(view.element, { role: "group" });
    return view;
  }

  #placeholder() {
    const t = this.#options.t();
    return h("div", { class: "placeholder" }, h("slot", { name: "empty" },
      this.#options.list() || !this.problem ? [icon("conversation"), h("h2", null, t("conversation.none")),
        h("p", null, t("conversation.noneHint"))] : [icon("warning"), h("p", { role: "alert" }, this.problem)]));
  }

  /** @param {string} channel */
  #openOver(channel) {
    if (this.#options.list()) return this.open(channel);
    this.#channels.push(channel);
    this.draw();
  }

  #goBack() {
    const channel = this.#channels.pop();
    const list = this.#options.list();
    if (list) this.#channels = [];
    this.draw();
    this.#options.onclose(channel);
    (list ?? this.#view)?.focus();
  }

  /** @param {string} channel */
  async #details(channel) {
    const { client, t, root, list, toasts, fail, onleave } = this.#options;
    const { openDetails } = await import("./channels/details-view.js");
    const details = openDetails({
      client: client(), conversation: client().conversation(channel), t: t(), root, fail, toasts: toasts(),
      start: single(async (userID) => this.#openOver(await client().startConversation(userID)), fail),
      open: (other) => this.#openOver(other),
      leave: list() ? () => this.open(null) : undefined,
    });
    details.closed.then(() => {
      // The button that had the focus before may be gone, as the conversation is.
      if (document.activeElement === document.body) onleave();
    });
  }
}
