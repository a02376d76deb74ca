/**
 * Opens the dialog for a new group: title and members.
 *
 * @param {Node & ParentNode} root
 * @param {{client: Client, t: Texts, members?: Person[], onSelect?: (channel: string) => void,
 *   onFailure: (error: unknown) => void}} options `members` are chosen already
 */
export function openCreateGroup(root: Node & ParentNode, { client, t, members, onSelect, onFailure }: {
    client: Client;
    t: Texts;
    members?: import("./people-picker.js").Person[] | undefined;
    onSelect?: ((channel: string) => void) | undefined;
    onFailure: (error: unknown) => void;
}): void;
/**
 * Opens the dialog that invites people into a group.
 *
 * @param {Node & ParentNode} root
 * @param {{client: Client, t: Texts, conversation: Conversation}} options
 */
export function openInvite(root: Node & ParentNode, { client, t, conversation }: {
    client: Client;
    t: Texts;
    conversation: Conversation;
}): void;
/**
 * Opens the dialog that changes a group's title; an empty one removes it.
 *
 * @param {Node & ParentNode} root
 * @param {{t: Texts, conversation: Conversation}} options
 */
export function openRename(root: Node & ParentNode, { t, conversation }: {
    t: Texts;
    conversation: Conversation;
}): void;
export type Client = import("../roost.js").Client;
export type Conversation = import("../roost.js").Conversation;
export type Texts = import("../texts/texts.js").Texts;
export type Person = import("./people-picker.js").Person;
