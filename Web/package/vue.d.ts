import type { DefineComponent } from "vue";
import type {
  ConnectionProperties, MessageReadyToSend, RoostChatAttributes, RoostChatEventMap, RoostLauncherAttributes,
  RoostLauncherEventMap, RoostTextChatAttributes,
} from "./elements.js";
import type { Client } from "../types/client/client.js";
import type { RoostChatElement } from "../types/roost-chat.js";
import type { RoostLauncherElement } from "../types/roost-launcher.js";
import type { RoostTextChat as RoostTextChatElement } from "../types/roost-text-chat.js";

/** The listeners of a component: `@message` is the property `onMessage`. */
type Listeners<Events> = {
  [Type in keyof Events & string as `on${Capitalize<Type>}`]?: (event: Events[Type]) => void;
};

type Connecting = Omit<ConnectionProperties, "userID"> & { userId?: string };

export type RoostChatProps = RoostChatAttributes & Connecting & Listeners<RoostChatEventMap>;
export type RoostLauncherProps = Omit<RoostLauncherAttributes, "visitor-key" | "visitor-name"> & Connecting &
  Listeners<RoostLauncherEventMap> & { visitorKey?: string; visitorName?: string };
export type RoostTextChatProps = Omit<RoostTextChatAttributes, "sender-id" | "max-length"> & {
  senderId?: string;
  maxLength?: number;
  onMessageReadyToSend?: (event: MessageReadyToSend) => void;
};

/** What a template ref of a component has. */
export interface RoostComponent<Element> {
  /** The element. */
  readonly element: Element | null;
  /** Its client; null before there is one. */
  readonly client: Client | null;
}

/** `<roost-chat>` */
export const RoostChat: DefineComponent<RoostChatProps, RoostComponent<RoostChatElement>>;
/** `<roost-launcher>` */
export const RoostLauncher: DefineComponent<RoostLauncherProps, RoostComponent<RoostLauncherElement>>;
/** `<roost-text-chat>` */
export const RoostTextChat: DefineComponent<RoostTextChatProps, Pick<RoostComponent<RoostTextChatElement>, "element">>;

declare module "vue" {
  interface GlobalComponents {
    RoostChat: typeof RoostChat;
    RoostLauncher: typeof RoostLauncher;
    RoostTextChat: typeof RoostTextChat;
    "roost-chat": DefineComponent<RoostChatAttributes & { token?: string }>;
    "roost-launcher": DefineComponent<RoostLauncherAttributes & { token?: string }>;
    "roost-text-chat": DefineComponent<RoostTextChatAttributes>;
  }
}
