/** The styles of dialogs and menus; these adopt it when they open. */
export const overlayStyles: CSSStyleSheet;
