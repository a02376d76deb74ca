/** @typedef {import("./channel-row.js").ChannelRow} ChannelRow */

/** Which row of the list has the focus, or would have it: the Tab key reaches one, arrow keys, Home and End all. */
export class ListFocus {
  /**
   * @param {HTMLElement} list the element whose children are the rows
   * @param {(target: Element) => ChannelRow | undefined} rowAt
   * @param {() => void} leave moves the focus to what is above the first row
   */
  constructor(list, rowAt, leave) {
    this.#list = list;
    this.#rowAt = rowAt;
    this.#leave = leave;
  }

  #list;
  #rowAt;
  #leave;
  /** The channel of the row; empty if it is not known yet. */
  active = "";

  /** @returns {ChannelRow[]} */
  get #rows() {
    return [...this.#list.children].flatMap((node) => this.#rowAt(node) ?? []);
  }

  /** The button of the row that can have the focus; null if there is no row. */
  get opener() {
    return this.#rows.find(({ id }) => id === this.active)?.opener ?? null;
  }

  /**
   * Makes exactly one row take part in the order of the Tab key.
   *
   * @param {string} selected the channel that is open
   */
  update(selected) {
    const rows = this.#rows;
    const has = (/** @type {string} */ channel) => rows.some(({ id }) => id === channel);
    if (!has(this.active)) this.active = (has(selected) ? selected : rows[0]?.id) ?? "";
    for (const row of rows) row.setTabStop(row.id === this.active);
  }

  /** @param {Element} target what has the focus now */
  moved(target) {
    const row = this.#rowAt(target);
    if (!row || row.id === this.active || row.channel.kind === "open") return;
    this.#rows.find(({ id }) => id === this.active)?.setTabStop(false);
    this.active = row.id;
    row.setTabStop(true);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (!/^(Arrow(Up|Down)|Home|End|Page(Up|Down))$/.test(event.key) || event.altKey || event.ctrlKey) return;
    const openers = this.#rows.map(({ opener }) => opener);
    const row = this.#rowAt(/** @type {Element} */ (event.target));
    const now = row ? openers.indexOf(row.opener) : -1;
    event.preventDefault();
    if (event.key === "ArrowUp" && now === 0) return this.#leave();
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8, Home: -openers.length, End: openers.length };
    const next = now + step[/** @type {keyof typeof step} */ (event.key)];
    openers[Math.max(0, Math.min(openers.length - 1, next))]?.focus();
  }
}
