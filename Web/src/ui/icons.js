/**
 * The shapes that a conversation shows at first: paths in a square of 24, drawn with strokes of 2 that have round ends.
 * more-icons.js has the others.
 */
const shapes = {
  "send": "M5 12 3.5 5.2c-.2-.9.7-1.7 1.5-1.3l14.5 7.2c.7.4.7 1.4 0 1.8L5 20.1c-.8.4-1.7-.4-1.5-1.3L5 12Zm0 0h7",
  "attach": "m20.5 11-8.6 8.6a5 5 0 0 1-7.1-7.1l8.6-8.6a3.4 3.4 0 0 1 4.7 4.8l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.6-7.6",
  "microphone": "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21",
  "emoji": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM8 14a4.6 4.6 0 0 0 8 0M9 9.5v.01M15 9.5v.01",
  "reply": "M9 6 4 11l5 5M4 11h10a6 6 0 0 1 6 6v1",
  "forward": "m15 6 5 5-5 5M20 11H10a6 6 0 0 0-6 6v1",
  "more": "M11.5 12h1M12 11.5v1M4.5 12h1M5 11.5v1M18.5 12h1M19 11.5v1",
  "close": "m6 6 12 12M18 6 6 18",
  "back": "m11 5-7 7 7 7M4 12h16",
  "add": "M12 5v14M5 12h14",
  "check": "m5 12.5 4.5 4.5L19 7.5",
  "checks": "m2 12.5 4.5 4.5L16 7.5M12 16l1 1 9-9.5",
  "clock": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7.5V12l3 2",
  "warning": "M10.3 4.5 2.8 17.5a2 2 0 0 0 1.7 3h15a2 2 0 0 0 1.7-3L13.7 4.5a2 2 0 0 0-3.4 0ZM12 9.5v4M12 17v.01",
  "film": "M5 6h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2ZM15 11l5-3v8l-5-3",
  "place": "M12 21s-7-5.7-7-11a7 7 0 0 1 14 0c0 5.3-7 11-7 11ZM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z",
  "phone":
    "M6 4h2.6a1 1 0 0 1 1 .7l1 3a1 1 0 0 1-.3 1.1L8.6 10.4a12 12 0 0 0 5 5l1.6-1.7a1 1 0 0 1 1.1-.3" +
    "l3 1a1 1 0 0 1 .7 1V18a2 2 0 0 1-2.2 2A15 15 0 0 1 4 6.2 2 2 0 0 1 6 4Z",
  "arrow-down": "M12 5v14M6 13l6 6 6-6",
  "eye-off":
    "M9.5 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.6 3.4" +
    "M6.3 7.3A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9.5 9.5 0 0 0 5-1.5M10 10.5a2.5 2.5 0 0 0 3.5 3.5" +
    "M3.5 3.5l17 17",
  "offline":
    "M9 6.2A6.5 6.5 0 0 1 17.4 10a4.2 4.2 0 0 1 3 6.7M17 18.5H7.5a4.5 4.5 0 0 1-1-8.9c.1-.5.2-.9.4-1.3" +
    "M3.5 3.5l17 17",
  "conversation": "M6 4.5h12a3 3 0 0 1 3 3V14a3 3 0 0 1-3 3h-6l-5 4v-4H6a3 3 0 0 1-3-3V7.5a3 3 0 0 1 3-3Z",
};

/** @typedef {keyof typeof shapes | keyof typeof import("./more-icons.js").more} IconName */

/** Shapes that point along the text: they are turned round where it runs from right to left. */
const mirrored = new Set(["send", "reply", "forward", "recall", "back", "log-out", "chevron"]);

const namespace = "http://www.w3.org/2000/svg";

/** @type {Map<IconName, SVGElement>} */
const made = new Map();

/**
 * Adds shapes to those that are there at first.
 *
 * @param {Record<string, string>} more
 */
export const addShapes = (more) => void Object.assign(shapes, more);

/**
 * Makes an icon: an `<svg class="icon">` in the colour of the text, 24 px if its style gives no other size. Icons that
 * point along the text also have the class `mirror`.
 *
 * @param {IconName} name
 * @param {{label?: string}} [options] `label` is read by screen readers; without it they skip the icon
 * @returns {SVGElement}
 */
export function icon(name, options = {}) {
  const { label } = options;
  let original = made.get(name);
  if (!original) made.set(name, (original = draw(name)));
  const svg = /** @type {SVGElement} */ (original.cloneNode(true));
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  return svg;
}

/** @param {IconName} name */
function draw(name) {
  const svg = document.createElementNS(namespace, "svg");
  const attributes = {
    "class": mirrored.has(name) ? "icon mirror" : "icon",
    "width": "24", "height": "24", "viewBox": "0 0 24 24", "focusable": "false",
    "fill": "none", "stroke": "currentColor", "stroke-width": "2", "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", /** @type {Record<string, string>} */ (shapes)[name] ?? shapes.more);
  svg.append(path);
  return svg;
}
