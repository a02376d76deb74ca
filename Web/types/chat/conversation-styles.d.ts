/** Styles of a conversation: header, rows, bubbles, separators. Adopt it after the base styles. */
export const conversationStyles: CSSStyleSheet;
