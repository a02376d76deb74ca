/**
 * Makes an icon: an `<svg class="icon">` in the colour of the text, 24 px if its style gives no other size. Icons that
 * point along the text also have the class `mirror`.
 *
 * @param {IconName} name
 * @param {{label?: string}} [options] `label` is read by screen readers; without it they skip the icon
 * @returns {SVGElement}
 */
export function icon(name: IconName, options?: {
    label?: string | undefined;
} | undefined): SVGElement;
/** The names of all icons. */
export const iconNames: ("search" | "at" | "add" | "file" | "pause" | "play" | "stop" | "block" | "copy" | "screen" | "select" | "image" | "close" | "offline" | "forward" | "calendar" | "unread" | "settings" | "emoji" | "vote" | "recall" | "edit" | "back" | "more" | "retry" | "contact" | "send" | "reply" | "log-out" | "chevron" | "megaphone" | "volume" | "attach" | "microphone" | "trash" | "people" | "person" | "person-add" | "check" | "checks" | "clock" | "warning" | "info" | "download" | "bell" | "bell-off" | "pin" | "film" | "place" | "phone" | "arrow-down" | "arrow-up" | "chevron-down" | "moon" | "sun" | "lock" | "globe" | "eye" | "eye-off" | "keyboard" | "hash" | "note" | "shield" | "read" | "conversation")[];
export type IconName = keyof typeof shapes;
/**
 * The shapes: paths in a square of 24, drawn with strokes of 2 that have round ends.
 */
declare const shapes: {
    send: string;
    attach: string;
    microphone: string;
    stop: string;
    emoji: string;
    reply: string;
    forward: string;
    copy: string;
    trash: string;
    recall: string;
    more: string;
    close: string;
    back: string;
    search: string;
    add: string;
    edit: string;
    people: string;
    person: string;
    "person-add": string;
    check: string;
    checks: string;
    clock: string;
    warning: string;
    info: string;
    retry: string;
    download: string;
    play: string;
    pause: string;
    bell: string;
    "bell-off": string;
    settings: string;
    "log-out": string;
    pin: string;
    at: string;
    vote: string;
    calendar: string;
    image: string;
    film: string;
    file: string;
    place: string;
    contact: string;
    phone: string;
    "arrow-down": string;
    "arrow-up": string;
    chevron: string;
    "chevron-down": string;
    megaphone: string;
    volume: string;
    moon: string;
    sun: string;
    screen: string;
    lock: string;
    globe: string;
    eye: string;
    "eye-off": string;
    offline: string;
    block: string;
    select: string;
    keyboard: string;
    hash: string;
    note: string;
    shield: string;
    read: string;
    unread: string;
    conversation: string;
};
export {};
