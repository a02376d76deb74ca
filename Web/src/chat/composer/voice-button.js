import { h, on } from "../../ui/dom.js";
import { record } from "../lazy.js";
import { composerButton } from "./composer-button.js";

/** @typedef {import("../../client/drafts.js").DraftFile} DraftFile */

/** Whether this browser can record. */
export const mayRecord = typeof MediaRecorder !== "undefined" && Boolean(navigator.mediaDevices);

/** The button that records a voice message, and what shows it meanwhile in the place of the field. */
export class VoiceButton {
  /**
   * @param {import("../context.js").Context} context
   * @param {HTMLElement} line what is hidden while it records
   * @param {{onpart: () => void, onend: (recorded: DraftFile | null) => void}} options `onpart` is called when more was
   *   recorded; `onend` when the user has ended it, with null if it was discarded
   */
  constructor(context, line, { onpart, onend }) {
    this.element = composerButton(context, "composer.record", "microphone", () => {
      // A second press, while the first one still asks for the microphone, must not end what that begins.
      this.#end ??= new AbortController();
      record(context, {
        bar: this.bar,
        line,
        signal: this.#end.signal,
        onpart: (files) => {
          this.files = files;
          onpart();
        },
        onend: (recorded) => {
          this.#end = null;
          onend(recorded);
        },
      });
    });
    on(context.signal, "abort", () => this.#end?.abort());
  }

  bar = h("div", { class: "line recording", hidden: true });
  /** What is being recorded. */
  files = /** @type {DraftFile[]} */ ([]);
  /** @type {AbortController | null} */
  #end = null;
}
