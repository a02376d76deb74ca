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
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, properties?: Properties | null | undefined, ...children: any[]): HTMLElementTagNameMap[K];
/**
 * Sets properties of an element as `h` does; false and null remove an attribute. Throws on a listener that is no
 * function.
 *
 * @param {Element} element
 * @param {Properties | null} [properties]
 */
export function set(element: Element, properties?: Properties | null | undefined): void;
/**
 * Appends children to an element.
 *
 * @param {Node} element
 * @param {...any} children as for `h`
 */
export function fill(element: Node, ...children: any[]): void;
/**
 * Replaces all children of an element.
 *
 * @param {ParentNode & Node} element
 * @param {...any} children as for `h`
 */
export function refill(element: ParentNode & Node, ...children: any[]): void;
/**
 * Sets the text of an element, only if it differs, so that nothing is laid out or announced again.
 *
 * @param {Node} node
 * @param {string} text
 */
export function setText(node: Node, text: string): void;
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
export function reconcile<T>(container: HTMLElement, items: readonly T[], keyOf: (item: T) => string, make: (item: T) => HTMLElement, update?: ((node: HTMLElement, item: T, old: T) => void) | undefined): void;
/**
 * Adds a listener that ends with a signal.
 *
 * @param {EventTarget} target
 * @param {string} types one name, or several with spaces between
 * @param {(event: any) => void} listener
 * @param {AbortSignal} [signal]
 * @param {AddEventListenerOptions} [options]
 */
export function on(target: EventTarget, types: string, listener: (event: any) => void, signal?: AbortSignal | undefined, options?: AddEventListenerOptions | undefined): void;
/**
 * Returns a function that runs `work` once in the next frame, however often it is called; `work` does not run any
 * more after the signal.
 *
 * @param {() => void} work
 * @param {AbortSignal} [signal]
 * @returns {() => void}
 */
export function eachFrame(work: () => void, signal?: AbortSignal | undefined): () => void;
/**
 * The element that has the focus, inside of shadow roots too.
 *
 * @returns {HTMLElement | null}
 */
export function focused(): HTMLElement | null;
/**
 * Moves the focus to the first of these elements that is still on the page.
 *
 * @param {...(HTMLElement | null | undefined)} elements
 */
export function focusFirst(...elements: (HTMLElement | null | undefined)[]): void;
/**
 * What `h` takes as properties of an element: event listeners by name (`onclick`), `css` for single style properties,
 * and attributes; false, null and undefined leave an attribute out.
 */
export type Properties = Record<string, any> & {
    class?: string;
    css?: Record<string, string>;
};
