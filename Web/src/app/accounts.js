import { keep, kept } from "../ui/kept.js";
import { addressOf, channelOfAddress } from "./address.js";

/** @typedef {{userID: string, name: string}} Account somebody whose login this browser keeps */

// Several servers may be below paths of one site. Their cookies are apart, so these are, too.
const { pathname } = new URL(".", document.baseURI);
const place = pathname === "/" ? "" : ` ${pathname}`;
export const accountsKey = `roost.accounts${place}`;
const endedKey = `roost.ended${place}`;
const tabKey = `roost.account${place}`;
/** Whose tab this is, where the browser keeps nothing. */
let ofTab = "";

/** @returns {Account[]} the last one first */
export function readAccounts() {
  try {
    const accounts = JSON.parse(kept(accountsKey) ?? "[]");
    return accounts.filter(
      (/** @type {any} */ each) => typeof each?.userID === "string" && typeof each.name === "string");
  } catch {
    return [];
  }
}

/** @returns {Account | null} who was in this tab before a reload, and is still signed in */
export function accountOfTab() {
  const userID = readTab();
  return readAccounts().find((each) => each.userID === userID) ?? null;
}

/** @returns {Account | null} for whom a notification has opened this window, if still signed in */
export function accountOfAddress() {
  const userID = new URLSearchParams(location.hash.slice(1)).get("user");
  if (userID) history.replaceState(history.state, "", addressOf(channelOfAddress()));
  return readAccounts().find((each) => each.userID === userID) ?? null;
}

/**
 * Puts somebody to the front, and into this tab.
 *
 * @param {Account} account
 */
export function keepAccount({ userID, name }) {
  noteEnded(userID);
  write([{ userID, name }, ...readAccounts().filter((each) => each.userID !== userID)]);
  setTab(userID);
}

/**
 * The name of somebody who is in the list.
 *
 * @param {Account} account
 */
export function nameAccount({ userID, name }) {
  const accounts = readAccounts();
  const known = accounts.find((each) => each.userID === userID);
  if (!known || known.name === name) return;
  known.name = name;
  write(accounts);
}

/**
 * Somebody has logged out here: the login has to be ended at the server as well.
 *
 * @param {string} userID
 */
export function logOutAccount(userID) {
  writeEnded([...new Set([...endedAccounts(), userID])]);
  forgetAccount(userID);
}

/** @param {string} userID whose login is over */
export function forgetAccount(userID) {
  write(readAccounts().filter((each) => each.userID !== userID));
  if (readTab() === userID) setTab("");
}

/** @returns {string[]} who has logged out, and has a login at the server still */
export function endedAccounts() {
  try {
    const ended = JSON.parse(kept(endedKey) ?? "[]");
    return ended.filter((/** @type {any} */ each) => typeof each === "string");
  } catch {
    return [];
  }
}

/** @param {string} userID whose login has ended at the server */
export const noteEnded = (userID) => writeEnded(endedAccounts().filter((each) => each !== userID));

/** @param {string[]} ended */
const writeEnded = (ended) => keep(endedKey, ended.length ? JSON.stringify(ended) : null);

/** Nobody of the list is in this tab. */
export const leaveTab = () => setTab("");

/** @param {Account[]} accounts */
const write = (accounts) => keep(accountsKey, accounts.length ? JSON.stringify(accounts) : null);

function readTab() {
  try {
    return sessionStorage.getItem(tabKey) ?? ofTab;
  } catch {
    return ofTab;
  }
}

/** @param {string} userID */
function setTab(userID) {
  ofTab = userID;
  try {
    if (userID) sessionStorage.setItem(tabKey, userID);
    else sessionStorage.removeItem(tabKey);
  } catch {
    // A browser that keeps nothing.
  }
}
