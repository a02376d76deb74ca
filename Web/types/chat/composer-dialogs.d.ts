/**
 * Opens what else can be sent: files, a vote, and the text at another time.
 *
 * @param {Context} context
 * @param {{anchor: Element, returnTo: HTMLElement, text: string, pick: (accept?: string) => void, onsend: () => void,
 *   onscheduled: () => void}} options `text` is the one to send later; empty if it cannot be
 */
export function openComposerMenu(context: Context, { anchor, returnTo, text, pick, onsend, onscheduled }: {
    anchor: Element;
    returnTo: HTMLElement;
    text: string;
    pick: (accept?: string) => void;
    onsend: () => void;
    onscheduled: () => void;
}): void;
export type Context = import("./context.js").Context;
