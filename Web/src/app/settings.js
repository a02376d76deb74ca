import { openKeysHelp } from "../chat/keys-help.js";
import { choosePicture } from "../chat/messages/pictures.js";
import { errorText, languages } from "../texts/texts.js";
import { avatar } from "../ui/avatar.js";
import { ask, openDialog } from "../ui/dialog.js";
import { focused, h, on, refill, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { hasSound, setSound } from "./sound.js";

/**
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("../texts/texts.js").Texts} Texts
 * @typedef {import("../texts/texts.js").Key} Key
 * @typedef {import("./notifications.js").Notifications} Notifications
 * @typedef {import("./notifications.js").DeviceSettings} DeviceSettings
 * @typedef {import("./look.js").Look} Look
 */

/**
 * Opens the settings: profile, appearance, language, notifications, and logging out.
 *
 * @param {Node & ParentNode} root
 * @param {{client: Client, t: Texts, notifications: Notifications, look: Look, onLook: (look: Look) => void,
 *   onLogOut: (everywhere: boolean) => Promise<void>, accounts: import("./accounts.js").Account[] | null,
 *   onAccount: (account: import("./accounts.js").Account | null) => void,
 *   install: (() => Promise<unknown>) | null, fail: (error: unknown) => void,
 *   say: (text: string) => void, returnTo?: HTMLElement | null}} options
 * @returns {import("../ui/dialog.js").Dialog}
 */
export function openSettings(root, options) {
  const end = new AbortController();
  const context = { ...options, root, signal: end.signal };
  const body = h("div", { class: "settings" },
    profileSection(context), lookSection(context), notificationSection(context), accountSection(context),
    endSection(context));
  const { t } = options;
  const dialog = openDialog(root, {
    title: t("settings.title"), closeLabel: t("close"), class: "tall", body, returnTo: options.returnTo,
  });
  dialog.closed.then(() => end.abort());
  return dialog;
}

/** @typedef {Parameters<typeof openSettings>[1] & {root: Node & ParentNode, signal: AbortSignal}} Context */

/** @param {Context} context */
function profileSection({ client, t, fail, say, signal }) {
  const picture = h("span");
  const remove = h("button", { type: "button", class: "button quiet" }, t("settings.removePicture"));
  const name = h("input", { class: "input", type: "text", maxlength: "200", autocomplete: "nickname", dir: "auto",
    value: client.user.name });
  const submit = h("button", { type: "submit", class: "button" }, t("save"));
  const form = h("form", { class: "with-button" },
    h("label", { class: "field" }, h("span", null, t("settings.name")), name), submit);
  let shown = "";
  const draw = () => {
    const { userID, name: ownName, imageURL } = client.user;
    const key = JSON.stringify(client.user);
    if (key === shown) return;
    shown = key;
    const options = { size: 64, resolve: (/** @type {string} */ url) => client.imageURL(url) };
    refill(picture, avatar({ id: userID, name: ownName, imageURL }, options));
    remove.hidden = !imageURL;
    if (focused() !== name) name.value = ownName;
  };
  /** @param {{name?: string, picture?: Blob | null}} profile */
  const change = async (profile) => {
    try {
      await client.setProfile(profile);
      say(t("saved"));
    } catch (error) {
      fail(error);
    }
  };
  on(form, "submit", (event) => {
    event.preventDefault();
    const wanted = name.value.trim();
    if (wanted && wanted !== client.user.name) change({ name: wanted });
  });
  on(remove, "click", () => change({ picture: null }));
  on(client, "state", draw, signal);
  draw();
  return h(
    "section", { "aria-label": t("settings.profile") }, h("h3", null, t("settings.profile")),
    h("div", { class: "row" },
      picture,
      h("span", { class: "grow" },
        h("button", { type: "button", class: "button quiet",
          onclick: () => choosePicture((chosen) => change({ picture: chosen })) }, t("settings.changePicture")),
        remove)),
    form,
    h("p", { class: "hint" }, t("settings.userID"), " ", h("bdi", { dir: "ltr" }, client.user.userID)),
  );
}

/** @param {Context} context */
function lookSection({ t, look, onLook }) {
  const themes = /** @type {const} */ ([
    ["", "settings.system", "screen"], ["light", "settings.light", "sun"], ["dark", "settings.dark", "moon"],
  ]);
  const choice = h(
    "select", { onchange: () => onLook({ ...look, language: choice.value }) },
    [{ code: "", name: t("settings.languageAuto") }, ...languages].map(({ code, name }) =>
      h("option", { value: code, lang: code || null, selected: code === (look.language ?? "") }, name)),
  );
  return h(
    "section", { "aria-label": t("settings.theme") }, h("h3", null, t("settings.theme")),
    h("div", { class: "choice", role: "radiogroup", "aria-label": t("settings.theme") },
      themes.map(([theme, key, name]) => h(
        "label", null,
        h("input", { type: "radio", name: "theme", value: theme, checked: theme === (look.theme ?? ""),
          onchange: () => {
            look = { ...look, theme };
            onLook(look);
          } }),
        h("span", null, icon(name), t(key)),
      ))),
    h("label", { class: "field" }, h("span", null, t("settings.language")), choice),
  );
}

/** @param {Context} context */
function notificationSection({ t, notifications, fail, signal }) {
  const state = h("span", { class: "hint block" });
  const problem = h("p", { class: "quiet-text" });
  const button = h("button", { type: "button", class: "item", role: "switch" },
    icon("bell"), h("span", { class: "grow" }, t("settings.notifications"), state), h("span", { class: "switch" }));
  const details = h("div", { class: "settings-details" });
  let shown = "";
  /** @param {Partial<DeviceSettings>} settings */
  const change = (settings) => notifications.change(settings).catch(fail);
  const draw = () => {
    const { state: now, settings } = notifications;
    const isOn = now === "on" || now === "waiting" || now === "refused";
    setText(state, now === "refused" ? errorText(notifications.error, t) : t(/** @type {Key} */ ({
      unsupported: "settings.notificationsMissing", off: "settings.notificationsOff",
      denied: "settings.notificationsBlocked", waiting: "connection.connecting", on: "settings.notificationsOn",
    }[now])));
    button.setAttribute("aria-checked", String(isOn));
    button.hidden = now === "unsupported" || now === "denied";
    setText(problem, button.hidden ? state.textContent ?? "" : "");
    details.hidden = !isOn || !settings;
    const key = JSON.stringify(settings);
    // What the user is changing is not drawn again.
    if (settings && key !== shown && !details.contains(focused())) {
      refill(details, notificationDetails(t, settings, change));
    }
    shown = key;
  };
  on(button, "click", () => {
    const isOn = ["on", "waiting", "refused"].includes(notifications.state);
    (isOn ? notifications.turnOff() : notifications.turnOn()).catch(fail);
  });
  on(notifications, "change", draw, signal);
  draw();
  return h(
    "section", { "aria-label": t("settings.notifications") }, h("h3", null, t("settings.notifications")),
    h("div", { role: "status" }, h("div", { class: "wide" }, button), problem), details,
    h("label", { class: "check" }, h("input", { type: "checkbox", checked: hasSound(),
      onchange: (/** @type {any} */ event) => setSound(event.target.checked) }),
    h("span", null, t("settings.sound"), h("span", { class: "hint block" }, t("settings.soundHint")))),
  );
}

/**
 * What this device is notified of, how much of it is shown, and when not.
 *
 * @param {Texts} t
 * @param {DeviceSettings} settings
 * @param {(settings: Partial<DeviceSettings>) => void} change
 */
function notificationDetails(t, settings, change) {
  /**
   * @param {Key} key
   * @param {"mentionsOnly" | "hidesContent" | "hidesSender"} name
   */
  const check = (key, name) => h("label", { class: "check" }, h("input", {
    type: "checkbox", checked: settings[name],
    onchange: (/** @type {any} */ event) => change({ [name]: event.target.checked }),
  }), t(key));
  const range = settings.quietHours?.ranges[0];
  const from = timeInput(range?.start ?? 22 * 60);
  const to = timeInput(range?.end ?? 7 * 60);
  const times = h("div", { class: "times" },
    h("label", { class: "field" }, h("span", null, t("settings.from")), from),
    h("label", { class: "field" }, h("span", null, t("settings.to")), to));
  times.hidden = !range;
  const isQuiet = h("input", { type: "checkbox", checked: Boolean(range) });
  const setQuiet = () => {
    times.hidden = !isQuiet.checked;
    const [start, end] = [minutesOf(from.value), minutesOf(to.value)];
    if (isQuiet.checked && (Number.isNaN(start) || Number.isNaN(end) || start === end)) return;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    change({ quietHours: { timeZone, ranges: isQuiet.checked ? [{ start, end }] : [] } });
  };
  for (const input of [isQuiet, from, to]) on(input, "change", setQuiet);
  return [
    check("settings.mentionsOnly", "mentionsOnly"), check("settings.hideContent", "hidesContent"),
    check("settings.hideSender", "hidesSender"),
    h("label", { class: "check" }, isQuiet, h("span", null, t("settings.quietHours"),
      h("span", { class: "hint block" }, t("settings.quietHoursHint")))),
    times,
  ];
}

/** @param {number} minutes */
const timeInput = (minutes) => h("input", {
  class: "input", type: "time", required: true,
  value: `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`,
});

/** @param {string} text */
const minutesOf = (text) => {
  const [hours, minutes] = text.split(":").map(Number);
  return hours * 60 + minutes;
};

/**
 * Those whose logins the browser keeps, if it keeps this one.
 *
 * @param {Context} context
 */
function accountSection({ client, t, accounts, onAccount }) {
  if (!accounts) return null;
  const others = accounts.filter(({ userID }) => userID !== client.user.userID);
  return h(
    "section", { "aria-label": t("settings.accounts") }, h("h3", null, t("settings.accounts")),
    h("div", { class: "wide" },
      others.map((account) => h(
        "button", { type: "button", class: "item", onclick: () => onAccount(account) },
        avatar({ id: account.userID, name: account.name }, { size: 32 }),
        h("span", { class: "grow" }, t("signIn.continueAs", { name: account.name })))),
      h("button", { type: "button", class: "item", onclick: () => onAccount(null) },
        icon("person-add"), h("span", { class: "grow" }, t("settings.addAccount")))),
  );
}

/** @param {Context} context */
function endSection({ client, t, root, onLogOut, install, fail }) {
  const logOut = async (/** @type {boolean} */ everywhere) => {
    const count = client.queue.length;
    const title = t(everywhere ? "settings.logOutEverywhere" : "settings.logOut");
    const isSure = await ask(root, {
      title, action: title, cancel: t("cancel"), closeLabel: t("close"), isDanger: true,
      text: t(everywhere ? "settings.logOutEverywhereConfirm" : "settings.logOutConfirm")
        + (count ? ` ${t("settings.logOutUnsent", { count })}` : ""),
    });
    if (isSure) await onLogOut(everywhere).catch(fail);
  };
  return h(
    "section", null,
    install && h("button", { type: "button", class: "button", onclick: install }, icon("download"), t("app.install")),
    h("button", { type: "button", class: "button", onclick: () => openKeysHelp(root, t) }, t("keys.title")),
    h("button", { type: "button", class: "button danger", onclick: () => logOut(false) },
      icon("log-out"), t("settings.logOut")),
    client.options.guest ? null : h("button", { type: "button", class: "button danger", onclick: () => logOut(true) },
      icon("log-out"), t("settings.logOutEverywhere")),
  );
}
