/**
 * The screen of one conversation: header, messages and the field to write. Call `open` when it is shown, and `close`
 * when it is not shown any more; a closed view is not opened again.
 */
export class ConversationView {
    /**
     * @param {import("../client/client.js").Client} client
     * @param {import("../client/conversation.js").Conversation} conversation
     * @param {import("../texts/texts.js").Texts} t
     * @param {{onBack?: () => void, onDetails?: () => void, onOpen?: (channel: string) => void, timeZone?: string,
     *   live?: LiveRegion, toasts?: Toasts}} [callbacks] `onBack` for the button that narrow screens show; `onDetails`
     *   for the button in the header; `onOpen` for a 1-on-1 that was started here. A button without its callback is left
     *   out. `live` and `toasts` if the page around has them already.
     */
    constructor(client: import("../client/client.js").Client, conversation: import("../client/conversation.js").Conversation, t: import("../texts/texts.js").Texts, callbacks?: {
        onBack?: (() => void) | undefined;
        onDetails?: (() => void) | undefined;
        onOpen?: ((channel: string) => void) | undefined;
        timeZone?: string | undefined;
        live?: LiveRegion | undefined;
        toasts?: Toasts | undefined;
    } | undefined);
    /** The element to put into the page; it fills its place. */
    element: HTMLElement;
    /** The field below the messages. */
    composer: Composer;
    /** Shows the conversation, at its first unread message or its end. Resolves when it is up to date. */
    open(): Promise<void>;
    /** Ends the view. */
    close(): void;
    /** Moves the focus into the field, or to the messages if nobody may write here. */
    focus(): void;
    #private;
}
export type Context = import("./context.js").Context;
export type Item = import("../client/types.js").Item;
import { Composer } from "./composer.js";
import { LiveRegion } from "../ui/live.js";
import { Toasts } from "../ui/toast.js";
