/**
 * The language to use for a language tag: that of the tag if there are texts in it, else English. Every Chinese gets
 * the traditional script.
 *
 * @param {string} tag
 * @returns {string}
 */
export function languageOf(tag: string): string;
/**
 * The words of one language. The texts with a number have one form per plural category of the language; `{n}` stands
 * for the number.
 *
 * @typedef {Partial<Record<Intl.LDMLPluralRule, string>> & {other: string}} Forms
 * @typedef {{message: string, messages: string, send: string, empty: string, sending: string, notSent: string,
 *   left: Forms, tooLong: Forms, fresh: Forms, said: string}} Words
 */
/** @type {Record<string, Words>} */
export const languages: Record<string, Words>;
/** The texts, numbers and times of one language, for a tag such as "en" or "de-AT"; an unknown one is English. */
export class Texts {
    /** @param {string} tag */
    constructor(tag: string);
    /** The language of the texts, for the attribute `lang`. */
    language: string;
    words: Words;
    /**
     * How many characters can still be typed: `990 characters left`.
     *
     * @param {number} count
     */
    left(count: number): string;
    /**
     * By how many characters a text is too long.
     *
     * @param {number} count
     */
    tooLong(count: number): string;
    /**
     * How many messages are new: `3 new messages`.
     *
     * @param {number} count
     */
    fresh(count: number): string;
    /**
     * A message as it is read aloud; without a name only its text.
     *
     * @param {string} name
     * @param {string} text
     */
    said(name: string, text: string): string;
    /**
     * The time of day, in the time zone of the user: `10:05 AM`.
     *
     * @param {Date} time
     */
    clock(time: Date): string;
    /**
     * The day and the time.
     *
     * @param {Date} time
     */
    whole(time: Date): string;
    #private;
}
/**
 * The words of one language. The texts with a number have one form per plural category of the language; `{n}` stands
 * for the number.
 */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & {
    other: string;
};
/**
 * The words of one language. The texts with a number have one form per plural category of the language; `{n}` stands
 * for the number.
 */
export type Words = {
    message: string;
    messages: string;
    send: string;
    empty: string;
    sending: string;
    notSent: string;
    left: Forms;
    tooLong: Forms;
    fresh: Forms;
    said: string;
};
