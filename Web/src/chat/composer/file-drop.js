import { h, on } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt, css } from "../../ui/styles.js";

const dropStyles = css(`
.drop { position: absolute; inset: 8px; z-index: 5; display: grid; place-content: center; justify-items: center;
  gap: 12px; border: 2px dashed var(--roost-accent); border-radius: 16px; font-weight: 600; color: var(--roost-accent);
  background: color-mix(in srgb, var(--roost-surface) 90%, transparent); pointer-events: none; }
`);

/**
 * Takes the files that are dropped on a conversation.
 *
 * @param {import("../context.js").Context} context
 * @param {HTMLElement} element the conversation; it says so while files are dragged over it
 * @param {import("./composer.js").Composer} composer takes them
 */
export function watchDrops({ conversation, root, signal, t }, element, composer) {
  adopt(root, dropStyles);
  const drop = h("div", { class: "drop", hidden: true }, icon("attach"), t("composer.drop"));
  element.append(drop);
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
    composer.addFiles([...event.dataTransfer.files]);
  }, signal);
}
