import { ask } from "../../ui/dialog.js";
import { openUserReport } from "../messages/report-dialog.js";

/**
 * Reporting and blocking a person, for a list of what one can do.
 *
 * @param {import("./profile-dialog.js").Context} context
 * @param {{userID: string, name: string}} person
 * @param {() => void} onreport after a report was sent: the note that says so would be behind an open dialog
 * @returns {{label: string, icon: import("../../ui/icons.js").IconName, isDanger?: boolean, run: () => unknown}[]}
 */
export function personActions(context, person, onreport) {
  const { client, t, root, fail } = context;
  const { userID, name } = person;
  /** @param {boolean} blocks */
  const set = async (blocks) => {
    const question = { title: t("user.blockConfirm", { name }), action: t("user.block", { name }), cancel: t("cancel"),
      closeLabel: t("close"), isDanger: true };
    if (blocks && !(await ask(root, question))) return;
    await client.perform(blocks ? "user.block" : "user.unblock", { userID }).catch(fail);
  };
  return [
    { label: t("report.open"), icon: "warning", run: () => openUserReport(context, person, onreport) },
    client.blocked.has(userID) ? { label: t("user.unblock", { name }), icon: "block", run: () => set(false) } :
      { label: t("user.block", { name }), icon: "block", isDanger: true, run: () => set(true) },
  ];
}
