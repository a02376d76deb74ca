/**
 * The colour of a user or channel, always the same for the same id; white text on it is readable.
 *
 * @param {string} id
 * @returns {string}
 */
export function tintOf(id: string): string;
/**
 * The initials of a name: of the first and the last word, or of one word.
 *
 * @param {string} name
 * @returns {string} one or two characters; "?" if the name has none
 */
export function initialsOf(name: string): string;
/**
 * Makes the picture of a user or channel: initials on a colour, and over them the picture when it has loaded. It is
 * decoration: the name stands beside it.
 *
 * @param {{id: string, name: string, imageURL?: string}} of
 * @param {{size?: number, resolve?: (imageURL: string) => Promise<string | null>}} options `size` in CSS pixels;
 *   `resolve` gives the address to load, as `client.imageURL` does
 * @returns {HTMLElement}
 */
export function avatar({ id, name, imageURL }: {
    id: string;
    name: string;
    imageURL?: string;
}, { size, resolve }?: {
    size?: number | undefined;
    resolve?: ((imageURL: string) => Promise<string | null>) | undefined;
}): HTMLElement;
