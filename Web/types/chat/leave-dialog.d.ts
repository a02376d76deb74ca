/**
 * Asks whether to leave a group, and who becomes admin if the user is the last one; then leaves.
 *
 * @param {Node & ParentNode} root
 * @param {{client: import("../roost.js").Client, conversation: import("../roost.js").Conversation,
 *   t: import("../texts/texts.js").Texts}} options
 * @returns {Promise<boolean>} whether the user has left; rejects with a `RoostError`
 */
export function openLeave(root: Node & ParentNode, { client, conversation, t }: {
    client: import("../roost.js").Client;
    conversation: import("../roost.js").Conversation;
    t: import("../texts/texts.js").Texts;
}): Promise<boolean>;
