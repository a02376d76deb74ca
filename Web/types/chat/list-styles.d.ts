/**
 * Adopts the styles in the shadow root of a node, once.
 *
 * @param {Node} node
 */
export function adoptListStyles(node: Node): void;
/** The styles of the list of conversations and of the dialogs around it. */
export const listStyles: CSSStyleSheet;
