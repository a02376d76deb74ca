/**
 * @typedef {import("../../client/types.js").Role} Role
 * @typedef {import("../../client/types.js").Channel} Channel
 */

/** @type {Role[]} */
const order = ["none", "outcast", "invited", "participant", "moderator", "admin"];

/** @param {Role | undefined} role */
const rank = (role) => order.indexOf(role ?? "none");

/**
 * Whether a role makes somebody a member.
 *
 * @param {Role | undefined} role
 */
export const isMember = (role) => rank(role) >= 3;

/**
 * Whether a role may remove members, change roles, and see who is invited or banned.
 *
 * @param {Role | undefined} role
 */
export const isModerating = (role) => rank(role) >= 4;

/**
 * Whether the user may change title and picture of a channel.
 *
 * @param {Channel} channel
 */
export const mayEdit = ({ kind, role, profile }) =>
  kind === "group" && (profile?.editors === "moderators" ? isModerating(role) : isMember(role));

/**
 * Whether a role may remove or ban somebody.
 *
 * @param {Role | undefined} role
 * @param {Role} target the role of the other user
 */
export const mayRemove = (role, target) => role === "admin" || (isModerating(role) && rank(target) < 4);

/**
 * The roles that a role may give to a member, without the one that the member has.
 *
 * @param {Role | undefined} role
 * @param {Role} target the role that the member has
 * @param {number} admins how many admins there are: the last one stays one
 * @returns {Role[]}
 */
export function rolesToGive(role, target, admins) {
  if (!isModerating(role) || !isMember(target) || (target === "admin" && admins <= 1)) return [];
  const most = rank(role);
  if (rank(target) > most) return [];
  return order.slice(3).filter((given) => rank(given) <= most && given !== target);
}

/**
 * Whether a member can leave only by naming a successor: the last admin, while others remain.
 *
 * @param {Role | undefined} role
 * @param {number} admins
 * @param {number} members
 */
export const needsSuccessor = (role, admins, members) => role === "admin" && admins <= 1 && members > 1;
