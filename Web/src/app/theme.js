"use strict";
// Before the first paint: the theme that the user has chosen, so that the page does not flash in another one.
try {
  const { theme } = JSON.parse(localStorage.getItem("roost.look") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
} catch {
  // Nothing is kept in this window.
}
