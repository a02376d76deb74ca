import { defineComponent, h, onBeforeUnmount, onMounted, shallowRef, watch } from "vue";
import { keyOf } from "./key.js";

/**
 * Makes the component of an element.
 *
 * @param {string} name
 * @param {string} tag
 * @param {() => Promise<unknown>} load defines the element
 * @param {string[]} attributes the attributes that properties set: `senderId` sets `sender-id`
 * @param {Record<string, string>} events the name of each event of the component, and of that of the element
 */
function component(name, tag, load, attributes, events) {
  const texts = Object.fromEntries(attributes.map((attribute) => [attribute, { type: [String, Number] }]));
  return defineComponent({
    name,
    props: {
      ...texts, token: { type: [String, Function] }, client: { type: Object }, userId: { type: String },
      store: { type: Boolean, default: true },
    },
    emits: Object.keys(events),
    setup(/** @type {any} */ props, { emit, expose }) {
      /** @type {import("vue").ShallowRef<any>} */
      const element = shallowRef(null);
      let end = new AbortController();

      /** Tells the events of the element, and connects it. */
      async function begin() {
        end.abort();
        end = new AbortController();
        const { signal } = end;
        const { value: node } = element;
        for (const [told, type] of Object.entries(events)) {
          node.addEventListener(type, (/** @type {Event} */ event) => emit(told, event), { signal });
        }
        try {
          await load();
          if (signal.aborted) return;
          customElements.upgrade(node);
          const { token, client, userId, store } = props;
          if (!token && !client) return;
          const ask = (/** @type {boolean} */ wasRefused) => props.token?.(wasRefused) ?? "";
          await node.connect({
            ...(client ? { client } : { token: typeof token === "function" ? ask : token }),
            ...(userId && { userID: userId }), ...(!store && { store }),
          });
        } catch (error) {
          if (!signal.aborted) node.dispatchEvent(new CustomEvent("error", { detail: error }));
        }
      }

      onMounted(begin);
      watch(() => keyOf(props), begin, { flush: "post" });
      onBeforeUnmount(() => end.abort());
      expose({
        /** The element. */
        get element() {
          return element.value;
        },
        /** The client of the element; null before there is one. */
        get client() {
          return element.value?.client ?? null;
        },
      });
      return () => h(tag, { key: keyOf(props), ref: element,
        ...Object.fromEntries(attributes.map((attribute) => [kebab(attribute), props[attribute]])) });
    },
  });
}

/** @param {string} name */
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const shared = ["server", "channel", "user", "guest", "lang", "theme"];
const events = { message: "message", unread: "unread", error: "error", open: "open", close: "close" };

/** `<roost-chat>` */
export const RoostChat = component("RoostChat", "roost-chat", () => import("../src/roost-chat.js"),
  [...shared, "keys", "mode", "print"], { ...events, ready: "ready" });

/** `<roost-launcher>` */
export const RoostLauncher = component("RoostLauncher", "roost-launcher", () => import("../src/roost-launcher.js"),
  [...shared, "greeting", "label", "visitorKey", "visitorName"], events);

/** `<roost-text-chat>` */
export const RoostTextChat = component("RoostTextChat", "roost-text-chat", () => import("../src/roost-text-chat.js"),
  ["senderId", "alias", "maxLength", "lang", "theme"], { messageReadyToSend: "messagereadytosend" });
