import { avatar } from "../ui/avatar.js";
import { refill } from "../ui/dom.js";

/**
 * Shows who is signed in on the button that opens the settings.
 *
 * @param {HTMLElement} button
 * @param {import("../roost.js").Client} client
 * @param {import("../texts/texts.js").Texts} t
 */
export function drawAccount(button, client, t) {
  const { userID, name, imageURL } = client.user;
  button.setAttribute("aria-label", t("settings.title"));
  button.title = t("settings.title");
  const key = JSON.stringify(client.user);
  if (button.dataset.user === key) return;
  button.dataset.user = key;
  refill(button, avatar({ id: userID, name, imageURL }, { size: 32, resolve: (url) => client.imageURL(url) }));
}
