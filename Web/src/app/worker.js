"use strict";
// The service worker of the app: it keeps the app's files, so that the app opens without a connection, and shows push
// notifications. It never touches /v1/.

/** The cache of the app's files; caches of other names are deleted. */
const appCache = "roost-app-1";
/** What the page has written for notifications: words in the user's language. */
const wordsKey = "/web/app/notification-words.json";
/** How long the server may take for a file that is in the cache too, in ms. */
const patience = 4000;
/** The tabs that were opened from the cache: all their files come from there, so that versions are not mixed. */
const cachedTabs = new Set();
/** @type {any} */
const scope = self;
/** @type {Promise<boolean> | null} */
let refreshing = null;

/** @returns {AbortSignal} */
const timeLimit = () => /** @type {any} */ (AbortSignal).timeout(patience);

/** @param {string} path */
const isAppFile = (path) =>
  path.startsWith("/web/") || /^\/(app\.webmanifest|roost(-chat|-text-chat)?\.js)$/.test(path);

/**
 * Reads the page and everything that it links to or imports into the cache.
 * @param {boolean} prunes whether it removes what is not used any more
 * @returns {Promise<boolean>} whether something was there before in another version
 */
async function precache(prunes) {
  let isNew = false;
  const cache = await caches.open(appCache);
  /** @type {Set<string>} */
  const taken = new Set([wordsKey]);
  /** @param {string} path */
  const take = async (path) => {
    if (taken.has(path)) return;
    taken.add(path);
    const response = await fetch(path, { cache: "no-cache", headers: path === "/" ? { Accept: "text/html" } : {} });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const old = await cache.match(path, { ignoreVary: true });
    if (old && old.headers.get("ETag") !== response.headers.get("ETag")) isNew = true;
    await cache.put(path, response.clone());
    if (!/^(\/|.*\.(js|webmanifest))$/.test(path)) return;
    // Types are imported in comments.
    const text = (await response.text()).replace(/\/\*[^]*?\*\//g, "");
    const links = path.endsWith(".js")
      ? text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+\.js)"/g)
      : text.matchAll(/(?:href|src)"?[=:] ?"(\/web\/[^"]+|\/app\.webmanifest)"/g);
    await Promise.all(Array.from(links, ([, link]) => take(new URL(link, location.origin + path).pathname)));
  };
  await Promise.all([take("/"), take("/web/app/badge-96.png")]);
  for (const request of prunes ? await cache.keys() : []) {
    if (!taken.has(new URL(request.url).pathname)) await cache.delete(request);
  }
  return isNew;
}

/** @param {boolean} prunes */
const refresh = (prunes) => (refreshing ??= precache(prunes).catch(() => false).finally(() => (refreshing = null)));

/**
 * Answers from the server, and from the cache if the server cannot be reached.
 * @param {any} event
 * @param {string} path
 */
async function answer(event, path) {
  const cache = await caches.open(appCache);
  const cached = await cache.match(path, { ignoreVary: true });
  if (cached && cachedTabs.has(event.clientId)) return cached;
  try {
    const signal = cached && event.request.mode === "navigate" ? timeLimit() : undefined;
    const response = await fetch(event.request, { signal });
    // A proxy answers while the server behind it restarts. A newer server does not have all files of an older page.
    if (response.status >= 400 && cached) throw new Error("unavailable");
    if (response.ok) event.waitUntil(keep(cache, path, response.clone(), cached));
    return response;
  } catch {
    if (!cached) return Response.error();
    if (event.resultingClientId) cachedTabs.add(event.resultingClientId);
    return cached;
  }
}

/**
 * @param {Cache} cache
 * @param {string} path
 * @param {Response} response
 * @param {Response | undefined} old
 */
async function keep(cache, path, response, old) {
  const isNew = response.headers.get("ETag") !== old?.headers.get("ETag");
  await cache.put(path, response);
  // A file of another version: the files that are loaded only when they are needed may be of another version, too.
  if (old && isNew) await refresh((await openWindows(false)).length <= 1);
}

/** @param {boolean} isVisible */
const openWindows = async (isVisible) => {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter((/** @type {any} */ window) => {
    if (new URL(window.url).pathname !== "/") return false;
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
    icon: "/web/app/icon-192.png",
    badge: "/web/app/badge-96.png",
    dir: "auto",
    timestamp: payload.sentAt,
    data: { channel: payload.channel, messageID: payload.messageID },
  });
}

/** @param {string | undefined} channel */
async function openApp(channel) {
  const [window] = await openWindows(false);
  if (!window) return scope.clients.openWindow(channel ? `/#channel=${encodeURIComponent(channel)}` : "/");
  window.postMessage({ open: channel });
  await window.focus();
}

/** Tells the open pages if the server has newer files than those that they run. */
async function check() {
  // These pages may still need files that the new version does not have.
  if (await refresh(false)) for (const window of await openWindows(false)) window.postMessage({ updated: true });
}

/** @param {any} event */
async function subscribeAgain(event) {
  const options = (event.oldSubscription ?? (await scope.registration.pushManager.getSubscription()))?.options;
  if (options) await scope.registration.pushManager.subscribe(options);
  // The page tells the server: this worker has no token.
  for (const window of await openWindows(false)) window.postMessage({ subscribed: true });
}

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(precache(true).then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("roost-app-") && name !== appCache);
    for (const name of old) await caches.delete(name);
    await scope.clients.claim();
  };
  event.waitUntil(clean());
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" ? pathname === "/" : isAppFile(pathname)) event.respondWith(answer(event, pathname));
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
  if (event.data?.check) event.waitUntil(check());
});

scope.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(openApp(event.notification.data?.channel));
});

scope.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => {
  event.waitUntil(subscribeAgain(event).catch(() => {}));
});
