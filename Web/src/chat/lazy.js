/** @typedef {import("./context.js").Context} Context */

// Parts that are loaded when they are first needed, or when the browser has time.

const actions = () => import("./message-actions.js");
const emoji = () => import("./emoji-picker.js");
const dialogs = () => import("./composer-dialogs.js");
const recorder = () => import("./voice-recorder.js");
const lightbox = () => import("./lightbox.js");

/** Loads the files to be sent. */
export const loadAttachments = () => import("./attachments.js");

/** Loads the list of members to mention. */
export const loadMentionPopup = () => import("./mention-popup.js");

/** @type {typeof import("./message-vote.js") | undefined} */
let votes;
const loadVotes = async () => {
  votes = await import("./message-vote.js");
  return votes;
};

/**
 * See `voteView` of message-vote.js. It is empty until that is loaded.
 *
 * @param {Context} context
 * @param {import("../client/types.js").MessageItem} item
 * @param {HTMLElement} meta
 * @returns {HTMLElement}
 */
export function voteView(context, item, meta) {
  if (votes) return votes.voteView(context, item, meta);
  const place = document.createElement("div");
  place.append(meta);
  loadVotes().then((part) => {
    const view = part.voteView(context, item, meta);
    const isStop = /** @type {HTMLElement | null} */ (place.closest(".row"))?.tabIndex === 0;
    for (const control of view.querySelectorAll("input, button")) {
      /** @type {HTMLElement} */ (control).tabIndex = isStop ? 0 : -1;
    }
    place.replaceWith(view);
  }).catch(context.fail);
  return place;
}

/** Loads all of them, so that they open at once later, and without a connection too. */
export function preload() {
  const work = () => {
    const all = [loadVotes, loadMentionPopup, loadAttachments, actions, emoji, dialogs, recorder, lightbox];
    for (const load of all) load().catch(() => {});
  };
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 1000);
}

/**
 * See `openActions` of message-actions.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").MessageItem} item
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null}} place
 */
export function openActions(context, item, place) {
  actions().then((part) => part.openActions(context, item, place)).catch(context.fail);
}

/**
 * See `openStartSheet` of message-actions.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").Message} message
 */
export function openStartSheet(context, message) {
  actions().then((part) => part.openStartSheet(context, message)).catch(context.fail);
}

/**
 * See `openEmojiPicker` of emoji-picker.js.
 *
 * @param {Context} context
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null,
 *   onpick: (emoji: string) => void}} options
 */
export function openEmojiPicker(context, options) {
  emoji().then((part) => part.openEmojiPicker(context, options)).catch(context.fail);
}

/**
 * See `openComposerMenu` of composer-dialogs.js.
 *
 * @param {Context} context
 * @param {Parameters<typeof import("./composer-dialogs.js").openComposerMenu>[1]} options
 */
export function openComposerMenu(context, options) {
  dialogs().then((part) => part.openComposerMenu(context, options)).catch(context.fail);
}

/**
 * See `record` of voice-recorder.js.
 *
 * @param {Context} context
 * @param {Parameters<typeof import("./voice-recorder.js").record>[1]} options
 */
export function record(context, options) {
  recorder().then((part) => part.record(context, options)).catch(context.fail);
}

/**
 * See `askToCloseVote` of message-actions.js.
 *
 * @param {Context} context
 * @param {string} messageID
 */
export function askToCloseVote(context, messageID) {
  actions().then((part) => part.askToCloseVote(context, messageID)).catch(context.fail);
}

/**
 * See `openLightbox` of lightbox.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").Message[]} messages
 * @param {number} index
 */
export function openLightbox(context, messages, index) {
  lightbox().then((part) => part.openLightbox(context, messages, index)).catch(context.fail);
}
