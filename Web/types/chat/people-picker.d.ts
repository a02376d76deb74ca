/**
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("../texts/texts.js").Texts} Texts
 * @typedef {{userID: string, name: string, imageURL?: string}} Person
 */
/**
 * The other members of the user's conversations, those with the newest activity first.
 *
 * @param {Client} client
 * @param {Set<string>} [without] ids of users to leave out
 * @returns {Person[]} at most 500
 */
export function knownPeople(client: Client, without?: Set<string> | undefined): Person[];
export function personParts(client: Client, { userID, name, imageURL }: Person): Node[];
/**
 * A field for the id of a user, with the people that one knows below it, filtered by what is typed.
 */
export class PeoplePicker {
    /**
     * @param {Client} client
     * @param {Texts} t
     * @param {{label: string, hint: string, action: string, without?: Set<string>,
     *   pick: (person: Person) => void}} options `action` is the button beside the field; `pick`
     *   gets each person who is chosen and known to the server
     */
    constructor(client: Client, t: Texts, { label, hint, action, without, pick }: {
        label: string;
        hint: string;
        action: string;
        without?: Set<string> | undefined;
        pick: (person: Person) => void;
    });
    /**
     * The ids of those who are not offered any more.
     *
     * @type {Set<string>}
     */
    chosen: Set<string>;
    /** The field for an id. */
    input: HTMLInputElement;
    element: HTMLFormElement;
    /** Clears the field and offers everybody again who is not chosen. */
    reset(): void;
    #private;
}
export type Client = import("../roost.js").Client;
export type Texts = import("../texts/texts.js").Texts;
export type Person = {
    userID: string;
    name: string;
    imageURL?: string;
};
