import { keep, kept } from "../ui/kept.js";

/** @typedef {{userID: string, name: string}} Guest */

export const guestKey = "roost.guest";

/** @returns {Guest | null} the guest of this tab, or who was here last */
export const readGuest = () => guestOfTab() ?? parsed(kept(guestKey));

function guestOfTab() {
  try {
    return parsed(sessionStorage.getItem(guestKey));
  } catch {
    return null;
  }
}

/** @param {Guest | null} guest who goes straight in next time; null for nobody */
export function keepGuest(guest) {
  const text = guest && JSON.stringify(guest);
  const own = guestOfTab();
  // Another tab may have a guest of its own.
  if (text || !own || wasGuest(kept(guestKey), own)) keep(guestKey, text);
  try {
    if (text) sessionStorage.setItem(guestKey, text);
    else sessionStorage.removeItem(guestKey);
  } catch {
    // A browser that keeps nothing.
  }
}

/**
 * Whether a text that was kept names this guest.
 *
 * @param {string | null} text
 * @param {{userID: string} | null} [guest]
 */
export const wasGuest = (text, guest) => Boolean(guest) && parsed(text)?.userID === guest?.userID;

/**
 * @param {string | null} text
 * @returns {Guest | null}
 */
function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
