/** @param {string | null} channel */
export const addressOf = (channel) => `${location.pathname}${channel ? `#channel=${encodeURIComponent(channel)}` : ""}`;

/** The channel that the address bar names; null if it names none. */
export const channelOfAddress = () => new URLSearchParams(location.hash.slice(1)).get("channel");
