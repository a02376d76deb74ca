import { on } from "../ui/dom.js";
import { registerWorker } from "./server.js";

/** What the page and its service worker say to each other. */
export class WorkerLink {
  /**
   * @param {{who: () => string | undefined, open: (channel: string, userID?: string) => void,
   *   subscribed: () => void, updated: () => void}} answers for what the worker says: `who` is in this window, `open` a
   *   channel as a user, the subscription has changed, and there are newer files
   */
  constructor({ who, open, subscribed, updated }) {
    // It has time until there is something to see.
    /** @type {Promise<ServiceWorkerRegistration | null>} */
    this.registration = new Promise((done) => (this.#done = done));
    on(navigator.serviceWorker ?? window, "message", ({ data, ports }) => {
      if (data?.who) ports?.[0]?.postMessage(who());
      if (data?.open) open(data.open, data.userID);
      if (data?.subscribed) subscribed();
      if (data?.updated) updated();
    });
  }

  /** @type {((registration: Promise<ServiceWorkerRegistration | null>) => void) | null} */
  #done = null;
  #hasChecked = false;

  /** Registers the service worker, once. */
  register() {
    this.#done?.(registerWorker());
    this.#done = null;
  }

  /** Asks once per connection whether the server has newer files than those that run here. */
  check() {
    if (this.#hasChecked) return;
    this.#hasChecked = true;
    navigator.serviceWorker?.controller?.postMessage({ check: true });
  }

  /** The connection is lost. */
  connectionLost() {
    this.#hasChecked = false;
  }
}
