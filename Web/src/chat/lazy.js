import { h } from "../ui/dom.js";
import { isMedia, mediaBox } from "./messages/media-box.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("../client/types.js").MessageItem} MessageItem */

// Parts that are loaded when they are first needed, or when the browser has time.

const actions = () => import("./messages/message-actions.js");
const emoji = () => import("./composer/emoji-picker.js");
const dialogs = () => import("./composer/composer-dialogs.js");
const recorder = () => import("./composer/voice-recorder.js");
const lightbox = () => import("./messages/lightbox.js");
const saving = () => import("./messages/download.js");

const schedules = () => import("./composer/schedule-list.js");

let isOpening = false;

/**
 * Opens a part that may have to be loaded first. Until then another press does nothing, so that it opens once.
 *
 * @param {Context} context
 * @param {() => Promise<unknown>} work
 */
async function open(context, work) {
  if (isOpening) return;
  isOpening = true;
  await work().catch(context.fail);
  isOpening = false;
}

/** Loads the files to be sent. */
export const loadAttachments = () => import("./composer/attachments.js");

/** Loads what takes dropped files: at once, as a browser opens a file that nobody takes. */
export const loadFileDrop = () => import("./composer/file-drop.js");

/** Loads what is not needed to draw the first messages: albums, times, profiles, selection, printing. */
export const loadExtras = () => import("./extras.js");

/** Loads what selects several messages. */
export const loadSelection = () => import("./messages/selection.js");

/** Loads what shows a person. */
export const loadProfile = () => import("./channels/profile-dialog.js");

/** Loads the list of members to mention. */
export const loadMentionPopup = () => import("./composer/mention-popup.js");

/** @type {typeof import("./messages/message-vote.js") | undefined} */
let votes;
const loadVotes = async () => {
  votes = await import("./messages/message-vote.js");
};

/** @type {typeof import("./messages/message-voice.js") | undefined} */
let voices;
const loadVoices = async () => {
  voices = await import("./messages/message-voice.js");
};

/** @type {typeof import("./messages/message-files.js") | undefined} */
let files;
const loadFiles = async () => {
  files = await import("./messages/message-files.js");
};

/**
 * The places of views whose parts are being loaded, with what they will show.
 * @type {WeakMap<HTMLElement, MessageItem>}
 */
const waiting = new WeakMap();

/**
 * A place for a view whose part is being loaded.
 *
 * @param {Context} context
 * @param {HTMLElement} place
 * @param {MessageItem} item
 * @param {Promise<unknown>} loading
 * @param {(item: MessageItem) => HTMLElement | undefined} make
 */
function later(context, place, item, loading, make) {
  waiting.set(place, item);
  loading.then(() => {
    const view = make(waiting.get(place) ?? item);
    const isStop = /** @type {HTMLElement | null} */ (place.closest(".row"))?.tabIndex === 0;
    for (const control of view?.querySelectorAll("input, button") ?? []) {
      /** @type {HTMLElement} */ (control).tabIndex = isStop ? 0 : -1;
    }
    if (view) place.replaceWith(view);
  }).catch(context.fail);
  return place;
}

/**
 * See `voteView` of message-vote.js. It is empty until that is loaded.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @param {HTMLElement} meta
 * @returns {HTMLElement}
 */
export function voteView(context, item, meta) {
  if (votes) return votes.voteView(context, item, meta);
  return later(context, h("div", null, meta), item, loadVotes(), () => votes?.voteView(context, item, meta));
}

/**
 * See `fileView` of message-files.js and `voiceView` of message-voice.js. It is empty until that is loaded.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @returns {HTMLElement}
 */
export function fileView(context, item) {
  if (item.message.type === "voice") {
    if (voices) return voices.voiceView(context, item);
    return later(context, h("span", { class: "voice" }), item, loadVoices(), (now) => voices?.voiceView(context, now));
  }
  if (files) return files.fileView(context, item);
  const place = isMedia(item.message) ? mediaBox(item.message) : h("span", { class: "document" });
  return later(context, place, item, loadFiles(), (now) => files?.fileView(context, now));
}

/**
 * See `showProgress` of message-files.js.
 *
 * @param {Context} context
 * @param {HTMLElement} view
 * @param {MessageItem} item
 */
export function showProgress(context, view, item) {
  if (files) return files.showProgress(context, view, item);
  waiting.set(view, item);
  loadFiles().then(() => files?.showProgress(context, view, waiting.get(view) ?? item)).catch(context.fail);
}

/** See `stopPlaying` of message-voice.js. */
export const stopPlaying = () => voices?.stopPlaying();

/**
 * Loads all of them, so that they open at once later, and without a connection too.
 *
 * @param {import("../client/client.js").Client} client
 */
export function preload(client) {
  const work = () => {
    const all = [loadExtras, loadSelection, loadProfile, loadFiles, loadVotes, loadVoices, loadMentionPopup,
      loadAttachments, actions, emoji, dialogs, recorder, lightbox, saving, () => client.loadFiles()];
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
  open(context, async () => (await actions()).openActions(context, item, place));
}

/**
 * See `openStartSheet` of message-actions.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").Message} message
 */
export function openStartSheet(context, message) {
  open(context, async () => (await actions()).openStartSheet(context, message));
}

/**
 * See `openEmojiPicker` of emoji-picker.js.
 *
 * @param {Context} context
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null,
 *   onpick: (emoji: string) => void}} options
 */
export function openEmojiPicker(context, options) {
  open(context, async () => (await emoji()).openEmojiPicker(context, options));
}

/**
 * See `openComposerMenu` of composer-dialogs.js.
 *
 * @param {Context} context
 * @param {Parameters<typeof import("./composer/composer-dialogs.js").openComposerMenu>[1]} options
 */
export function openComposerMenu(context, options) {
  open(context, async () => (await dialogs()).openComposerMenu(context, options));
}

/**
 * See `showSchedules` of schedule-list.js.
 *
 * @param {Context} context
 * @param {HTMLElement} place
 */
export function showSchedules(context, place) {
  schedules().then((part) => part.showSchedules(context, place), context.fail);
}

/**
 * See `showNote` of composer-note.js.
 *
 * @param {Context} context
 * @param {HTMLElement} place
 */
export function showNote(context, place) {
  loadExtras().then((part) => part.showNote(context, place), context.fail);
}

/**
 * See `record` of voice-recorder.js.
 *
 * @param {Context} context
 * @param {Parameters<typeof import("./composer/voice-recorder.js").record>[1]} options
 */
export function record(context, options) {
  open(context, async () => (await recorder()).record(context, options));
}

/**
 * See `askToCloseVote` of message-actions.js.
 *
 * @param {Context} context
 * @param {string} messageID
 */
export function askToCloseVote(context, messageID) {
  open(context, async () => (await actions()).askToCloseVote(context, messageID));
}

/**
 * See `openLightbox` of lightbox.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").Message[]} messages
 * @param {number} index
 */
export function openLightbox(context, messages, index) {
  open(context, async () => (await lightbox()).openLightbox(context, messages, index));
}

/**
 * See `download` of download.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").Message} message
 */
export function download(context, message) {
  // What else opens does not wait for the bytes.
  open(context, async () => void (await saving()).download(context, message));
}
