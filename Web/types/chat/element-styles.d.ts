/** Styles of the element itself: the list and the conversation side by side, or one of them where it is narrow. */
export const elementStyles: CSSStyleSheet;
