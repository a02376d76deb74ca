import { h, reconcile } from "../../ui/dom.js";
import { isPicture, reactionsView } from "./message-row.js";
import { fileView, showProgress } from "./message-files.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").Item} Item */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */

/** So long after the picture before, in ms, a picture still belongs to its album. */
const pause = 60_000;
const most = 10;
const width = 340;
const gap = 2;

/**
 * Pictures and films that were sent together, each a message of its own, are shown as one. The protocol does not say
 * what belongs together: docs/web.md has the rule.
 */
export class Albums {
  /**
   * @param {Context} context
   * @param {import("../extras.js").ReactionsView} reactionsView
   */
  constructor(context, reactionsView) {
    this.#context = context;
    this.#reactionsView = reactionsView;
  }

  #context;
  #reactionsView;
  /** @type {WeakMap<readonly Item[], readonly Item[]>} */
  #known = new WeakMap();
  /**
   * The albums that were made last, by their first messages.
   *
   * @type {WeakMap<MessageItem, MessageItem>}
   */
  #made = new WeakMap();

  /**
   * The items with each album as one of them. The same items give the same array, and the same messages the same album.
   *
   * @param {readonly Item[]} items
   * @returns {readonly Item[]}
   */
  grouped(items) {
    let result = this.#known.get(items);
    if (!result) this.#known.set(items, (result = this.#group(items)));
    return result;
  }

  /** @param {readonly Item[]} items */
  #group(items) {
    /** @type {Item[]} */
    const result = [];
    /** @type {MessageItem[]} */
    let parts = [];
    const end = () => {
      if (parts.length) result.push(parts.length > 1 ? this.#album(parts) : parts[0]);
      parts = [];
    };
    for (const item of items) {
      if (item.kind !== "message" || !mayBelong(item)) {
        end();
        result.push(item);
        continue;
      }
      const last = parts.at(-1);
      if (!last || parts.length === most || !belongs(last, item)) end();
      parts.push(item);
    }
    end();
    return result;
  }

  /** @param {MessageItem[]} parts */
  #album(parts) {
    const [first] = parts;
    const old = this.#made.get(first);
    if (old?.parts?.length === parts.length && old.parts.every((part, index) => part === parts[index])) return old;
    const { state, unreadBy } = parts[parts.length - 1];
    const height = rowsOf(parts.length).reduce((sum, row) => sum + gap + heightOf(row), first.isGrouped ? 14 : 44);
    /** @type {MessageItem} */
    const album = { ...first, state, unreadBy, parts, height: height + (first.message.text ? 36 : 0) };
    this.#made.set(first, album);
    return album;
  }

  /**
   * Draws the pictures of an album.
   *
   * @param {MessageItem} item
   * @param {HTMLElement | null} kept the album as it was drawn before
   */
  view(item, kept) {
    const { t } = this.#context;
    const parts = item.parts ?? [];
    const view = kept ?? h("div", { class: "album", role: "group" });
    view.setAttribute("aria-label", t("album.label", { count: parts.length }));
    reconcile(view, parts, ({ key }) => key, (part) => this.#cell(part), (cell, part, old) => {
      if (part.message === old.message) {
        showProgress(this.#context, /** @type {HTMLElement} */ (cell.firstElementChild), part);
      } else {
        this.#fill(cell, part);
      }
    });
    const spans = rowsOf(parts.length).flatMap((row) => Array(row).fill(6 / row));
    [...view.children].forEach((cell, index) => {
      const { style } = /** @type {HTMLElement} */ (cell);
      style.setProperty("grid-column", `span ${spans[index]}`);
      style.setProperty("aspect-ratio", spans[index] === 6 ? "2" : "1");
    });
    return view;
  }

  /** @param {MessageItem} part */
  #cell(part) {
    const cell = h("div", { class: "cell", "data-part": part.key });
    this.#fill(cell, part);
    return cell;
  }

  /**
   * @param {HTMLElement} cell
   * @param {MessageItem} part
   */
  #fill(cell, part) {
    // A picture that has loaded stays: its address changes when it has been sent.
    const kept = /** @type {HTMLElement | null} */ (cell.querySelector(".media.is-loaded"));
    const media = kept ?? fileView(this.#context, part);
    if (!kept) cell.replaceChildren(media);
    else showProgress(this.#context, media, part);
    cell.querySelector(".reactions")?.remove();
    const reactions = this.#reactionsView(this.#context, part);
    if (reactions) cell.append(reactions);
  }
}

/**
 * How many pictures each row of an album has, from the top: the larger ones come first.
 *
 * @param {number} count
 */
function rowsOf(count) {
  if (count === 3) return [1, 2];
  const pairs = (3 - (count % 3)) % 3;
  return [...Array(pairs).fill(2), ...Array((count - 2 * pairs) / 3).fill(3)];
}

/** @param {number} count how many pictures stand beside each other */
const heightOf = (count) => (count === 1 ? width / 2 : (width - gap * (count - 1)) / count);

/** @param {MessageItem} item */
const mayBelong = ({ message, state }) => isPicture(message) && message.file && !message.recall && state !== "failed";

/**
 * Whether a picture belongs to the album of the one before it.
 *
 * @param {MessageItem} last
 * @param {MessageItem} item
 */
function belongs({ message: last, isOwn }, item) {
  const { message } = item;
  return item.isOwn === isOwn && message.senderID === last.senderID && !message.text && !message.replyTo &&
    message.sentAt - last.sentAt <= pause && Boolean(message.isForwarded) === Boolean(last.isForwarded);
}
