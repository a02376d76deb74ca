/**
 * What `h` takes as properties of an element: event listeners by name (`onclick`), `css` for single style properties,
 * and attributes; false, null and undefined leave an attribute out.
 *
 * @typedef {Record<string, any> & {class?: string, css?: Record<string, string>}} Properties
 */

/**
 * Makes an element. Text is always text: nothing is parsed as markup.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Properties | null} [properties]
 * @param {...any} children nodes, strings, numbers, arrays of them; null, undefined and false are skipped
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  fill(element, ...children);
  return element;
}

/**
 * Sets properties of an element as `h` does; false and null remove an attribute. Throws on a listener that is no
 * function.
 *
 * @param {Element} element
 * @param {Properties | null} [properties]
 */
export function set(element, properties) {
  for (const name in properties) {
    const value = properties[name];
    if (name.startsWith("on")) {
      if (value) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === "css") {
      for (const key in value) /** @type {HTMLElement} */ (element).style.setProperty(key, value[key]);
    } else if (name === "value") {
      /** @type {HTMLInputElement} */ (element).value = value;
    } else if (value == null || value === false) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/**
 * Appends children to an element.
 *
 * @param {Node} element
 * @param {...any} children as for `h`
 */
export function fill(element, ...children) {
  for (const child of children) {
    if (Array.isArray(child)) fill(element, ...child);
    else if (child instanceof Node) element.appendChild(child);
    else if (child != null && child !== false) element.appendChild(document.createTextNode(String(child)));
  }
}

/**
 * Replaces all children of an element.
 *
 * @param {ParentNode & Node} element
 * @param {...any} children as for `h`
 */
export function refill(element, ...children) {
  element.replaceChildren();
  fill(element, ...children);
}

/**
 * Sets the text of an element, only if it differs, so that nothing is laid out or announced again.
 *
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @type {WeakMap<Node, Map<string, {node: HTMLElement, item: any}>>} */
const reconciled = new WeakMap();

/**
 * Makes the children of a container match a list. An element stays the same as long as its key is in the list; it is
 * updated only if its item is another object than before, and moved only if its place changed. All children of the
 * container belong to the list.
 *
 * @template T
 * @param {HTMLElement} container
 * @param {readonly T[]} items each key at most once
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} make
 * @param {(node: HTMLElement, item: T, old: T) => void} [update] without it, another item makes another element
 */
export function reconcile(container, items, keyOf, make, update) {
  const old = reconciled.get(container) ?? new Map();
  /** @type {Map<string, {node: HTMLElement, item: T}>} */
  const now = new Map();
  for (const item of items) {
    const key = keyOf(item);
    let entry = old.get(key);
    if (entry && entry.item !== item) {
      if (update) {
        update(entry.node, item, entry.item);
        entry.item = item;
      } else {
        entry = undefined;
      }
    }
    now.set(key, entry ?? { node: make(item), item });
  }
  for (const [key, entry] of old) if (now.get(key)?.node !== entry.node) entry.node.remove();
  let place = container.firstChild;
  for (const { node } of now.values()) {
    if (node === place) place = place.nextSibling;
    else container.insertBefore(node, place);
  }
  reconciled.set(container, now);
}

/**
 * Adds a listener that ends with a signal.
 *
 * @param {EventTarget} target
 * @param {string} types one name, or several with spaces between
 * @param {(event: any) => void} listener
 * @param {AbortSignal} [signal]
 * @param {AddEventListenerOptions} [options]
 */
export function on(target, types, listener, signal, options) {
  for (const type of types.split(" ")) target.addEventListener(type, listener, { ...options, signal });
}

/**
 * Takes away the click of the finger that is down now: what has opened under it is not pressed when it is lifted.
 */
export function swallowClick() {
  const end = new AbortController();
  on(window, "pointerdown", () => end.abort(), end.signal, { capture: true });
  on(window, "click", (event) => {
    // Keys click, too, and have no number of presses.
    if (!event.detail) return;
    event.preventDefault();
    event.stopPropagation();
    end.abort();
  }, end.signal, { capture: true });
}

/**
 * Returns a function that runs `work` once in the next frame, however often it is called; `work` does not run any
 * more after the signal.
 *
 * @param {() => void} work
 * @param {AbortSignal} [signal]
 * @returns {() => void}
 */
export function eachFrame(work, signal) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      if (!signal?.aborted) work();
    });
  };
}

/**
 * Returns a function that does `work`, and nothing while an earlier call of it is not done: so what has to be loaded
 * first opens once, however often it is pressed.
 *
 * @template {any[]} Arguments
 * @param {(...values: Arguments) => Promise<unknown>} work
 * @param {(error: unknown) => void} fail
 * @returns {(...values: Arguments) => Promise<void>} never rejects
 */
export function single(work, fail) {
  let isBusy = false;
  return async (...values) => {
    if (isBusy) return;
    isBusy = true;
    try {
      await work(...values);
    } catch (error) {
      fail(error);
    } finally {
      isBusy = false;
    }
  };
}

/**
 * The element that has the focus, inside of shadow roots too.
 *
 * @returns {HTMLElement | null}
 */
export function focused() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return /** @type {HTMLElement | null} */ (element);
}

/**
 * Moves the focus to the first of these elements that is still on the page.
 *
 * @param {...(HTMLElement | null | undefined)} elements
 */
export function focusFirst(...elements) {
  elements.find((element) => element?.isConnected)?.focus({ preventScroll: true });
}

/**
 * The open modal dialog, outside of which everything is inert: beside an element, or in a chat or the app of this page.
 *
 * @param {Node} home
 * @param {string} selector
 * @returns {Element | undefined}
 */
export function openModal(home, selector = "dialog:modal") {
  const hosts = [...document.querySelectorAll("#app, roost-chat")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  const roots = /** @type {ParentNode[]} */ ([...hosts, home.getRootNode()]);
  return roots.flatMap((root) => [...root.querySelectorAll?.(selector) ?? []]).at(-1);
}
