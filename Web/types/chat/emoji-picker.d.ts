/**
 * Opens the emoji in groups. Arrow keys move over them; a choice closes it.
 *
 * @param {Context} context
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null,
 *   onpick: (emoji: string) => void}} options
 */
export function openEmojiPicker({ root, t }: Context, { onpick, ...place }: {
    anchor?: Element | null | undefined;
    point?: {
        x: number;
        y: number;
    } | undefined;
    returnTo?: HTMLElement | null | undefined;
    onpick: (emoji: string) => void;
}): void;
export type Context = import("./context.js").Context;
