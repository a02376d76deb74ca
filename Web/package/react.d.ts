import type { CSSProperties, ForwardRefExoticComponent, HTMLAttributes, ReactNode, Ref, RefAttributes } from "react";
import type {
  ConnectionProperties, MessageReadyToSend, RoostChatAttributes, RoostChatEventMap, RoostLauncherAttributes,
  RoostLauncherEventMap, RoostTextChatAttributes,
} from "./elements.js";
import type { RoostChatElement } from "../types/roost-chat.js";
import type { RoostLauncherElement } from "../types/roost-launcher.js";
import type { RoostTextChat as RoostTextChatElement } from "../types/roost-text-chat.js";

/** The listeners of a component: `onMessage` for the event `message`. */
type Listeners<Events> = {
  [Type in keyof Events & string as `on${Capitalize<Type>}`]?: (event: Events[Type]) => void;
};

/** What every component takes and gives to its element. */
type Common<Own> = Omit<HTMLAttributes<HTMLElement>, keyof Own | "children" | "dangerouslySetInnerHTML"> & Own;

export type RoostChatProps =
  Common<RoostChatAttributes & ConnectionProperties & Listeners<RoostChatEventMap>>;
export type RoostLauncherProps =
  Common<Omit<RoostLauncherAttributes, "visitor-key" | "visitor-name"> & ConnectionProperties &
    Listeners<RoostLauncherEventMap> & { visitorKey?: string; visitorName?: string }>;
export type RoostTextChatProps = Common<Omit<RoostTextChatAttributes, "sender-id" | "max-length"> & {
  senderID?: string;
  maxLength?: number;
  onMessageReadyToSend?: (event: MessageReadyToSend) => void;
}>;

/** `<roost-chat>`; the ref is the element. */
export const RoostChat: ForwardRefExoticComponent<RoostChatProps & RefAttributes<RoostChatElement>>;
/** `<roost-launcher>`; the ref is the element. */
export const RoostLauncher: ForwardRefExoticComponent<RoostLauncherProps & RefAttributes<RoostLauncherElement>>;
/** `<roost-text-chat>`; the ref is the element. */
export const RoostTextChat: ForwardRefExoticComponent<RoostTextChatProps & RefAttributes<RoostTextChatElement>>;

// The elements themselves. React 18 hands `class` on as it is, React 19 also takes `className`.
type ElementProps<Element, Attributes> = Attributes & { token?: string } & {
  [Name in `data-${string}` | `aria-${string}`]?: string | number | boolean;
} & {
  children?: ReactNode;
  class?: string;
  className?: string;
  dir?: string;
  hidden?: boolean;
  id?: string;
  key?: string | number | null;
  part?: string;
  ref?: Ref<Element>;
  role?: string;
  slot?: string;
  style?: CSSProperties;
  tabIndex?: number;
  title?: string;
};

interface RoostElements {
  "roost-chat": ElementProps<RoostChatElement, RoostChatAttributes>;
  "roost-launcher": ElementProps<RoostLauncherElement, RoostLauncherAttributes>;
  "roost-text-chat": ElementProps<RoostTextChatElement, RoostTextChatAttributes & {
    senderId?: string;
    maxLength?: number;
  }>;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends RoostElements {}
  }
}

declare global {
  // Where the types of React 18 look.
  namespace JSX {
    interface IntrinsicElements extends RoostElements {}
  }
}
