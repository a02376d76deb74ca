/** @type {WeakMap<object, string>} */
const keys = new WeakMap();
let count = 0;

/**
 * A key that is another one where the element has to connect anew: for another token that is a text, and for another
 * client. A function is asked for each token, so another one changes nothing.
 *
 * @param {{token?: unknown, client?: object | null}} props
 */
export function keyOf({ token, client }) {
  if (!client) return typeof token === "function" ? "function" : `token ${token ?? ""}`;
  let key = keys.get(client);
  if (!key) keys.set(client, (key = `client ${(count += 1)}`));
  return key;
}
