/**
 * Records a voice message: shows how long it is, and the buttons to discard and to send it.
 *
 * @param {Context} context
 * @param {{bar: HTMLElement, signal: AbortSignal, onstart: () => void, onend: (recorded: Recorded | null) => void}}
 *   options the signal discards it; `onend` is called once after `onstart`, with null if it was discarded
 */
export function record(context: Context, { bar, signal, onstart, onend }: {
    bar: HTMLElement;
    signal: AbortSignal;
    onstart: () => void;
    onend: (recorded: Recorded | null) => void;
}): Promise<void>;
export type Context = import("./context.js").Context;
export type Recorded = {
    blob: Blob;
    durationMs: number;
    name: string;
};
