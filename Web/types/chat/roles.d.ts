/**
 * The roles that a role may give to a member, without the one that the member has.
 *
 * @param {Role | undefined} role
 * @param {Role} target the role that the member has
 * @param {number} admins how many admins there are: the last one stays one
 * @returns {Role[]}
 */
export function rolesToGive(role: Role | undefined, target: Role, admins: number): Role[];
export function isMember(role: Role | undefined): boolean;
export function isModerating(role: Role | undefined): boolean;
export function mayEdit({ kind, role, profile }: Channel): boolean;
export function mayRemove(role: Role | undefined, target: Role): boolean;
export function needsSuccessor(role: Role | undefined, admins: number, members: number): boolean;
export type Role = import("../client/types.js").Role;
export type Channel = import("../client/types.js").Channel;
