import { RoostError } from "../client/errors.js";
import { keep, kept } from "../ui/kept.js";
import { channelOfAddress } from "./address.js";
import { hasSound, playSound } from "./sound.js";

/** @typedef {import("../roost.js").Client} Client */
/**
 * When and how this device is notified, as `device.get` gives it.
 * @typedef {{hidesSender: boolean, hidesContent: boolean, mutesAll: boolean, mutedUntil?: number,
 *   mentionsOnly: boolean,
 *   quietHours?: {timeZone: string, ranges: {start: number, end: number, days?: number[]}[]}}} DeviceSettings
 * @typedef {"unsupported" | "off" | "denied" | "waiting" | "on" | "refused"} NotificationState
 */

const chosenKey = "roost.notifications";
/** Relative to the app, as the service worker has it. */
const wordsKey = "web/app/notification-words.json";

/**
 * What stands for messages without a text.
 *
 * @type {Record<string, import("../texts/texts.js").Key>}
 */
const previews = {
  sticker: "preview.sticker", image: "preview.picture", video: "preview.video", voice: "preview.voice",
  contact: "preview.contact", document: "preview.file", location: "preview.place", callReceived: "preview.call",
};

/**
 * Whether it is one of the quiet hours.
 *
 * @param {DeviceSettings["quietHours"]} quiet
 * @param {number} now in ms since 1970
 */
export function isQuiet(quiet, now) {
  if (!quiet?.ranges.length) return false;
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: quiet.timeZone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
  }).formatToParts(now);
  const [weekday, hour, minute] = ["weekday", "hour", "minute"].map(
    (type) => parts.find((part) => part.type === type)?.value ?? "",
  );
  const today = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(weekday) + 1;
  const time = Number(hour) * 60 + Number(minute);
  return quiet.ranges.some(({ start, end, days }) => {
    /** @param {number} day */
    const begins = (day) => !days?.length || days.includes(day);
    if (start < end) return begins(today) && time >= start && time < end;
    return (begins(today) && time >= start) || (begins(today === 1 ? 7 : today - 1) && time < end);
  });
}

/** @param {string} key base64url */
const bytesOf = (key) =>
  Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/**
 * Keeps words for notifications in the user's language, for the service worker.
 *
 * @param {import("../texts/texts.js").Texts} t
 */
export async function keepWords(t) {
  if (typeof caches === "undefined") return;
  /** @type {Record<string, string>} */
  const words = { hidden: t("notify.message") };
  for (const [type, key] of Object.entries(previews)) words[type] = t(key);
  const { pathname } = new URL(".", document.baseURI);
  const cache = await caches.open(`roost-app-1${pathname === "/" ? "" : ` ${pathname}`}`);
  await cache.put(wordsKey, new Response(JSON.stringify(words)));
}

/**
 * The notifications of this browser: permission, registration with the server, and what is shown while the app is
 * open in the background.
 *
 * Once they are on, the address is given to the server on each start. After a failure it tries again by itself: after
 * 5 s, then twice as long each time, up to 5 min, and at once when there is a connection again. The event `change`
 * tells of a new `state` or new `settings`.
 */
export class Notifications extends EventTarget {
  /**
   * @param {Client} client
   * @param {{registration: Promise<ServiceWorkerRegistration | null>,
   *   info: () => Promise<{webPushKey?: string} | null>}} options `info` is what the server tells of itself, null if it
   *   cannot be reached; without `webPushKey` it sends no pushes, and notifications come only while the app is open
   */
  constructor(client, { registration, info }) {
    super();
    this.client = client;
    this.registration = registration;
    this.info = info;
    /** @type {NotificationState} */
    this.state = "unsupported";
    /** @type {DeviceSettings | null} */
    this.settings = null;
    /** Why the server refuses this device, if it does. */
    this.error = /** @type {unknown} */ (null);
    this.failures = 0;
    this.isEnded = false;
    this.isRegistering = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    client.addEventListener("message", this);
    client.addEventListener("state", this);
    client.list.addEventListener("change", this);
  }

  /** @param {NotificationState} state */
  set(state) {
    if (this.isEnded) return;
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }

  /** Registers the device if notifications are on, and reads its settings. */
  start() {
    if (typeof Notification === "undefined" || !navigator.serviceWorker) return this.set("unsupported");
    if (Notification.permission === "denied") this.set("denied");
    else if (!this.isChosen || Notification.permission !== "granted") this.set("off");
    else this.register();
    if (this.client.state === "live") this.readSettings();
  }

  /** Asks for permission, and registers the device if it is granted. Call it only on a click of the user. */
  async turnOn() {
    const permission = await Notification.requestPermission();
    if (permission !== "granted") return this.set(permission === "denied" ? "denied" : "off");
    keep(chosenKey, "on");
    this.failures = 0;
    await this.register();
  }

  /** Ends notifications: the server forgets this device and its settings. */
  async turnOff() {
    await this.forget();
    this.set("off");
    await this.client.perform("device.remove", {});
    await this.readSettings();
  }

  /** Ends notifications in this browser. */
  async forget() {
    keep(chosenKey, null);
    clearTimeout(this.timer);
    try {
      const subscription = await (await this.registration)?.pushManager?.getSubscription();
      await subscription?.unsubscribe();
    } catch {
      // The server learns of it from the push service.
    }
  }

  /**
   * Changes when and how this device is notified; rejects with a `RoostError`.
   *
   * @param {Partial<DeviceSettings>} settings
   */
  async change(settings) {
    await this.client.perform("device.setSettings", settings);
    await this.readSettings();
  }

  /** Stops everything, and shows nothing any more. */
  end() {
    this.isEnded = true;
    clearTimeout(this.timer);
    this.client.removeEventListener("message", this);
    this.client.removeEventListener("state", this);
    this.client.list.removeEventListener("change", this);
  }

  /** @param {any} event */
  handleEvent(event) {
    if (event.type === "message") this.received(event.detail);
    else if (event.type === "state") this.stateChanged();
    else this.withdraw();
  }

  stateChanged() {
    if (this.client.state !== "live") return;
    if (!this.settings) this.readSettings();
    if (this.state === "waiting" && !this.isRegistering) this.register();
  }

  async readSettings() {
    try {
      this.settings = (await this.client.read("device.get", {})).settings;
      if (!this.isEnded) this.dispatchEvent(new Event("change"));
    } catch {
      // Read again with the next connection.
    }
  }

  /** Gives the server the address of this device. */
  async register() {
    clearTimeout(this.timer);
    if (this.state !== "on") this.set("waiting");
    this.isRegistering = true;
    try {
      const address = await this.subscribe();
      if (address) await this.client.perform("device.setAddress", { address });
      this.failures = 0;
      // It may have been turned off meanwhile.
      if (this.isChosen) this.set("on");
    } catch (error) {
      if (this.isEnded || !this.isChosen) return;
      const { code, retryable } = /** @type {import("../client/errors.js").RoostError} */ (error);
      if (error instanceof RoostError && code && !retryable) {
        this.error = error;
        return this.set("refused");
      }
      this.set("waiting");
      this.timer = setTimeout(() => this.register(), Math.min(5000 * 2 ** this.failures++, 300_000));
    } finally {
      this.isRegistering = false;
    }
  }

  /** Whether it shows what arrives: also while the server does not have the address yet. */
  get isShowing() {
    return this.state === "on" || this.state === "waiting";
  }

  get isChosen() {
    return kept(chosenKey) === "on";
  }

  /** @returns {Promise<any>} the address; null if the server sends no pushes, or the browser gets none */
  async subscribe() {
    const [info, registration] = await Promise.all([this.info(), this.registration]);
    if (!info || !registration) throw new Error("There is no connection.");
    const manager = registration.pushManager;
    if (!info.webPushKey || !manager) return null;
    const key = bytesOf(info.webPushKey);
    await navigator.serviceWorker.ready;
    let subscription = await manager.getSubscription();
    const oldKey = subscription?.options.applicationServerKey;
    // A subscription belongs to the key of one server.
    if (subscription && oldKey && !new Uint8Array(oldKey).every((byte, index) => byte === key[index])) {
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    return { gateway: "web", token: endpoint, publicKey: keys?.p256dh, authSecret: keys?.auth };
  }

  /** @param {{channel: string, message: any, isOwn: boolean}} detail */
  async received({ channel, message, isOwn }) {
    const isShown = document.hasFocus() && channelOfAddress() === channel;
    const sounds = hasSound() && !isShown && this.client.isLeader;
    if (isOwn || !(this.isShowing || sounds) || message.count === undefined) return;
    if (!this.settings) await this.readSettings();
    const { settings } = this;
    // Without them nobody knows what may be shown.
    if (!settings) return;
    const known = this.client.list.channels.find((each) => each.channel === channel);
    const now = this.client.serverTime;
    if (!known || known.kind === "open" || known.preference?.isMuted) return;
    if (this.client.blocked.has(message.senderID)) return;
    if (settings.mutesAll || (settings.mutedUntil ?? 0) > now || isQuiet(settings.quietHours, now)) return;
    const isMention = message.mentions?.some((/** @type {any} */ each) => each.userID === this.client.user.userID);
    if (settings.mentionsOnly && known.kind !== "single" && !isMention) return;
    if (sounds) playSound();
    if (!this.isShowing) return;
    const isHidden = Boolean(settings.hidesContent);
    const senderName = settings.hidesSender ? undefined : message.senderName;
    const isSaid = known.kind !== "single" && senderName && message.text && !isHidden;
    const payload = {
      userID: this.client.user.userID, channel, channelKind: known.kind, senderName, messageID: message.messageID,
      sentAt: message.sentAt,
      type: isHidden ? "hidden" : message.type, text: isHidden ? "" : message.text,
      title: settings.hidesSender ? undefined : known.name, badge: this.client.totalUnread,
      body: isSaid ? `${senderName}: ${message.text}` : isHidden ? "" : message.text,
    };
    (await this.registration)?.active?.postMessage({ notify: payload });
  }

  /** Takes notifications away whose channel has been read. */
  async withdraw() {
    if (!this.isShowing) return;
    const shown = (await (await this.registration)?.getNotifications()) ?? [];
    for (const notification of shown) {
      const { userID } = notification.data ?? {};
      if (userID && userID !== this.client.user.userID) continue;
      const channel = this.client.list.channels.find((each) => each.channel === notification.data?.channel);
      if (channel && !channel.unread) notification.close();
    }
  }
}
