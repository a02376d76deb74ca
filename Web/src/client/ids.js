/** @param {number} bytes */
function randomHex(bytes) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
}

/** Makes a transID: 12 hexadecimal digits of the time in ms, and 16 random ones. */
export const makeTransID = (now = Date.now()) => now.toString(16).padStart(12, "0").slice(-12) + randomHex(8);

/** Makes the id of a device. */
export const makeDeviceID = () => `web-${randomHex(8)}`;

const encoder = new TextEncoder();

/**
 * Compares two strings by the bytes of their UTF-8, as ids are ordered.
 * @param {string} a
 * @param {string} b
 * @returns {number} negative, 0 or positive
 */
export function compareBytes(a, b) {
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  for (let index = 0; index < left.length && index < right.length; index++) {
    if (left[index] !== right[index]) return left[index] - right[index];
  }
  return left.length - right.length;
}

/**
 * Whether a string is a user id: 1 to 64 of `A–Z a–z 0–9 _ . @ -`.
 * @param {string} id
 */
export const isUserID = (id) => /^[A-Za-z0-9_.@-]{1,64}$/.test(id);

/**
 * Whether a string is the id of a channel that a caller may make: 1 to 64 of `A–Z a–z 0–9 _ . -`.
 * @param {string} id
 */
export const isChannelID = (id) => /^[A-Za-z0-9_.-]{1,64}$/.test(id);

/**
 * The id of the 1-on-1 of two users; of the self channel if they are the same.
 * @param {string} a
 * @param {string} b
 */
export const singleChannelID = (a, b) => (compareBytes(a, b) <= 0 ? `${a}:${b}` : `${b}:${a}`);

/**
 * The text with each half of a surrogate pair replaced by U+FFFD: the server refuses frames with such halves.
 * @param {string} text
 */
export const wellFormed = (text) =>
  text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) => (found.length === 2 ? found : "\ufffd"));

/**
 * The JSON of a value, with all its strings well-formed.
 * @param {unknown} value
 */
export const wellFormedJSON = (value) =>
  JSON.stringify(value, (_, inner) => (typeof inner === "string" ? wellFormed(inner) : inner));
