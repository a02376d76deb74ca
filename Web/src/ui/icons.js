/**
 * The shapes: paths in a square of 24, drawn with strokes of 2 that have round ends.
 */
const shapes = {
  "send": "M5 12 3.5 5.2c-.2-.9.7-1.7 1.5-1.3l14.5 7.2c.7.4.7 1.4 0 1.8L5 20.1c-.8.4-1.7-.4-1.5-1.3L5 12Zm0 0h7",
  "attach": "m20.5 11-8.6 8.6a5 5 0 0 1-7.1-7.1l8.6-8.6a3.4 3.4 0 0 1 4.7 4.8l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.6-7.6",
  "microphone": "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21",
  "emoji": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM8 14a4.6 4.6 0 0 0 8 0M9 9.5v.01M15 9.5v.01",
  "reply": "M9 6 4 11l5 5M4 11h10a6 6 0 0 1 6 6v1",
  "forward": "m15 6 5 5-5 5M20 11H10a6 6 0 0 0-6 6v1",
  "copy":
    "M11 8h8a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2Z" +
    "M5 16a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2",
  "trash":
    "M4 7h16M9 7V5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v2M6 7l.8 11.2A2 2 0 0 0 8.8 20h6.4a2 2 0 0 0 2-1.8L18 7" +
    "M10 11v5M14 11v5",
  "recall": "M8 4 4 8l4 4M4 8h10a6 6 0 0 1 0 12H8",
  "more": "M11.5 12h1M12 11.5v1M4.5 12h1M5 11.5v1M18.5 12h1M19 11.5v1",
  "close": "m6 6 12 12M18 6 6 18",
  "back": "m11 5-7 7 7 7M4 12h16",
  "search": "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.2 15.2 20 20",
  "add": "M12 5v14M5 12h14",
  "edit": "m4 20 1-4.5L16.3 4.2a2 2 0 0 1 2.8 0l.7.7a2 2 0 0 1 0 2.8L8.5 19 4 20ZM14 6.5l3.5 3.5",
  "people":
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 5.2a3.5 3.5 0 0 1 0 6.6" +
    "M18.5 14.5a6.5 6.5 0 0 1 3 5.5",
  "person": "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20.5a7.5 7.5 0 0 1 15 0",
  "person-add": "M10 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM3.5 20a6.5 6.5 0 0 1 13 0M19 8v6M16 11h6",
  "check": "m5 12.5 4.5 4.5L19 7.5",
  "checks": "m2 12.5 4.5 4.5L16 7.5M12 16l1 1 9-9.5",
  "clock": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7.5V12l3 2",
  "warning": "M10.3 4.5 2.8 17.5a2 2 0 0 0 1.7 3h15a2 2 0 0 0 1.7-3L13.7 4.5a2 2 0 0 0-3.4 0ZM12 9.5v4M12 17v.01",
  "info": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11.5V16M12 8v.01",
  "retry": "M20 12a8 8 0 1 1-2.3-5.6L20 8.7M20 4v4.7h-4.7",
  "download": "M12 4v11M7.5 10.5 12 15l4.5-4.5M5 20h14",
  "play": "M8 5.8v12.4c0 .8.9 1.3 1.5.8l9.2-6.2c.6-.4.6-1.2 0-1.6L9.5 5C8.9 4.5 8 5 8 5.8Z",
  "pause": "M9 6v12M15 6v12",
  "bell": "M6 10a6 6 0 0 1 12 0c0 4 2 5.5 2 7H4c0-1.5 2-3 2-7ZM10 20.5a2.5 2.5 0 0 0 4 0",
  "bell-off":
    "M8 5.6A6 6 0 0 1 18 10c0 2 .5 3.4 1 4.5M17 17H4c0-1.5 2-3 2-7 0-.5.1-1 .2-1.5M10 20.5a2.5 2.5 0 0 0 4 0" +
    "M3.5 3.5l17 17",
  "settings": "M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  "log-out": "M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4M15.5 7.5 20 12l-4.5 4.5M20 12H10",
  "at": "M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM15.5 8.5V13a2.7 2.7 0 0 0 5.5 0v-1a9 9 0 1 0-3.5 7.1",
  "vote": "M5 20v-7M12 20V4M19 20v-11",
  "image":
    "M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z" +
    "M8.3 8.8h1M8.8 8.3v1M4.5 18.5 11 12.5l3 2.5 2.5-2 3.5 3.5",
  "film": "M5 6h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2ZM15 11l5-3v8l-5-3",
  "file": "M13.5 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8.5L13.5 3ZM13.5 3v5.5H19",
  "place": "M12 21s-7-5.7-7-11a7 7 0 0 1 14 0c0 5.3-7 11-7 11ZM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z",
  "contact":
    "M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z" +
    "M12 7.5a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6ZM8 16.5a4 4 0 0 1 8 0",
  "phone":
    "M6 4h2.6a1 1 0 0 1 1 .7l1 3a1 1 0 0 1-.3 1.1L8.6 10.4a12 12 0 0 0 5 5l1.6-1.7a1 1 0 0 1 1.1-.3" +
    "l3 1a1 1 0 0 1 .7 1V18a2 2 0 0 1-2.2 2A15 15 0 0 1 4 6.2 2 2 0 0 1 6 4Z",
  "arrow-down": "M12 5v14M6 13l6 6 6-6",
  "chevron": "m9.5 6 6 6-6 6",
  "chevron-down": "m6 9.5 6 6 6-6",
  "moon": "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
  "sun":
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v1.5M12 20v1.5M2.5 12H4M20 12h1.5M5.3 5.3l1 1M17.7 17.7l1 1" +
    "M5.3 18.7l1-1M17.7 6.3l1-1",
  "screen": "M5 4.5h14a2 2 0 0 1 2 2V15a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6.5a2 2 0 0 1 2-2ZM12 17v3.5M8 20.5h8",
  "globe":
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18" +
    "M12 3c2.3 2.5 3.5 5.5 3.5 9s-1.2 6.5-3.5 9c-2.3-2.5-3.5-5.5-3.5-9S9.7 5.5 12 3Z",
  "eye":
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" +
    "M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z",
  "eye-off":
    "M9.5 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.6 3.4" +
    "M6.3 7.3A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9.5 9.5 0 0 0 5-1.5M10 10.5a2.5 2.5 0 0 0 3.5 3.5" +
    "M3.5 3.5l17 17",
  "offline":
    "M9 6.2A6.5 6.5 0 0 1 17.4 10a4.2 4.2 0 0 1 3 6.7M17 18.5H7.5a4.5 4.5 0 0 1-1-8.9c.1-.5.2-.9.4-1.3" +
    "M3.5 3.5l17 17",
  "block": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM5.8 5.8l12.4 12.4",
  "select": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM8 12.3l2.8 2.7L16 9.5",
  "note":
    "M6 4h12a2 2 0 0 1 2 2v8l-6 6H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2ZM20 14h-4a2 2 0 0 0-2 2v4M8 9h8M8 13h3",
  "unread":
    "M12.5 4.5H6a3 3 0 0 0-3 3V14a3 3 0 0 0 3 3h1v4l5-4h6a3 3 0 0 0 3-3v-2.5M19 3.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  "conversation": "M6 4.5h12a3 3 0 0 1 3 3V14a3 3 0 0 1-3 3h-6l-5 4v-4H6a3 3 0 0 1-3-3V7.5a3 3 0 0 1 3-3Z",
};

/** @typedef {keyof typeof shapes} IconName */

/** Shapes that point along the text: they are turned round where it runs from right to left. */
const mirrored = new Set(["send", "reply", "forward", "recall", "back", "log-out", "chevron"]);

const namespace = "http://www.w3.org/2000/svg";

/** @type {Map<IconName, SVGElement>} */
const made = new Map();

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
  path.setAttribute("d", shapes[name] ?? shapes.more);
  svg.append(path);
  return svg;
}
