/**
 * Opens a menu at an element or point; on a small screen, and with `isSheet`, as a sheet at the bottom edge. Arrow
 * keys, Home, End and first letters move in it; Escape, Tab and a press beside it close it; then the focus returns.
 *
 * @param {Node & ParentNode} root the shadow root, or an element in it, that takes the menu
 * @param {{items: MenuItem[], label: string, anchor?: Element | null, point?: {x: number, y: number},
 *   isSheet?: boolean, before?: any, class?: string, returnTo?: HTMLElement | null,
 *   onclose?: () => void}} options `label` names it
 *   for screen readers; `before` are children above the items; buttons in them are a row for the arrow keys
 * @returns {{element: HTMLDialogElement, close: () => void}}
 */
export function openMenu(root: Node & ParentNode, options: {
    items: MenuItem[];
    label: string;
    anchor?: Element | null | undefined;
    point?: {
        x: number;
        y: number;
    } | undefined;
    isSheet?: boolean | undefined;
    before?: any;
    class?: string | undefined;
    returnTo?: HTMLElement | null | undefined;
    onclose?: (() => void) | undefined;
}): {
    element: HTMLDialogElement;
    close: () => void;
};
/**
 * Moves the focus within a list of elements by a key: arrows, Home, End, or the first letter of a label.
 *
 * @param {HTMLElement[]} elements
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key was for the list
 */
export function moveFocus(elements: HTMLElement[], event: KeyboardEvent): boolean;
export function usesSheets(): boolean;
/**
 * without `action` it only closes the menu
 */
export type MenuItem = {
    label: string;
    icon?: import("./icons.js").IconName;
    isDanger?: boolean;
    isDisabled?: boolean;
    isChecked?: boolean;
    action?: () => void;
} | "line";
import { icon } from "./icons.js";
