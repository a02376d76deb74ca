/**
 * @typedef {import("../client/types.js").Channel} Channel
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("../texts/texts.js").Texts} Texts
 * @typedef {import("../ui/menu.js").MenuItem} MenuItem
 */
/**
 * What the user can do with a conversation as a whole, for its menu. What its kind or the user's role does not allow
 * is not in it.
 *
 * @param {Node & ParentNode} root
 * @param {Channel} channel
 * @param {{client: Client, t: Texts, onFailure: (error: unknown) => void, onLeave?: () => void}} options `onLeave` is
 *   called when an open channel was left
 * @returns {MenuItem[]}
 */
export function channelMenu(root: Node & ParentNode, channel: Channel, { client, t, onFailure, onLeave }: {
    client: Client;
    t: Texts;
    onFailure: (error: unknown) => void;
    onLeave?: (() => void) | undefined;
}): MenuItem[];
export type Channel = import("../client/types.js").Channel;
export type Client = import("../roost.js").Client;
export type Texts = import("../texts/texts.js").Texts;
export type MenuItem = import("../ui/menu.js").MenuItem;
