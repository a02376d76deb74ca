import { single } from "../../ui/dom.js";
import { openMenu } from "../../ui/menu.js";

/** What can be begun: a conversation, a group, an open channel, notes. The dialogs are loaded when they are needed. */
export class NewMenu {
  /**
   * @param {() => HTMLElement} root what takes dialogs and menus
   * @param {{client: import("../../roost.js").Client, t: import("../../texts/texts.js").Texts, isDev?: boolean,
   *   onSelect: (channel: string | null) => void, onFailure: (error: unknown) => void}} options
   */
  constructor(root, options) {
    this.#root = root;
    this.#options = options;
    const { client, onSelect, onFailure } = options;
    this.openNew = single(async () =>
      (await import("./new-conversation.js")).openNewConversation(root(), options), onFailure);
    this.openGroup = single(async () =>
      (await import("./group-dialogs.js")).openCreateGroup(root(), options), onFailure);
    this.openBrowser = single(async () => (await import("./open-channels.js")).openBrowser(root(), options), onFailure);
    this.openNotes = single(async () => onSelect(await client.startConversation(client.user.userID)), onFailure);
  }

  #root;
  #options;

  /** @param {HTMLElement} anchor the button of the menu */
  open(anchor) {
    const { t } = this.#options;
    openMenu(this.#root(), {
      label: t("list.new"), anchor, returnTo: anchor,
      items: [
        { label: t("new.title"), icon: "conversation", action: this.openNew },
        { label: t("new.group"), icon: "people", action: this.openGroup },
        { label: t("open.title"), icon: "globe", action: this.openBrowser },
        "line",
        { label: t("new.notes"), icon: "edit", action: this.openNotes },
      ],
    });
  }
}
