/**
 * Decodes a BlurHash.
 *
 * @param {string} hash
 * @param {number} width in pixels; small, as the picture is stretched
 * @param {number} height
 * @returns {Uint8ClampedArray | null} RGBA; null if it is no BlurHash
 */
export function decodeBlurHash(hash: string, width: number, height: number): Uint8ClampedArray | null;
