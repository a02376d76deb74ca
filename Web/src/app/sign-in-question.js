import { avatar } from "../ui/avatar.js";
import { openDialog } from "../ui/dialog.js";
import { h, refill } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** @typedef {import("./server.js").Problem} Problem */

/**
 * Asks whether a link may sign somebody in. Escape, Close and a press beside the dialog are a no.
 *
 * @param {Node & ParentNode} root
 * @param {{t: import("../texts/texts.js").Texts, user: {userID: string, name: string},
 *   onSignIn: () => Promise<Problem | null>}} options `onSignIn` resolves with what went wrong; what
 *   is not final stands in the dialog, so that the user can try again
 * @returns {Promise<Problem | null>} a final problem; null after a no, and when the user is in
 */
export async function askToSignIn(root, { t, user, onSignIn }) {
  const problem = h("div", { role: "alert" });
  const refuse = h("button", { type: "button", class: "button", autofocus: true, onclick: () => dialog.close(null) },
    t("signIn.linkRefuse"));
  const accept = h("button", { type: "button", class: "button primary", onclick: () => signIn() }, t("signIn.submit"));
  const signIn = async () => {
    accept.disabled = true;
    accept.textContent = t("signIn.busy");
    problem.className = "";
    refill(problem);
    const found = await onSignIn();
    if (!found || found.isFinal) return dialog.close(found);
    accept.disabled = false;
    accept.textContent = t("signIn.submit");
    problem.className = "notice bad";
    refill(problem, icon("warning"), h("span", null, found.text));
    accept.focus();
  };
  const hasName = user.name !== user.userID;
  const dialog = openDialog(root, {
    title: t("signIn.linkTitle", { name: user.name }), closeLabel: t("close"), class: "sign-in-question",
    body: [
      h("div", { class: "person" },
        avatar({ id: user.userID, name: user.name }, { size: 56 }),
        h("div", null,
          hasName && h("div", { class: "name" }, h("bdi", null, user.name)),
          h("div", { class: hasName ? "hint" : "name" },
            hasName && [t("signIn.userID"), " "], h("bdi", { dir: "ltr" }, user.userID)))),
      h("p", { class: "quiet-text" }, t("signIn.linkHint")),
      problem,
    ],
    footer: [refuse, accept],
  });
  return (await dialog.closed) ?? null;
}
