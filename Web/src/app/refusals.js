import { errorText } from "../texts/lines.js";

/** @type {Record<number, import("../texts/texts.js").Key>} */
const keys = {
  1: "signedOut.wrongToken", 7: "signIn.noGuests", 7001: "signedOut.expired", 7002: "signedOut.expired",
  7009: "signedOut.outdated", 7020: "signedOut.tooMany", 7026: "signedOut.banned", 7027: "signedOut.deleted",
};

/**
 * Why the server does not let somebody in.
 *
 * @param {import("../client/errors.js").RoostError | null} error
 * @param {import("../texts/texts.js").Texts} t
 */
export function refusalText(error, t) {
  const key = keys[error?.code ?? 0];
  return key ? t(key) : errorText(error, t);
}
