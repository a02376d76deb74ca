/**
 * What all parts of one conversation's view share.
 *
 * @typedef {object} Context
 * @property {import("../client/client.js").Client} client
 * @property {import("../client/conversation.js").Conversation} conversation
 * @property {import("../texts/texts.js").Texts} t
 * @property {import("../texts/times.js").Times} times
 * @property {HTMLElement} root the element that takes dialogs, menus and toasts
 * @property {import("../ui/toast.js").Toasts} toasts
 * @property {import("../ui/live.js").LiveRegion} live
 * @property {AbortSignal} signal ends with the view
 * @property {(error: unknown) => void} fail shows an error
 * @property {(userID: string) => Promise<void>} start starts a 1-on-1 and opens it
 * @property {(messageID: string) => Promise<void>} jump scrolls to a message, and loads it first if it is not there
 * @property {(message: import("../client/types.js").Message) => void} reply answers a message
 * @property {(text: string) => Promise<void>} copy copies a text, and says so
 * @property {() => void} focusComposer
 * @property {number} openedAt when the view was made, in ms since 1970 by the clock of this device
 * @property {import("./extras.js").Extras} [extras] what is loaded after the first messages
 */

export {};
