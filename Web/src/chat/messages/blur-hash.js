const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

/** @param {string} text */
const decode83 = (text) => [...text].reduce((value, digit) => value * 83 + digits.indexOf(digit), 0);

/** @param {number} value 0 to 255 */
const toLinear = (value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

/** @param {number} value */
const toByte = (value) => {
  const part = Math.max(0, Math.min(1, value));
  return Math.round(255 * (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055));
};

/** @param {number} value */
const signedSquare = (value) => Math.sign(value) * value * value;

/**
 * Decodes a BlurHash.
 *
 * @param {string} hash
 * @param {number} width in pixels; small, as the picture is stretched
 * @param {number} height
 * @returns {Uint8ClampedArray | null} RGBA; null if it is no BlurHash
 */
export function decodeBlurHash(hash, width, height) {
  const size = decode83(hash[0] ?? "");
  const [columns, rows] = [(size % 9) + 1, Math.floor(size / 9) + 1];
  if (hash.length !== 4 + 2 * columns * rows || /[^0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]/.test(hash)) return null;
  const most = (decode83(hash[1]) + 1) / 166;
  const average = decode83(hash.slice(2, 6));
  const colors = [[toLinear(average >> 16), toLinear((average >> 8) & 255), toLinear(average & 255)]];
  for (let i = 6; i < hash.length; i += 2) {
    const value = decode83(hash.slice(i, i + 2));
    colors.push([Math.floor(value / 361), Math.floor(value / 19) % 19, value % 19]
      .map((part) => signedSquare((part - 9) / 9) * most));
  }
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const sum = [0, 0, 0];
      colors.forEach((color, i) => {
        const [column, row] = [i % columns, Math.floor(i / columns)];
        const weight = Math.cos((Math.PI * x * column) / width) * Math.cos((Math.PI * y * row) / height);
        for (let part = 0; part < 3; part += 1) sum[part] += color[part] * weight;
      });
      pixels.set([...sum.map(toByte), 255], 4 * (y * width + x));
    }
  }
  return pixels;
}
