/**
 * A text in one line of at most 300 UTF-16 units.
 * @param {string} [text]
 */
export function oneLine(text) {
  const line = (text ?? "").slice(0, 1000).replace(/\s+/g, " ").trim();
  // Half of a surrogate pair at the end goes.
  return line.length <= 300
    ? line.replace(/[\ud800-\udbff]$/, "")
    : `${line.slice(0, 299).replace(/[\ud800-\udbff]$/, "")}…`;
}
