import { avatar } from "../../ui/avatar.js";
import { focused, h, refill } from "../../ui/dom.js";

/** The groups that the user is invited to, each with the two answers. */
export class Invitations {
  /**
   * @param {import("../../roost.js").Client} client
   * @param {import("../../texts/texts.js").Texts} t
   * @param {{onJoin: (channel: string) => void, onFailure: (error: unknown) => void, focusNext: () => void}} callbacks
   *   `focusNext` moves the focus to what follows when the last invitation is gone
   */
  constructor(client, t, callbacks) {
    this.#client = client;
    this.#t = t;
    this.#callbacks = callbacks;
    this.element = h("section", { class: "invitations", "aria-label": t("invitations.title") });
  }

  #client;
  #t;
  #callbacks;
  #shown = "";

  /** @param {boolean} isHidden whether something else is in its place */
  draw(isHidden) {
    const { element } = this;
    const t = this.#t;
    const { invitations } = this.#client;
    element.hidden = !invitations.length || isHidden;
    const key = invitations.map(({ channel }) => channel).join(" ");
    if (this.#shown === key) return;
    this.#shown = key;
    const hadFocus = element.contains(focused());
    refill(element, h("h3", null, t("invitations.count", { count: invitations.length })),
      invitations.map((invitation) => this.#card(invitation)));
    if (!hadFocus) return;
    const first = element.querySelector("button");
    if (first) first.focus();
    else this.#callbacks.focusNext();
  }

  /** @param {import("../../roost.js").Client["invitations"][number]} invitation */
  #card({ channel, title, byName }) {
    const t = this.#t;
    const name = title || t("kind.group");
    const text = !byName ? t("invitations.textServer", { title: name })
      : title ? t("invitations.text", { name: byName, title }) : t("invitations.textUntitled", { name: byName });
    /** @param {boolean} isAccepted */
    const answer = (isAccepted) => this.#answer(channel, isAccepted, card);
    const card = h(
      "div", { class: "invitation" },
      h("div", { class: "about" }, avatar({ id: channel, name }, { size: 36 }), h("span", { dir: "auto" }, text)),
      h("div", null,
        h("button", { type: "button", class: "button primary", onclick: () => answer(true),
          "aria-label": t("invitations.acceptNamed", { title: name }) }, t("invitations.accept")),
        h("button", { type: "button", class: "button", onclick: () => answer(false),
          "aria-label": t("invitations.declineNamed", { title: name }) }, t("invitations.decline"))),
    );
    return card;
  }

  /**
   * @param {string} channel
   * @param {boolean} isAccepted
   * @param {HTMLElement} card
   */
  async #answer(channel, isAccepted, card) {
    const buttons = [...card.querySelectorAll("button")];
    for (const button of buttons) button.setAttribute("aria-disabled", "true");
    try {
      await this.#client.answerInvitation(channel, isAccepted);
      if (isAccepted) this.#callbacks.onJoin(channel);
    } catch (error) {
      this.#callbacks.onFailure(error);
      for (const button of buttons) button.removeAttribute("aria-disabled");
    }
  }
}
