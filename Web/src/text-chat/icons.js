/** An arrow that points up, for the button that sends. */
export const arrowUp = () => icon("M12 19V5M5 12l7-7 7 7");

/** An arrow that points down, for the banner. */
export const arrowDown = () => icon("M12 5v14M5 12l7 7 7-7");

/** A sign of a failure. */
export const warning = () => icon("M12 8v5M12 16.5v.01M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18");

/**
 * @param {string} path
 * @returns {SVGSVGElement}
 */
function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}
