/**
 * @typedef {import("../client/types.js").Channel} Channel
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("../texts/texts.js").Texts} Texts
 */
/**
 * The picture of a channel: its own, or that of the other member of a 1-on-1.
 *
 * @param {Client} client
 * @param {Channel} channel
 * @returns {{id: string, name: string, imageURL?: string}}
 */
export function pictureOf(client: Client, channel: Channel): {
    id: string;
    name: string;
    imageURL?: string | undefined;
};
/** A row of the list of conversations. */
export class ChannelRow {
    /**
     * @param {Client} client
     * @param {Texts} t
     * @param {import("../texts/times.js").Times} times
     * @param {Channel} channel
     */
    constructor(client: Client, t: Texts, times: import("../texts/times.js").Times, channel: Channel);
    /** The channel that it shows. */
    channel: import("../client/types.js").Channel;
    /** The button that opens the conversation. */
    opener: HTMLButtonElement;
    /** The button that opens the menu. */
    more: HTMLButtonElement;
    /** The element of the row. */
    element: HTMLLIElement;
    /** The id of the channel. */
    get id(): string;
    /**
     * Whether the Tab key stops at this row.
     *
     * @param {boolean} isStop
     */
    setTabStop(isStop: boolean): void;
    /**
     * Shows the channel as it is now.
     *
     * @param {boolean} isSelected whether its conversation is open
     */
    update(isSelected: boolean): void;
    /** Shows the time of the last message as it is called now. */
    updateTime(): void;
    #private;
}
export type Channel = import("../client/types.js").Channel;
export type Client = import("../roost.js").Client;
export type Texts = import("../texts/texts.js").Texts;
