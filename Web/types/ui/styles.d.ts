/**
 * Makes a stylesheet for `adoptedStyleSheets`.
 *
 * @param {string} text
 * @returns {CSSStyleSheet}
 */
export function css(text: string): CSSStyleSheet;
/**
 * Adds a stylesheet to the shadow root of a node, unless it is there. Does nothing outside of shadow roots.
 *
 * @param {Node} node
 * @param {CSSStyleSheet} sheet
 */
export function adopt(node: Node, sheet: CSSStyleSheet): void;
/**
 * The tokens and base styles that every part of the chat shares: colours in two themes, type, spacing, buttons,
 * fields, focus and toasts; dialogs and menus bring their own. Adopt it in the shadow root. A page overrides a token by
 * setting it on the element; the attribute `theme="light"` or `theme="dark"` on the host overrides the system's theme.
 */
export const baseStyles: CSSStyleSheet;
