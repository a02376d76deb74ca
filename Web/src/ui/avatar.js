import { h } from "./dom.js";

/** Each has a contrast of at least 5.8 : 1 with white. */
const tints = [
  "#0b6e5f", "#9a3b2f", "#6a4fb0", "#2f6397", "#8a5a0b", "#a0356f", "#3f6b1f", "#5a5f6b", "#7a3f9a", "#1f6f7a",
  "#8c4a3a", "#45579f",
];

/**
 * The colour of a user or channel, always the same for the same id; white text on it is readable.
 *
 * @param {string} id
 * @returns {string}
 */
export function tintOf(id) {
  let sum = 0;
  for (let index = 0; index < id.length; index += 1) sum = (sum * 31 + id.charCodeAt(index)) >>> 0;
  return tints[sum % tints.length];
}

/**
 * The initials of a name: of the first and the last word, or of one word.
 *
 * @param {string} name
 * @returns {string} one or two characters; "?" if the name has none
 */
export function initialsOf(name) {
  const words = name.split(/\s+/).map((word) => word.match(/[\p{L}\p{N}]/u)?.[0]).filter(Boolean);
  return (words.length > 1 ? `${words[0]}${words[words.length - 1]}` : words[0] ?? "?").toUpperCase();
}

/**
 * Makes the picture of a user or channel: initials on a colour, and over them the picture when it has loaded. It is
 * decoration: the name stands beside it.
 *
 * @param {{id: string, name: string, imageURL?: string}} of
 * @param {{size?: number, resolve?: (imageURL: string) => Promise<string | null>}} options `size` in CSS pixels;
 *   `resolve` gives the address to load, as `client.imageURL` does
 * @returns {HTMLElement}
 */
export function avatar({ id, name, imageURL }, { size = 36, resolve } = {}) {
  const element = h(
    "span",
    { class: "avatar", part: "avatar", "aria-hidden": "true", css: { "--size": `${size}px`, "--tint": tintOf(id) } },
    initialsOf(name),
  );
  if (imageURL && resolve) {
    resolve(imageURL).then((source) => {
      if (!source) return;
      const image = h("img", { alt: "", draggable: "false", decoding: "async", referrerpolicy: "no-referrer" });
      image.onload = () => element.append(image);
      image.src = source;
    }, () => {});
  }
  return element;
}
