import { set } from "../ui/dom.js";

// The launcher has two icons, so it does without the module of all.
const shapes = {
  conversation: "M6 4.5h12a3 3 0 0 1 3 3V14a3 3 0 0 1-3 3h-6l-5 4v-4H6a3 3 0 0 1-3-3V7.5a3 3 0 0 1 3-3Z",
  close: "m6 6 12 12M18 6 6 18",
};

/** @param {keyof typeof shapes} name */
export function draw(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  const path = document.createElementNS(namespace, "path");
  set(svg, { "class": "icon", "viewBox": "0 0 24 24", "fill": "none", "stroke": "currentColor", "stroke-width": "2",
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" });
  set(path, { d: shapes[name] });
  svg.append(path);
  return svg;
}
