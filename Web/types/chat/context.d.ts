/**
 * What all parts of one conversation's view share.
 */
export type Context = {
    client: import("../client/client.js").Client;
    conversation: import("../client/conversation.js").Conversation;
    t: import("../texts/texts.js").Texts;
    times: import("../texts/times.js").Times;
    /**
     * the element that takes dialogs, menus and toasts
     */
    root: HTMLElement;
    toasts: import("../ui/toast.js").Toasts;
    live: import("../ui/live.js").LiveRegion;
    /**
     * ends with the view
     */
    signal: AbortSignal;
    /**
     * shows an error
     */
    fail: (error: unknown) => void;
    /**
     * starts a 1-on-1 and opens it
     */
    start: (userID: string) => Promise<void>;
    /**
     * scrolls to a message, and loads it first if it is not there
     */
    jump: (messageID: string) => Promise<void>;
    /**
     * answers a message
     */
    reply: (message: import("../client/types.js").Message) => void;
    focusComposer: () => void;
};
