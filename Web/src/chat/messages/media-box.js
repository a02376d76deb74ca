import { h } from "../../ui/dom.js";

/** @typedef {import("../../client/types.js").Message} Message */

const widest = 340;
const highest = 340;

/**
 * The size in which a picture or film is drawn, in CSS pixels; it is reserved before its bytes are there.
 *
 * @param {{width?: number, height?: number} | undefined} file
 * @returns {{width: number, height: number}}
 */
export function mediaSize(file) {
  const { width = 0, height = 0 } = file ?? {};
  if (!(width > 0 && height > 0)) return { width: 260, height: 195 };
  const scale = Math.min(1, widest / width, highest / height);
  return {
    width: Math.round(Math.min(widest, Math.max(96, width * scale))),
    height: Math.round(Math.min(highest, Math.max(64, height * scale))),
  };
}

/**
 * Whether a message is a picture or a film, which opens over the page and may be in an album.
 *
 * @param {Message} message
 */
export const isPicture = ({ type }) => type === "image" || type === "video";

/**
 * Whether the file of a message is drawn, rather than named.
 *
 * @param {Message} message
 */
export const isMedia = (message) => isPicture(message) || message.type === "sticker";

/**
 * The empty place of a picture or film, in its size.
 *
 * @param {Message} message
 */
export function mediaBox({ type, file, thumbnail }) {
  const { width, height } = mediaSize(file?.width ? file : thumbnail ?? file);
  return h("span", { class: `media ${type}`, css: { "--width": `${width}px`, "--ratio": `${width} / ${height}` } });
}
