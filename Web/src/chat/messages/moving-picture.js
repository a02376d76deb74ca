import { h, on } from "../../ui/dom.js";

/**
 * Lets a GIF move while it is pointed at, has the focus or was tapped; until then its still shows, with a sign. For
 * those who want less motion, pointing is not enough.
 *
 * @param {import("../context.js").Context} context
 * @param {import("../../client/types.js").Message} message
 * @param {HTMLElement} box made by `fileView`
 */
export function watchMoving({ client }, { file, thumbnail }, box) {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // A small one has no still, and moves by itself.
  if (!thumbnail && !isCalm) return;
  const button = /** @type {HTMLElement} */ (box.querySelector(".open"));
  const sign = h("span", { class: "chip" }, "GIF");
  button.append(sign);
  if (!thumbnail) keepStill(box, button);
  let isPlaying = false;
  let isTapped = false;
  /** @type {HTMLImageElement | null} */
  let picture = null;
  const stop = () => {
    isPlaying = isTapped = sign.hidden = false;
    picture?.remove();
  };
  const play = async () => {
    if (isPlaying) return;
    isPlaying = true;
    try {
      const source = await client.fileURL(file?.fileID ?? "");
      if (!isPlaying) return;
      picture = h("img", { class: "moving", alt: "", draggable: "false" });
      on(picture, "load", () => (sign.hidden = isPlaying));
      on(picture, "error", stop);
      picture.src = source;
      button.append(picture);
    } catch {
      stop();
    }
  };
  on(box, "pointerenter", (event) => void (event.pointerType === "mouse" && !isCalm && play()));
  on(box, "pointerleave", (event) => void (event.pointerType === "mouse" && !button.matches(":focus") && stop()));
  on(button, "focus", play);
  on(button, "blur", stop);
  // The first tap lets it move, the next one opens it.
  on(box, "click", (event) => {
    if (event.pointerType !== "touch" || isTapped) return;
    event.stopPropagation();
    isTapped = true;
    play();
  }, undefined, { capture: true });
}

/**
 * Shows the first frame of a picture in its place.
 *
 * @param {HTMLElement} box
 * @param {HTMLElement} button
 */
function keepStill(box, button) {
  const draw = () => {
    const picture = /** @type {HTMLImageElement | null} */ (button.querySelector("img:not(.moving)"));
    if (!picture) return;
    const still = h("canvas", { width: `${picture.naturalWidth}`, height: `${picture.naturalHeight}` });
    still.getContext("2d")?.drawImage(picture, 0, 0);
    picture.replaceWith(still);
  };
  if (box.classList.contains("is-loaded")) draw();
  else on(button, "load", draw, undefined, { capture: true });
}
