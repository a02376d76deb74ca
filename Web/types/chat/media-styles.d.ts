/** Styles of files and of the field of a conversation. Adopt it after those of the conversation. */
export const mediaStyles: CSSStyleSheet;
