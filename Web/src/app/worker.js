"use strict";
// The service worker of the app: it keeps the app's files, so that the app opens at once and without a connection, and
// shows push notifications. It never touches /v1/.
//
// The files come from the cache. The server is asked for newer ones when the page is reloaded, and when the page says
// that it has reached the server.

/** Where the app is: it may be below a path of another site, and there may be several of them. */
const base = new URL("./", location.href).pathname;
const suffix = base === "/" ? "" : ` ${base}`;
/** The cache of the app's files; those of earlier versions are deleted. */
const appCache = `roost-app-1${suffix}`;
/** What the page has written for notifications: words in the user's language. */
const wordsKey = `${base}web/app/notification-words.json`;
/** How long a reload waits for newer files, in ms. */
const patience = 4000;
/** @type {any} */
const scope = self;
/** @type {Promise<void> | null} */
let refreshing = null;

/** @param {string} path */
const isAppFile = (path) => path.startsWith(base) &&
  /^(web\/.+|app\.webmanifest|roost(-chat|-text-chat)?\.js)$/.test(path.slice(base.length));

/**
 * The page and everything that it links to or imports.
 * @param {(path: string) => Promise<Response | undefined>} read
 * @returns {Promise<Map<string, Response>>} by path
 */
async function readFiles(read) {
  /** @type {Map<string, Response>} */
  const files = new Map();
  const taken = new Set();
  /** @param {string} path */
  const take = async (path) => {
    if (taken.has(path)) return;
    taken.add(path);
    const response = await read(path);
    if (!response) return;
    files.set(path, response);
    if (path !== base && !/\.(js|webmanifest)$/.test(path)) return;
    // Types are imported in comments.
    const text = (await response.clone().text()).replace(/\/\*[^]*?\*\//g, "");
    const links = path.endsWith(".js")
      ? text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+\.js)"/g)
      : text.matchAll(/(?:href|src)"?[=:] ?"(web\/[^"]+|app\.webmanifest)"/g);
    // The names of the emoji are large, in five languages, and few look for them.
    const taking = Array.from(links, ([, link]) => link).filter((link) => !link.includes("/emoji-names-"));
    await Promise.all(taking.map((link) => take(new URL(link, location.origin + path).pathname)));
  };
  await take(base);
  await take(`${base}web/app/badge-96.png`);
  await take(`${base}web/app/icon-unread.svg`);
  return files;
}

/**
 * Whether the app is still at this address: not if something else is, such as the login page of a proxy.
 * @param {Response} page
 */
async function mayBeApp(page) {
  if (page.status === 429 || page.status >= 500) return true;
  return page.ok && (await page.clone().text()).includes("web/app/app.js");
}

/** Takes the app away: the next visit gets what the server has instead. */
async function leave() {
  await scope.registration.unregister();
  await caches.delete(appCache);
  throw new Error("The app is not here any more.");
}

/** @param {Response | undefined} file */
const versionOf = (file) => file && `${file.headers.get("ETag")} ${file.headers.get("Content-Security-Policy")}`;

/**
 * Reads the files of the server's version into the cache, if they can all be read.
 * @returns {Promise<boolean>} whether there was another version before
 */
async function readVersion() {
  const cache = await caches.open(appCache);
  const files = await readFiles(async (path) => {
    const known = await cache.match(path);
    // Its name changes with what is in it.
    if (known?.headers.get("Cache-Control")?.includes("immutable")) return known;
    /** @type {RequestInit} */
    const how = { cache: "no-cache", redirect: "manual", ...(path === base && { headers: { Accept: "text/html" } }) };
    const response = await fetch(path, how);
    if (path === base && !(await mayBeApp(response))) await leave();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  });
  const old = await readFiles((path) => cache.match(path, { ignoreVary: true }));
  const isNew = [...files].some(([path, file]) => versionOf(file) !== versionOf(old.get(path)));
  if (!isNew) return false;
  await Promise.all(Array.from(files, ([path, file]) => cache.put(path, file)));
  // Pages of the version before may still need its files.
  for (const request of await cache.keys()) {
    const path = new URL(request.url).pathname;
    if (!files.has(path) && !old.has(path) && path !== wordsKey) await cache.delete(request);
  }
  return old.has(base);
}

/** Tells the open pages if the server has newer files than those that they run. */
async function tell(/** @type {boolean} */ isNew) {
  if (isNew) for (const window of await openWindows(false)) window.postMessage({ updated: true });
}

/** Reads newer files if the server has them and can be reached. */
const refresh = () => (refreshing ??= readVersion().then(tell).catch(() => {}).finally(() => (refreshing = null)));

/**
 * Answers from the cache, and from the server what is not there.
 * @param {any} event
 * @param {string} path
 */
async function answer({ request }, path) {
  if (request.isReloadNavigation) {
    await Promise.race([refresh(), new Promise((resolve) => setTimeout(resolve, patience))]);
  }
  const cache = await caches.open(appCache);
  return (await cache.match(path, { ignoreVary: true })) ?? fetch(request);
}

/** @param {boolean} isVisible */
const openWindows = async (isVisible) => {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter((/** @type {any} */ window) => {
    if (new URL(window.url).pathname !== base) return false;
    return !isVisible || (window.focused && window.visibilityState === "visible");
  });
};

/**
 * Shows a notification, unless the user is looking at the app.
 * @param {any} payload as docs/push.md describes it
 * @param {boolean} isPush
 */
async function show(payload, isPush) {
  if (!payload || payload.kind === "withdrawal") return;
  if (payload.badge !== undefined) scope.navigator.setAppBadge?.(payload.badge)?.catch(() => {});
  // Safari withdraws the permission of a page that shows nothing for a push.
  const mustShow = isPush && /^((?!chrome|chromium|android).)*safari/i.test(navigator.userAgent);
  if (!mustShow && (await openWindows(true)).length) return;
  const tag = payload.channel ?? payload.pushID ?? "roost";
  const shown = await scope.registration.getNotifications({ tag });
  if (shown.some((/** @type {any} */ old) => payload.messageID && old.data?.messageID === payload.messageID)) return;
  const kept = await caches.match(wordsKey);
  const words = kept ? await kept.json() : {};
  const kind = payload.locKey === "roost.hidden" ? "hidden" : payload.type;
  const word = !payload.text && Object.hasOwn(words, kind) ? words[kind] : "";
  const said = word && payload.channelKind !== "single" && payload.senderName ? `${payload.senderName}: ${word}` : word;
  await scope.registration.showNotification(payload.title || "Roost", {
    body: said || payload.body,
    tag,
    renotify: true,
    icon: `${base}web/app/icon-192.png`,
    badge: `${base}web/app/badge-96.png`,
    dir: "auto",
    timestamp: payload.sentAt,
    data: { channel: payload.channel, messageID: payload.messageID, userID: payload.userID },
  });
}

/**
 * Who is signed in in a window; undefined if nobody is, or it does not answer.
 * @param {any} window
 * @returns {Promise<string | undefined>}
 */
const userOf = (window) => new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => done(data);
  setTimeout(done, 1000);
  window.postMessage({ who: true }, [port2]);
});

/**
 * Opens what a notification is about, in a window of the user whom it is for if there is one.
 * @param {{channel?: string, userID?: string}} data
 */
async function openApp({ channel, userID }) {
  const windows = await openWindows(false);
  if (!windows.length) {
    const words = new URLSearchParams({ ...(channel && { channel }), ...(userID && { user: userID }) });
    return scope.clients.openWindow(`${base}#${words}`);
  }
  const users = userID && windows.length > 1 ? await Promise.all(windows.map(userOf)) : [];
  const window = windows[Math.max(0, users.indexOf(userID))];
  window.postMessage({ open: channel, userID });
  await window.focus();
}

/** @param {any} event */
async function subscribeAgain(event) {
  const options = (event.oldSubscription ?? (await scope.registration.pushManager.getSubscription()))?.options;
  if (options) await scope.registration.pushManager.subscribe(options);
  // The page tells the server: this worker has no token.
  for (const window of await openWindows(false)) window.postMessage({ subscribed: true });
}

scope.addEventListener("install", (/** @type {any} */ event) => {
  // Browsers that can take files from the cache without starting this worker do so.
  const condition = { urlPattern: { pathname: `${base}web/*`, baseURL: location.origin }, requestMethod: "get" };
  event.addRoutes?.({ condition, source: { cacheName: appCache } }).catch(() => {});
  event.waitUntil(readVersion().then(tell).then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((name) =>
      /^roost-app-\d+/.test(name) && name.replace(/^\S+/, "") === suffix && name !== appCache);
    for (const name of old) await caches.delete(name);
    await scope.clients.claim();
  };
  event.waitUntil(clean());
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" ? pathname === base : isAppFile(pathname)) event.respondWith(answer(event, pathname));
});

scope.addEventListener("push", (/** @type {any} */ event) => {
  const read = async () => {
    let payload;
    try {
      payload = event.data.json().roost;
    } catch {
      return;
    }
    await show(payload, true);
  };
  event.waitUntil(read());
});

scope.addEventListener("message", (/** @type {any} */ event) => {
  // From a page of the app, about a message that it has received itself.
  if (event.data?.notify) event.waitUntil(show(event.data.notify, false));
  if (event.data?.check) event.waitUntil(refresh());
});

scope.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(openApp(event.notification.data ?? {}));
});

scope.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => {
  event.waitUntil(subscribeAgain(event).catch(() => {}));
});
