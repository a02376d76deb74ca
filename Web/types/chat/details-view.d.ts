/**
 * Opens the details of a conversation: what it is, who is in it, and what the user may change or end. It follows the
 * conversation while it is open, and closes when the user does not have it any more.
 *
 * @param {DetailsContext} context
 * @returns {import("../ui/dialog.js").Dialog}
 */
export function openDetails(context: DetailsContext): import("../ui/dialog.js").Dialog;
export type Member = import("../client/types.js").Member;
export type Role = import("../client/types.js").Role;
export type Key = import("../texts/texts.js").Key;
/**
 * `open` shows another channel
 */
export type DetailsContext = Pick<import("./context.js").Context, "start" | "fail" | "client" | "t" | "conversation" | "root"> & {
    open?: ((channel: string) => void) | undefined;
};
export type Action = {
    label: string;
    icon: import("../ui/icons.js").IconName;
    hint?: string;
    isDanger?: boolean;
    isOn?: boolean;
    run: () => unknown;
};
import { icon } from "../ui/icons.js";
