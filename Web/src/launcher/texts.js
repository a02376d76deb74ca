/**
 * The words of the launcher in one language; `{n}` stands for the number.
 *
 * @typedef {{chat: string, close: string, dismiss: string, failed: string,
 *   unread: Partial<Record<Intl.LDMLPluralRule, string>> & {other: string}}} Words
 */

/** @type {Record<string, Words>} */
export const languages = {
  en: {
    chat: "Chat", close: "Close the chat", dismiss: "Hide the greeting", failed: "The chat could not be loaded.",
    unread: { one: "{n} unread message", other: "{n} unread messages" },
  },
  de: {
    chat: "Chat", close: "Chat schließen", dismiss: "Begrüßung ausblenden",
    failed: "Der Chat konnte nicht geladen werden.",
    unread: { one: "{n} ungelesene Nachricht", other: "{n} ungelesene Nachrichten" },
  },
  "zh-Hant": {
    chat: "聊天", close: "關閉聊天", dismiss: "隱藏問候語", failed: "無法載入聊天。",
    unread: { other: "{n} 則未讀訊息" },
  },
  ko: {
    chat: "채팅", close: "채팅 닫기", dismiss: "인사말 숨기기", failed: "채팅을 불러오지 못했습니다.",
    unread: { other: "읽지 않은 메시지 {n}개" },
  },
  ar: {
    chat: "الدردشة", close: "إغلاق الدردشة", dismiss: "إخفاء الترحيب", failed: "تعذّر تحميل الدردشة.",
    unread: {
      zero: "لا توجد رسائل غير مقروءة", one: "رسالة واحدة غير مقروءة", two: "رسالتان غير مقروءتين",
      few: "{n} رسائل غير مقروءة", many: "{n} رسالة غير مقروءة", other: "{n} رسالة غير مقروءة",
    },
  },
};

/**
 * The first of these languages that there are words for, else English; every Chinese gets the traditional script.
 *
 * @param {readonly string[]} tags
 */
export function languageOf(tags) {
  for (const tag of tags) {
    const [primary] = tag.toLowerCase().split(/[-_]/);
    const language = primary === "zh" ? "zh-Hant" : primary;
    if (Object.hasOwn(languages, language)) return language;
  }
  return "en";
}

/**
 * The words for a number of unread messages.
 *
 * @param {string} language
 * @param {number} count
 */
export function unreadText(language, count) {
  const { unread } = languages[language];
  const form = unread[new Intl.PluralRules(language).select(count)] ?? unread.other;
  return form.replace("{n}", new Intl.NumberFormat(language).format(count));
}

/**
 * What a badge shows: at most 99+.
 *
 * @param {string} language
 * @param {number} count
 */
export function badgeText(language, count) {
  const numbers = new Intl.NumberFormat(language);
  return count > 99 ? `${numbers.format(99)}+` : numbers.format(count);
}
