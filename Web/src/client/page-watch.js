/**
 * Tells when the network or the visibility of the page has changed; does nothing in programs.
 * @param {{wake: () => void, lose: () => void, hide: () => void}} listeners
 * @param {AbortSignal} signal ends it
 */
export function watchPage({ wake, lose, hide }, signal) {
  if (typeof window === "undefined") return;
  const changed = () => (document.visibilityState === "hidden" ? hide() : wake());
  addEventListener("online", wake, { signal });
  addEventListener("offline", lose, { signal });
  document.addEventListener("visibilitychange", changed, { signal });
  addEventListener("pagehide", changed, { signal });
}
