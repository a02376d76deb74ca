import "../texts/more.js";
import { on } from "../ui/dom.js";
import { adopt } from "../ui/styles.js";
import { Albums } from "./messages/albums.js";
import { extraStyles } from "./styles/extra-styles.js";
import { loadProfile, loadSelection } from "./lazy.js";
import { watchMidnight } from "./messages/midnight.js";
import { watchPrinting } from "./messages/printing.js";
import { watchTools } from "./messages/row-tools.js";
import { watchTimes } from "./messages/row-times.js";

export { showNote } from "./composer/composer-note.js";
export { JumpButton } from "./messages/jump-button.js";
export { ReadMarker } from "./messages/read-marker.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("../client/types.js").Item} Item */
/** @typedef {import("../client/types.js").MessageItem} MessageItem */
/** @typedef {import("../client/types.js").Message} Message */
/** @typedef {typeof import("./messages/message-bubble.js").reactionsView} ReactionsView */

const loadPinnedMessages = () => import("./messages/pinned-messages.js");

/** What a conversation has besides its messages, and what is loaded after them. */
export class Extras {
  /**
   * @param {Context} context
   * @param {import("./messages/timeline-view.js").TimelineView} timeline
   * @param {ReactionsView} reactionsView
   */
  constructor(context, timeline, reactionsView) {
    this.#context = context;
    this.#timeline = timeline;
    this.#albums = new Albums(context, reactionsView);
    adopt(context.root, extraStyles);
    watchMidnight(context, timeline);
    watchTools(context, timeline, this);
    watchTimes(context, timeline);
    watchPrinting(context, timeline);
    this.#watchPins();
    on(timeline.rows, "click", (event) => {
      if (!event.target.closest(".avatar-column .avatar, .sender button")) return;
      const item = timeline.itemAt(event.target);
      if (item?.kind === "message") this.openProfile(item.message);
    }, context.signal);
    on(timeline.rows, "pointerover focusin", ({ type, target }) => {
      const part = target.closest("[data-part]");
      const row = target.closest("[data-key]");
      // The buttons of a row act on the picture that was pointed at before them.
      const isLeft = type === "focusin" ? target === row : row !== this.#pointed?.closest("[data-key]");
      if (part || isLeft) this.#pointed = part;
    }, context.signal, { passive: true });
  }

  #context;
  #timeline;
  #albums;
  /**
   * The picture of an album under the pointer or the focus.
   *
   * @type {HTMLElement | null}
   */
  #pointed = null;
  /** @type {import("./messages/selection.js").Selection | null} */
  #selection = null;
  /** @type {import("./messages/pinned-messages.js").PinnedMessages | null} */
  #pinned = null;
  /**
   * The pinned messages; null until they are known.
   *
   * @type {import("../client/conversation-pins.js").ConversationPins | null}
   */
  pins = null;

  async #watchPins() {
    const { conversation, signal } = this.#context;
    on(conversation, "change", () => this.#drawPins(), signal);
    // Without them the conversation is what it was.
    this.pins = await conversation.loadPins().catch(() => null);
    this.#drawPins();
  }

  /** Shows the pinned messages; what does it is loaded when there are some. */
  async #drawPins() {
    const { pins } = this;
    if (!this.#pinned && pins?.all.length) {
      const part = await loadPinnedMessages().catch(() => null);
      if (!part || this.#context.signal.aborted) return;
      this.#pinned ??= new part.PinnedMessages(this.#context, pins);
    }
    this.#pinned?.draw();
  }

  /**
   * The items to show: pictures that belong together are one item.
   *
   * @param {readonly Item[]} items
   */
  grouped(items) {
    return this.#albums.grouped(items);
  }

  /**
   * See `Albums`.
   *
   * @param {MessageItem} item
   * @param {HTMLElement | null} kept
   */
  albumView(item, kept) {
    return this.#albums.view(item, kept);
  }

  /**
   * The message of an album that an element belongs to; outside of its pictures the one under the pointer or the focus,
   * or the first.
   *
   * @param {Element} target
   * @param {MessageItem} item
   * @returns {MessageItem}
   */
  partAt(target, item) {
    const at = /** @type {HTMLElement | null} */ (target.closest("[data-part]")) ?? this.#pointed;
    const key = at?.dataset.part;
    return item.parts?.find((part) => part.key === key) ?? item.parts?.[0] ?? item;
  }

  /**
   * The message that an element of a row belongs to; null if it is not in the row of one.
   *
   * @param {Element} target
   */
  messageAt(target) {
    const item = this.#timeline.itemAt(target);
    return item?.kind === "message" ? this.partAt(target, item) : null;
  }

  /**
   * Shows in a row that was drawn whether it is selected.
   *
   * @param {HTMLElement} row
   * @param {Item} item
   */
  mark(row, item) {
    this.#selection?.mark(row, item);
  }

  /**
   * Begins to select messages.
   *
   * @param {Message} message the first one
   */
  async select(message) {
    try {
      const { Selection } = await loadSelection();
      if (this.#context.signal.aborted) return;
      this.#selection ??= new Selection(this.#context, this.#timeline, this, () => {
        this.#selection = null;
        this.#timeline.refresh();
      });
      this.#selection.begin(message);
    } catch (error) {
      this.#context.fail(error);
    }
  }

  /**
   * Shows who has sent a message.
   *
   * @param {Message} message
   */
  async openProfile({ senderID: userID, senderName, senderImageURL: imageURL, isAnnouncement }) {
    if (!userID || isAnnouncement) return;
    try {
      const { openProfile } = await loadProfile();
      if (this.#context.signal.aborted) return;
      openProfile(this.#context, { userID, name: senderName ?? userID, imageURL });
    } catch (error) {
      this.#context.fail(error);
    }
  }
}
