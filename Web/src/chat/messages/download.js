import "../../texts/more.js";
import { h } from "../../ui/dom.js";

/** @typedef {Pick<import("../context.js").Context, "client" | "toasts" | "t">} Context */
/** @typedef {import("../../client/types.js").Message} Message */

/**
 * Saves the file of a message.
 *
 * @param {Context} context
 * @param {Message} message
 */
export async function download({ client, toasts, t }, message) {
  try {
    const link = message.localURL ?? await client.fileURL(message.file?.fileID ?? "");
    const href = await ownLink(link);
    h("a", { href, download: message.file?.name ?? "", target: "_blank", rel: "noopener noreferrer" }).click();
    if (href !== link) setTimeout(() => URL.revokeObjectURL(href), 60_000);
  } catch {
    toasts.show(t("file.failed"), { isFailure: true });
  }
}

/**
 * Browsers save only what has the page's own origin, and show everything else: that is read first.
 *
 * @param {string} link
 */
async function ownLink(link) {
  const { protocol, origin } = new URL(link, location.href);
  if (protocol === "blob:" || origin === location.origin) return link;
  const response = await fetch(link);
  if (!response.ok) throw new Error(`${response.status}`);
  return URL.createObjectURL(await response.blob());
}
