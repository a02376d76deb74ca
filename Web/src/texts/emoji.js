export { isEmojiOnly } from "./emoji-only.js";

/** @param {string} text emoji with spaces between */
const list = (text) => text.split(" ");

/**
 * The emoji of a picker, in groups; `key` is the key of the group's name, `icon` stands for the group on its tab.
 *
 * @type {readonly {key: import("./texts.js").Key, icon: string, emoji: readonly string[]}[]}
 */
export const emojiGroups = [
  {
    key: "emoji.smileys",
    icon: "😀",
    emoji: list(
      "😀 😃 😄 😁 😆 😅 😂 🤣 🙂 🙃 😉 😊 😇 🥰 😍 🤩 😘 😋 😛 😜 🤪 🤗 🤭 🤫 🤔 🫡 😐 😑 😏 🙄 😬 " +
        "😌 😔 😴 🤤 😷 🤒 🤕 🤢 🤧 🥵 🥶 🥴 🤯 🥳 😎 🤓 🧐 😕 😟 🙁 😮 😲 😳 🥺 😨 😰 😢 😭 😱 😩 😤 😠 😡 🤬 😈",
    ),
  },
  {
    key: "emoji.gestures",
    icon: "👍",
    emoji: list(
      "👍 👎 👌 🤌 ✌️ 🤞 🫰 🤟 🤙 👈 👉 👆 👇 ☝️ 👋 🖐️ ✋ 👏 🙌 🫶 🤝 🙏 💪 ✍️ 👀 🧠 👶 🧒 🧑 🧓 🙋 🤷 🤦 🙇 💁 🏃 💃 🕺",
    ),
  },
  {
    key: "emoji.hearts",
    icon: "❤️",
    emoji: list("❤️ 🧡 💛 💚 💙 💜 🖤 🤍 🤎 💔 ❣️ 💕 💖 💯 ✅ ❌ ❓ ❗ ⚠️ ✨ 💥 💤 💬 🔥 ⭐ 🌟 🎵 ➕ ➖ ♻️"),
  },
  {
    key: "emoji.nature",
    icon: "🌿",
    emoji: list("🐶 🐱 🐭 🐰 🦊 🐻 🐼 🐨 🦁 🐮 🐷 🐸 🐵 🐔 🐧 🐦 🦉 🐢 🐟 🐬 🦋 🐝 🌸 🌹 🌻 🌱 🌿 🌲 🌈 ☀️ ⛅ 🌧️ ⛄ 🌙"),
  },
  {
    key: "emoji.food",
    icon: "☕",
    emoji: list("🍎 🍌 🍓 🍇 🍉 🍑 🥑 🍅 🌽 🥐 🍞 🧀 🍳 🍔 🍕 🌮 🍜 🍣 🥟 🍙 🍦 🍪 🎂 🍰 🍫 ☕ 🍵 🧋 🍺 🥂"),
  },
  {
    key: "emoji.activities",
    icon: "⚽",
    emoji: list("⚽ 🏀 🎾 🏐 🏸 🏊 🚴 🏆 🥇 🎮 🎲 🧩 🎨 🎤 🎸 🎬 🎉 🎁 🎈 🚗 🚌 🚆 🚲 ✈️ 🚀 ⛵ 🏠 🏫 🏥 🏖️ ⛰️ 🗺️"),
  },
  {
    key: "emoji.objects",
    icon: "💡",
    emoji: list("💡 📱 💻 ⌨️ 🖨️ 📷 🎧 📞 ⏰ ⌛ 📅 📌 📎 ✂️ 📝 📚 📖 ✉️ 📦 🔑 🔒 🔔 🔕 🔍 🔧 🛠️ ⚙️ 💰 💳 🛒 🧹 🗑️ 💊 🚩"),
  },
];

/** The emoji to offer first for a reaction. */
export const quickReactions = ["👍", "❤️", "😂", "😮", "😢", "🎉"];
