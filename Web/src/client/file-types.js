/**
 * The type of message for a file.
 * @param {string} contentType
 * @param {string} name what tells it where browsers know no type
 * @returns {"image" | "video" | "voice" | "document"}
 */
export function messageType(contentType, name) {
  // What browsers cannot show is a document for everybody, but for what the server makes a picture of.
  if (/^image\/(jpeg|png|gif|webp|avif|bmp|hei[cf])$/.test(contentType)) return "image";
  if (!contentType && /\.hei[cf]$/i.test(name)) return "image";
  if (/^video\/(mp4|webm|quicktime|ogg)$/.test(contentType)) return "video";
  return "document";
}
