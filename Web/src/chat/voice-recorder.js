import { h, on, refill, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {{blob: Blob, durationMs: number, name: string}} Recorded */

/** The media types to record in, the best first: what browsers can record and all others can play. */
const types = ["audio/mp4", "audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/webm"];

/** Records a voice message with the microphone. */
class VoiceRecorder {
  /** @type {MediaRecorder | null} */
  #recorder = null;
  /** @type {MediaStream | null} */
  #stream = null;
  #startedAt = 0;
  /** @type {Blob[]} */
  #parts = [];
  #isCancelled = false;

  /** How long it has been recording, in ms. */
  get durationMs() {
    return this.#startedAt ? Math.round(performance.now() - this.#startedAt) : 0;
  }

  /** Asks for the microphone and records. Throws if the user or the browser refuses; false if cancelled meanwhile. */
  async start() {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    this.#stream = stream;
    if (this.#isCancelled) {
      this.#release();
      return false;
    }
    const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type));
    const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {});
    recorder.ondataavailable = ({ data }) => this.#parts.push(data);
    recorder.start();
    this.#recorder = recorder;
    this.#startedAt = performance.now();
    return true;
  }

  /**
   * Ends the recording.
   *
   * @returns {Promise<Recorded | null>} null if there is nothing
   */
  async stop() {
    const recorder = this.#recorder;
    const { durationMs } = this;
    if (!recorder || recorder.state === "inactive") return null;
    const ended = new Promise((resolve) => (recorder.onstop = resolve));
    recorder.stop();
    await ended;
    this.#release();
    const type = recorder.mimeType.split(";")[0];
    const blob = new Blob(this.#parts, { type });
    const ending = { "audio/mp4": "m4a", "audio/webm": "webm", "audio/ogg": "ogg" }[type] ?? "audio";
    return blob.size ? { blob, durationMs, name: `voice.${ending}` } : null;
  }

  /** Throws the recording away. */
  cancel() {
    this.#isCancelled = true;
    if (this.#recorder?.state === "recording") this.#recorder.stop();
    this.#release();
  }

  #release() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
  }
}

/**
 * Records a voice message: shows how long it is, and the buttons to discard and to send it.
 *
 * @param {Context} context
 * @param {{bar: HTMLElement, signal: AbortSignal, onstart: () => void, onend: (recorded: Recorded | null) => void}}
 *   options the signal discards it; `onend` is called once after `onstart`, with null if it was discarded
 */
export async function record(context, { bar, signal, onstart, onend }) {
  const { t, times, toasts, live } = context;
  const recorder = new VoiceRecorder();
  on(signal, "abort", () => recorder.cancel());
  try {
    if (!(await recorder.start())) return;
  } catch (error) {
    const isMissing = /** @type {Error} */ (error).name === "NotFoundError";
    toasts.show(t(isMissing ? "composer.noMicrophone" : "composer.microphoneBlocked"), { isFailure: true });
    return;
  }
  const time = h("span", { class: "grow" });
  const show = () => setText(time, t("composer.recording", { duration: times.durationText(recorder.durationMs) }));
  const timer = setInterval(show, 250);
  on(signal, "abort", () => clearInterval(timer));
  const end = async (/** @type {boolean} */ isSent) => {
    clearInterval(timer);
    const recorded = isSent ? await recorder.stop() : null;
    if (!isSent) recorder.cancel();
    onend(recorded);
  };
  /** @param {import("../texts/texts.js").Key} key @param {"trash" | "send"} sign @param {boolean} isSent */
  const button = (key, sign, isSent) => h("button", {
    type: "button", class: `icon-button ${isSent ? "primary" : ""}`, "aria-label": t(key), title: t(key),
    onclick: () => end(isSent),
  }, icon(sign));
  const send = button("composer.sendRecording", "send", true);
  const line = h("div", { class: "recording-line", onkeydown: (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end(false);
  } }, button("composer.cancelRecording", "trash", false), h("span", { class: "dot", "aria-hidden": "true" }),
  time, send);
  refill(bar, line);
  show();
  onstart();
  send.focus();
  live.note(t("composer.recording", { duration: times.durationLabel(0) }));
}
