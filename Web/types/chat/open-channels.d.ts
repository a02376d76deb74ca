/**
 * Opens the dialog with all open channels, and the channels for news: search, join, subscribe. Who may make open
 * channels can make one by its id.
 *
 * @param {Node & ParentNode} root
 * @param {{client: import("../roost.js").Client, t: import("../texts/texts.js").Texts, isDev?: boolean,
 *   onSelect: (channel: string) => void, onFailure: (error: unknown) => void}} options
 */
export function openBrowser(root: Node & ParentNode, { client, t, isDev, onSelect, onFailure }: {
    client: import("../roost.js").Client;
    t: import("../texts/texts.js").Texts;
    isDev?: boolean | undefined;
    onSelect: (channel: string) => void;
    onFailure: (error: unknown) => void;
}): void;
