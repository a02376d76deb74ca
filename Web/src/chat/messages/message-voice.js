import "../../texts/more.js";
import "../../ui/more-icons.js";
import { h, on, set, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt } from "../../ui/styles.js";
import { fileStyles } from "../styles/file-styles.js";
import { keepPlaying } from "./media-links.js";
import { showProgress } from "./message-files.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */

/** The voice message that is playing: only one at a time, and it goes on when its row is drawn again. */
const player = {
  key: "",
  audio: /** @type {HTMLAudioElement | null} */ (null),
  show: /** @type {() => void} */ (() => {}),
};

/** Stops the voice message that is playing. */
export function stopPlaying() {
  player.audio?.pause();
  player.audio = null;
  player.key = "";
  player.show();
  player.show = () => {};
}

/**
 * Draws a voice message with its player.
 *
 * @param {Context} context
 * @param {MessageItem} item
 */
export function voiceView(context, item) {
  const { t, times } = context;
  adopt(context.root, fileStyles);
  const { file } = item.message;
  const duration = file?.durationMs ?? 0;
  const button = h("button", { type: "button", class: "icon-button primary" });
  const range = h("input", { type: "range", min: "0", max: "1000", value: "0", "aria-label": t("file.position") });
  const time = h("span", { class: "hint", role: "timer", "aria-live": "off" });
  const view = h("span", { class: "voice", role: "group", "aria-label": t("file.voice", {
    duration: times.durationText(duration) }) }, button, range, time);
  let shownState = "";
  const show = () => {
    const audio = player.key === item.key ? player.audio : null;
    const isPlaying = Boolean(audio && !audio.paused);
    const length = audio && Number.isFinite(audio.duration) ? audio.duration * 1000 : duration;
    const at = (audio?.currentTime ?? 0) * 1000;
    const state = isPlaying ? "pause" : "play";
    if (state !== shownState) {
      shownState = state;
      button.replaceChildren(icon(state));
      set(button, { "aria-label": t(`file.${state}`) });
    }
    range.value = String(length ? Math.round((at / length) * 1000) : 0);
    range.style.setProperty("--at", `${length ? (at / length) * 100 : 0}%`);
    set(range, { "aria-valuetext": times.durationText(at) });
    setText(time, times.durationText(audio ? at : duration));
  };
  on(button, "click", () => play(context, item, show));
  on(range, "input", () => {
    const { audio } = player;
    if (player.key !== item.key || !audio) return;
    const length = Number.isFinite(audio.duration) ? audio.duration : duration / 1000;
    audio.currentTime = (Number(range.value) / 1000) * length;
  });
  if (player.key === item.key) player.show = show;
  show();
  showProgress(context, view, item);
  return view;
}

/**
 * Plays a voice message, or stops for a while.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @param {() => void} show shows how far it is
 */
async function play({ client, t, toasts }, { key, message }, show) {
  const { file, localURL } = message;
  try {
    if (player.key !== key) {
      stopPlaying();
      player.key = key;
      player.show = show;
      const source = localURL ?? await client.fileURL(file?.fileID ?? "");
      if (player.key !== key) return;
      const audio = new Audio(source);
      player.audio = audio;
      on(audio, "timeupdate play pause ended durationchange", () => player.show());
      on(audio, "ended", () => (audio.currentTime = 0));
      if (!localURL) keepPlaying(audio, () => client.fileURL(file?.fileID ?? ""), stopPlaying);
    }
    const { audio } = player;
    if (audio?.paused) await audio.play();
    else audio?.pause();
  } catch {
    stopPlaying();
    toasts.show(t("file.failed"), { isFailure: true });
  }
}
