/**
 * @typedef {{element: HTMLDialogElement, body: HTMLElement, footer: HTMLElement, closed: Promise<any>,
 *   close: (value?: any) => void}} Dialog `closed` resolves with the value of `close`; undefined after Escape
 */
/**
 * Opens a modal dialog. Escape, the close button and a press beside it close it, and the focus returns to where it was.
 *
 * @param {Node & ParentNode} root the shadow root, or an element in it, that takes the dialog
 * @param {{title: string, closeLabel: string, body?: any, footer?: any, class?: string, returnTo?: HTMLElement | null,
 *   dir?: string}} options
 *   `body` and `footer` are children as for `h`; an element with `autofocus` in them gets the focus
 * @returns {Dialog}
 */
export function openDialog(root: Node & ParentNode, options: {
    title: string;
    closeLabel: string;
    body?: any;
    footer?: any;
    class?: string | undefined;
    returnTo?: HTMLElement | null | undefined;
    dir?: string | undefined;
}): Dialog;
/**
 * Asks a question with two answers.
 *
 * @param {Node & ParentNode} root as for `openDialog`
 * @param {{title: string, text?: string, action: string, cancel: string, closeLabel: string, isDanger?: boolean,
 *   returnTo?: HTMLElement | null}} question
 * @returns {Promise<boolean>} false for Cancel, Escape and Close
 */
export function ask(root: Node & ParentNode, question: {
    title: string;
    text?: string;
    action: string;
    cancel: string;
    closeLabel: string;
    isDanger?: boolean;
    returnTo?: HTMLElement | null;
}): Promise<boolean>;
/**
 * Closes a modal dialog by Escape, and when the pointer is pressed and released on its backdrop.
 *
 * @param {HTMLDialogElement} element
 * @param {() => void} close
 */
export function closeByUser(element: HTMLDialogElement, close: () => void): void;
/**
 * `closed` resolves with the value of `close`; undefined after Escape
 */
export type Dialog = {
    element: HTMLDialogElement;
    body: HTMLElement;
    footer: HTMLElement;
    closed: Promise<any>;
    close: (value?: any) => void;
};
