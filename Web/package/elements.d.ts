// What the elements are for a page in TypeScript: their names, attributes and events.

import type { Client } from "../types/client/client.js";
import type { RoostError } from "../types/client/errors.js";
import type { Message } from "../types/client/types.js";
import type { RoostChatElement } from "../types/roost-chat.js";
import type { RoostLauncherElement } from "../types/roost-launcher.js";
import type { ChatMessage, RoostTextChat } from "../types/roost-text-chat.js";

/** The languages of the elements. */
export type Language = "en" | "de" | "zh-Hant" | "ko" | "ar" | (string & {});

/** The attributes that the chat and the launcher share. */
interface ConnectionAttributes {
  /** The address of the server; the page's own origin if absent. */
  server?: string;
  /** The conversation to show, by its id. */
  channel?: string;
  /** The conversation to show, by the user id of the other one. */
  user?: string;
  /** A user id, a space and a name; for servers in dev mode. */
  guest?: string;
  lang?: Language;
  theme?: "light" | "dark";
}

/** The attributes of `<roost-chat>`, without the token. */
export interface RoostChatAttributes extends ConnectionAttributes {
  keys?: "page";
  mode?: "both";
  print?: "page";
}

/** The attributes of `<roost-launcher>`, without the token. */
export interface RoostLauncherAttributes extends ConnectionAttributes {
  /** A sentence beside the button. */
  greeting?: string;
  /** The name of the chat. */
  label?: string;
  /** A key with the scope `visitors`: people without a token talk to its user. */
  "visitor-key"?: string;
  /** The name of a visitor. */
  "visitor-name"?: string;
}

/** The attributes of `<roost-text-chat>`. */
export interface RoostTextChatAttributes {
  "sender-id"?: string;
  alias?: string;
  "max-length"?: number | string;
  lang?: Language;
  theme?: "light" | "dark";
}

/** A live message. */
export interface LiveMessage {
  channel: string;
  message: Message;
  isOwn: boolean;
}

/** The events of `<roost-launcher>`. */
export interface RoostLauncherEventMap {
  message: CustomEvent<LiveMessage>;
  unread: CustomEvent<{ total: number }>;
  error: CustomEvent<RoostError>;
  open: CustomEvent<undefined>;
  close: CustomEvent<undefined>;
}

/** The events of `<roost-chat>`. */
export interface RoostChatEventMap {
  ready: CustomEvent<undefined>;
  message: CustomEvent<LiveMessage>;
  unread: CustomEvent<{ total: number }>;
  error: CustomEvent<RoostError>;
  open: CustomEvent<{ channel: string | null }>;
  close: CustomEvent<{ channel: string }>;
}

/** The user has pressed Send. */
export interface MessageReadyToSend extends CustomEvent<ChatMessage> {
  /** Answers later: a promise of whether the message was sent. */
  respondWith(answer: unknown): void;
}

/** The events of `<roost-text-chat>`. */
export interface RoostTextChatEventMap {
  messagereadytosend: MessageReadyToSend;
}

/** What the components for React and Vue take beside the attributes of their element. */
export interface ConnectionProperties {
  /** A token, or a function that is asked for each connection and again before a token ends. */
  token?: string | ((wasRefused: boolean) => string | Promise<string>);
  /** One that is connected already, in place of a token; the app closes it. */
  client?: Client;
  /** Whose token it is: then what the browser has is shown at once. */
  userID?: string;
  /** False keeps nothing in this browser. */
  store?: boolean;
}

declare global {
  interface HTMLElementTagNameMap {
    "roost-chat": RoostChatElement;
    "roost-launcher": RoostLauncherElement;
    "roost-text-chat": RoostTextChat;
  }
}

declare module "../types/chat/roost-chat-element.js" {
  interface RoostChatElement {
    addEventListener<Type extends keyof RoostChatEventMap>(
      type: Type, listener: (this: RoostChatElement, event: RoostChatEventMap[Type]) => void,
      options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener<Type extends keyof HTMLElementEventMap>(
      type: Type, listener: (this: RoostChatElement, event: HTMLElementEventMap[Type]) => void,
      options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener(
      type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions,
    ): void;
    removeEventListener<Type extends keyof RoostChatEventMap>(
      type: Type, listener: (this: RoostChatElement, event: RoostChatEventMap[Type]) => void,
      options?: boolean | EventListenerOptions,
    ): void;
    removeEventListener<Type extends keyof HTMLElementEventMap>(
      type: Type, listener: (this: RoostChatElement, event: HTMLElementEventMap[Type]) => void,
      options?: boolean | EventListenerOptions,
    ): void;
    removeEventListener(
      type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions,
    ): void;
  }
}

declare module "../types/roost-launcher.js" {
  interface RoostLauncherElement {
    addEventListener<Type extends keyof RoostLauncherEventMap>(
      type: Type, listener: (this: RoostLauncherElement, event: RoostLauncherEventMap[Type]) => void,
      options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener<Type extends keyof HTMLElementEventMap>(
      type: Type, listener: (this: RoostLauncherElement, event: HTMLElementEventMap[Type]) => void,
      options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener(
      type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions,
    ): void;
    removeEventListener<Type extends keyof RoostLauncherEventMap>(
      type: Type, listener: (this: RoostLauncherElement, event: RoostLauncherEventMap[Type]) => void,
      options?: boolean | EventListenerOptions,
    ): void;
    removeEventListener<Type extends keyof HTMLElementEventMap>(
      type: Type, listener: (this: RoostLauncherElement, event: HTMLElementEventMap[Type]) => void,
      options?: boolean | EventListenerOptions,
    ): void;
    removeEventListener(
      type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions,
    ): void;
  }
}

declare module "../types/roost-text-chat.js" {
  interface RoostTextChat {
    addEventListener<Type extends keyof RoostTextChatEventMap>(
      type: Type, listener: (this: RoostTextChat, event: RoostTextChatEventMap[Type]) => void,
      options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener<Type extends keyof HTMLElementEventMap>(
      type: Type, listener: (this: RoostTextChat, event: HTMLElementEventMap[Type]) => void,
      options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener(
      type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions,
    ): void;
    removeEventListener<Type extends keyof RoostTextChatEventMap>(
      type: Type, listener: (this: RoostTextChat, event: RoostTextChatEventMap[Type]) => void,
      options?: boolean | EventListenerOptions,
    ): void;
    removeEventListener<Type extends keyof HTMLElementEventMap>(
      type: Type, listener: (this: RoostTextChat, event: HTMLElementEventMap[Type]) => void,
      options?: boolean | EventListenerOptions,
    ): void;
    removeEventListener(
      type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions,
    ): void;
  }
}
