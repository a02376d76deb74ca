/** The styles of what opens over a conversation: actions, emoji, forms, lists of people, pictures. */
export const dialogStyles: CSSStyleSheet;
