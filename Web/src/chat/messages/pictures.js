import { h, on } from "../../ui/dom.js";

/** The longest side of a picture of a user or a group, in pixels. */
const size = 512;

/**
 * Makes a picture small enough for an avatar: the square in its middle, at most 512 pixels wide.
 *
 * @param {Blob} file
 * @returns {Promise<Blob>} the file itself if this browser cannot read it
 */
export async function smallPicture(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return file;
  }
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = h("canvas");
  canvas.width = canvas.height = Math.min(side, size);
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas.getContext("2d")?.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const type = file.type === "image/png" ? "image/png" : "image/jpeg";
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), type, 0.88));
}

/**
 * Lets the user choose a picture. Call it only on a click of the user.
 *
 * @param {(picture: Blob) => void} taken gets the picture, made small; it is not called if none is chosen
 */
export function choosePicture(taken) {
  const input = h("input", { type: "file", accept: "image/png,image/jpeg,image/webp,image/gif", hidden: true });
  on(input, "change", async () => {
    const file = input.files?.[0];
    input.remove();
    if (file) taken(await smallPicture(file));
  });
  on(input, "cancel", () => input.remove());
  document.body.append(input);
  input.click();
}
