import { keep, kept } from "../ui/kept.js";

export const guestKey = "roost.guest";

/** @returns {{userID: string, name: string} | null} the guest who was here last */
export function readGuest() {
  try {
    return JSON.parse(kept(guestKey) ?? "null");
  } catch {
    return null;
  }
}

/** @param {{userID: string, name: string} | null} guest who goes straight in next time; null for nobody */
export const keepGuest = (guest) => keep(guestKey, guest && JSON.stringify(guest));
