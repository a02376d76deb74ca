import { on } from "../../ui/dom.js";

/**
 * Takes the files that are dropped on a conversation.
 *
 * @param {import("../context.js").Context} context
 * @param {HTMLElement} drop shows while files are dragged over it
 * @param {(files: File[]) => void} ondrop
 */
export function watchDrops({ conversation, root, signal }, drop, ondrop) {
  let depth = 0;
  /** @param {DragEvent} event */
  const hasFiles = (event) => conversation.canWrite && event.dataTransfer?.types.includes("Files");
  on(root, "dragenter", (event) => {
    if (hasFiles(event)) drop.hidden = (depth += 1) < 1;
  }, signal);
  on(root, "dragleave", (event) => {
    if (hasFiles(event)) drop.hidden = (depth -= 1) < 1;
  }, signal);
  on(root, "dragover", (event) => hasFiles(event) && event.preventDefault(), signal);
  on(root, "drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop.hidden = true;
    depth = 0;
    ondrop([...event.dataTransfer.files]);
  }, signal);
}
