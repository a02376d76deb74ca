import { keep, kept } from "../ui/kept.js";

/** @typedef {{theme?: string, language?: string}} Look absent for that of the system and of the browser */

const key = "roost.look";

/**
 * The theme and the language that the user has chosen in this browser.
 *
 * @returns {Look}
 */
export function readLook() {
  try {
    return JSON.parse(kept(key) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Keeps the theme and the language that the user has chosen; empty texts are those of the system and of the browser.
 *
 * @param {Look} look
 */
export function keepLook(look) {
  keep(key, JSON.stringify(look));
}

/**
 * Shows an element, and the page around it, in a theme.
 *
 * @param {Element} element a host of the chat's styles
 * @param {string} [theme] `light` or `dark`; that of the system if absent or empty
 */
export function applyTheme(element, theme) {
  if (theme === "light" || theme === "dark") {
    element.setAttribute("theme", theme);
    document.documentElement.setAttribute("data-theme", theme);
  } else {
    element.removeAttribute("theme");
    document.documentElement.removeAttribute("data-theme");
  }
  const isChosen = theme === "light" || theme === "dark";
  const color = { light: "#ffffff", dark: "#14181b" };
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    const ofSystem = meta.getAttribute("media")?.includes("dark") ? "dark" : "light";
    meta.setAttribute("content", color[isChosen ? theme : ofSystem]);
  }
}
