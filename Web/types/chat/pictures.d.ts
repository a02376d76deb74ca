/**
 * Makes a picture small enough for an avatar: the square in its middle, at most 512 pixels wide.
 *
 * @param {Blob} file
 * @returns {Promise<Blob>} the file itself if this browser cannot read it
 */
export function smallPicture(file: Blob): Promise<Blob>;
/**
 * Lets the user choose a picture. Call it only on a click of the user.
 *
 * @param {(picture: Blob) => void} taken gets the picture, made small; it is not called if none is chosen
 */
export function choosePicture(taken: (picture: Blob) => void): void;
