/**
 * Opens the dialog for a new conversation of two: with one of the people that one knows, or by user id.
 *
 * @param {Node & ParentNode} root
 * @param {{client: import("../roost.js").Client, t: import("../texts/texts.js").Texts,
 *   onSelect: (channel: string) => void, onFailure: (error: unknown) => void}} options
 */
export function openNewConversation(root: Node & ParentNode, { client, t, onSelect, onFailure }: {
    client: import("../roost.js").Client;
    t: import("../texts/texts.js").Texts;
    onSelect: (channel: string) => void;
    onFailure: (error: unknown) => void;
}): void;
