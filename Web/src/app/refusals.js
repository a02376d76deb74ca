import { errorText } from "../texts/texts.js";

/** @type {Record<string, import("../texts/texts.js").Key>} */
const keys = {
  wrongCredentials: "signedOut.wrongToken",
  functionUnavailable: "signIn.noGuests",
  notAuthenticated: "signedOut.expired",
  tokenExpired: "signedOut.expired",
  protocolVersion: "signedOut.outdated",
  tooManyConnections: "signedOut.tooMany",
  userBanned: "signedOut.banned",
  userDeleted: "signedOut.deleted",
};

/**
 * Why the server does not let somebody in.
 *
 * @param {import("../client/errors.js").RoostError | null} error
 * @param {import("../texts/texts.js").Texts} t
 */
export function refusalText(error, t) {
  const key = keys[error?.name ?? ""];
  return key ? t(key) : errorText(error, t);
}

/**
 * Whether a login that the browser keeps is over; also if the server keeps nobody signed in any more.
 *
 * @param {import("../client/errors.js").RoostError | null} error
 */
export const endsLogin = (error) =>
  ["notAuthenticated", "tokenExpired", "userDeleted", "functionUnavailable"].includes(error?.name ?? "");
