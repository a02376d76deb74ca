import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from "react";
import { keyOf } from "./key.js";

/**
 * Makes the component of an element.
 *
 * @param {string} tag
 * @param {() => Promise<unknown>} load defines the element
 * @param {Record<string, string>} events the name of each property that takes a listener, and of its event
 * @param {Record<string, string>} [attributes] the names of properties that differ from those of their attributes
 */
function component(tag, load, events, attributes = {}) {
  const Component = forwardRef((/** @type {any} */ props, ref) => {
    const { token, client, userID, store, className, ...rest } = props;
    const key = keyOf(props);
    /** @type {import("react").MutableRefObject<any>} */
    const element = useRef(null);
    const latest = useRef(props);
    latest.current = props;
    useImperativeHandle(ref, () => element.current, [key]);

    useEffect(() => {
      const { current: node } = element;
      const { signal, abort } = begin();
      for (const [name, type] of Object.entries(events)) {
        node.addEventListener(type, (/** @type {Event} */ event) => latest.current[name]?.(event), { signal });
      }
      load().then(() => {
        // In StrictMode, the first of two effects has ended by now.
        if (signal.aborted) return;
        customElements.upgrade(node);
        const { token, client, userID, store } = latest.current;
        if (!token && !client) return;
        const ask = (/** @type {boolean} */ wasRefused) => latest.current.token?.(wasRefused) ?? "";
        return node.connect({
          ...(client ? { client } : { token: typeof token === "function" ? ask : token }),
          ...(userID && { userID }), ...(store === false && { store }),
        });
      }).catch((error) => {
        if (!signal.aborted) node.dispatchEvent(new CustomEvent("error", { detail: error }));
      });
      return abort;
    }, [key]);

    /** @type {Record<string, unknown>} */
    const given = { key, ref: element, class: className };
    for (const [name, value] of Object.entries(rest)) {
      if (value !== undefined && !(name in events)) given[attributes[name] ?? name] = value;
    }
    return createElement(tag, given);
  });
  Component.displayName = tag.replace(/(^|-)./g, (part) => part.slice(-1).toUpperCase());
  return Component;
}

function begin() {
  const end = new AbortController();
  return { signal: end.signal, abort: () => end.abort() };
}

const shared = {
  onMessage: "message", onUnread: "unread", onError: "error", onOpen: "open", onClose: "close",
};

/** `<roost-chat>` */
export const RoostChat = component("roost-chat", () => import("../src/roost-chat.js"), { ...shared, onReady: "ready" });

/** `<roost-launcher>` */
export const RoostLauncher = component("roost-launcher", () => import("../src/roost-launcher.js"), shared,
  { visitorKey: "visitor-key", visitorName: "visitor-name" });

/** `<roost-text-chat>` */
export const RoostTextChat = component("roost-text-chat", () => import("../src/roost-text-chat.js"),
  { onMessageReadyToSend: "messagereadytosend" }, { senderID: "sender-id", maxLength: "max-length" });
