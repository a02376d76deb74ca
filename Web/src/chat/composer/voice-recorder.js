import "../../texts/more.js";
import "../../ui/more-icons.js";
import { h, on, refill, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt, css } from "../../ui/styles.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").DraftFile} Recorded */

const styles = css(`
.recording-line { flex: 1; display: flex; align-items: center; gap: 8px; font-variant-numeric: tabular-nums; }
.recording .dot { width: 10px; height: 10px; border-radius: 50%; background: var(--roost-danger);
  animation: roost-blink 1.2s ease-in-out infinite alternate; }
@keyframes roost-blink { to { opacity: .25; } }
`);

/** The media types to record in, the best first: what browsers can record and all others can play. */
const types = ["audio/mp4", "audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/webm"];

/** So often, in ms, what was recorded is kept. */
const slice = 2_000;

/** Records a voice message with the microphone. */
class VoiceRecorder {
  /** @param {(recorded: Recorded) => void} onpart gets what was recorded so far */
  constructor(onpart) {
    this.#onpart = onpart;
  }

  #onpart;
  /** @type {MediaRecorder | null} */
  #recorder = null;
  /** @type {MediaStream | null} */
  #stream = null;
  #startedAt = 0;
  /** @type {Blob[]} */
  #parts = [];
  #isCancelled = false;
  #isEnding = false;
  /** How many bytes were kept last. */
  #kept = 0;

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
    recorder.ondataavailable = ({ data }) => {
      this.#parts.push(data);
      const { recorded } = this;
      if (!recorded || this.#isCancelled) return;
      // All of it is written each time: a long recording less often.
      if (!this.#isEnding && recorded.file.size < this.#kept * 1.25) return;
      this.#kept = recorded.file.size;
      this.#onpart(recorded);
    };
    recorder.start(slice);
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
    if (!recorder || recorder.state === "inactive") return null;
    this.#isEnding = true;
    const ended = new Promise((resolve) => (recorder.onstop = resolve));
    recorder.stop();
    await ended;
    this.#release();
    return this.recorded;
  }

  /** What was recorded so far; null if that is nothing. */
  get recorded() {
    const type = (this.#recorder?.mimeType ?? "").split(";")[0];
    const file = new Blob(this.#parts, { type });
    const ending = { "audio/mp4": "m4a", "audio/webm": "webm", "audio/ogg": "ogg" }[type] ?? "audio";
    return file.size ? { file, durationMs: this.durationMs, name: `voice.${ending}`, type: "voice" } : null;
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
 * @param {{bar: HTMLElement, line: HTMLElement, signal: AbortSignal, onpart: (recorded: Recorded[]) => void,
 *   onend: (recorded: Recorded | null) => void}} options `bar` shows it, in place of `line`; the signal ends it;
 *   `onpart` is called with what was recorded so far, and with nothing before `onend`, when the user ends it, with null
 *   if it was discarded
 */
export async function record(context, { bar, line, signal, onpart, onend }) {
  const { t, times, toasts, live } = context;
  adopt(context.root, styles);
  const recorder = new VoiceRecorder((recorded) => onpart([recorded]));
  on(signal, "abort", async () => {
    // The rest of what was said goes to `onpart`.
    await recorder.stop();
    recorder.cancel();
  });
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
    recorder.cancel();
    if (signal.aborted) return;
    line.hidden = false;
    bar.hidden = true;
    bar.replaceChildren();
    onpart([]);
    if (isSent && !recorded) toasts.show(t("composer.nothingRecorded"), { isFailure: true });
    onend(recorded);
  };
  /** @param {import("../../texts/texts.js").Key} key @param {"trash" | "send"} sign @param {boolean} isSent */
  const button = (key, sign, isSent) => h("button", {
    type: "button", class: `icon-button ${isSent ? "primary" : ""}`, "aria-label": t(key), title: t(key),
    onclick: () => end(isSent),
  }, icon(sign));
  const send = button("composer.sendRecording", "send", true);
  const view = h("div", { class: "recording-line", onkeydown: (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end(false);
  } }, button("composer.cancelRecording", "trash", false), h("span", { class: "dot", "aria-hidden": "true" }),
  time, send);
  refill(bar, view);
  show();
  line.hidden = true;
  bar.hidden = false;
  send.focus();
  live.note(t("composer.recording", { duration: times.durationLabel(0) }));
}
