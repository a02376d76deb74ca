/**
 * The words of one language. The texts with a number have one form per plural category of the language; `{n}` stands
 * for the number.
 *
 * @typedef {Partial<Record<Intl.LDMLPluralRule, string>> & {other: string}} Forms
 * @typedef {{message: string, messages: string, send: string, empty: string, sending: string, notSent: string,
 *   left: Forms, tooLong: Forms, fresh: Forms, said: string}} Words
 */

/** @type {Record<string, Words>} */
export const languages = {
  en: {
    message: "Message", messages: "Messages", send: "Send", empty: "No messages yet", sending: "Sending…",
    notSent: "The message was not sent. Try again.",
    left: { one: "{n} character left", other: "{n} characters left" },
    tooLong: { one: "The text is {n} character too long.", other: "The text is {n} characters too long." },
    fresh: { one: "{n} new message", other: "{n} new messages" },
    said: "{name}: {text}",
  },
  de: {
    message: "Nachricht", messages: "Nachrichten", send: "Senden", empty: "Noch keine Nachrichten",
    sending: "Wird gesendet …", notSent: "Die Nachricht wurde nicht gesendet. Bitte versuche es noch einmal.",
    left: { other: "Noch {n} Zeichen" },
    tooLong: { other: "Der Text ist {n} Zeichen zu lang." },
    fresh: { one: "{n} neue Nachricht", other: "{n} neue Nachrichten" },
    said: "{name}: {text}",
  },
  "zh-Hant": {
    message: "訊息", messages: "訊息列表", send: "傳送", empty: "還沒有訊息", sending: "傳送中…",
    notSent: "訊息未送出，請再試一次。",
    left: { other: "還可以輸入 {n} 個字" },
    tooLong: { other: "文字超出上限 {n} 個字。" },
    fresh: { other: "{n} 則新訊息" },
    said: "{name}：{text}",
  },
  ko: {
    message: "메시지", messages: "메시지 목록", send: "보내기", empty: "아직 메시지가 없습니다", sending: "보내는 중…",
    notSent: "메시지를 보내지 못했습니다. 다시 시도해 주세요.",
    left: { other: "{n}자 남음" },
    tooLong: { other: "제한보다 {n}자 더 깁니다." },
    fresh: { other: "새 메시지 {n}개" },
    said: "{name}: {text}",
  },
  ar: {
    message: "رسالة", messages: "الرسائل", send: "إرسال", empty: "لا توجد رسائل بعد", sending: "جارٍ الإرسال…",
    notSent: "لم تُرسَل الرسالة. حاول مرة أخرى.",
    left: {
      zero: "لم يتبقَّ أي حرف", one: "بقي حرف واحد", two: "بقي حرفان", few: "بقيت {n} أحرف", many: "بقي {n} حرفًا",
      other: "بقي {n} حرف",
    },
    tooLong: {
      one: "النص أطول من المسموح بحرف واحد.", two: "النص أطول من المسموح بحرفين.",
      few: "النص أطول من المسموح بمقدار {n} أحرف.", many: "النص أطول من المسموح بمقدار {n} حرفًا.",
      other: "النص أطول من المسموح بمقدار {n} حرف.",
    },
    fresh: {
      one: "رسالة جديدة واحدة", two: "رسالتان جديدتان", few: "{n} رسائل جديدة", many: "{n} رسالة جديدة",
      other: "{n} رسالة جديدة",
    },
    said: "{name}: {text}",
  },
};

/**
 * The language to use for a language tag: that of the tag if there are texts in it, else English. Every Chinese gets
 * the traditional script.
 *
 * @param {string} tag
 * @returns {string}
 */
export function languageOf(tag) {
  const first = tag.toLowerCase().split("-")[0];
  if (first === "zh") return "zh-Hant";
  return Object.hasOwn(languages, first) ? first : "en";
}

/** The texts, numbers and times of one language, for a tag such as "en" or "de-AT"; an unknown one is English. */
export class Texts {
  /** @param {string} tag */
  constructor(tag) {
    /** The language of the texts, for the attribute `lang`. */
    this.language = languageOf(tag);
    this.words = languages[this.language];
    // A region decides how times are written.
    const locale = isTag(tag) && languageOf(tag) === tag.toLowerCase().split("-")[0] ? tag : this.language;
    this.#plural = new Intl.PluralRules(this.language);
    this.#number = new Intl.NumberFormat(locale, { useGrouping: false });
    this.#clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
    this.#whole = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });
  }

  #plural;
  #number;
  #clock;
  #whole;

  /**
   * How many characters can still be typed: `990 characters left`.
   *
   * @param {number} count
   */
  left(count) {
    return this.#counted(this.words.left, count);
  }

  /**
   * By how many characters a text is too long.
   *
   * @param {number} count
   */
  tooLong(count) {
    return this.#counted(this.words.tooLong, count);
  }

  /**
   * How many messages are new: `3 new messages`.
   *
   * @param {number} count
   */
  fresh(count) {
    return this.#counted(this.words.fresh, count);
  }

  /**
   * A message as it is read aloud; without a name only its text.
   *
   * @param {string} name
   * @param {string} text
   */
  said(name, text) {
    return name ? fill(this.words.said, { name, text }) : text;
  }

  /**
   * The time of day, in the time zone of the user: `10:05 AM`.
   *
   * @param {Date} time
   */
  clock(time) {
    return this.#clock.format(time);
  }

  /**
   * The day and the time.
   *
   * @param {Date} time
   */
  whole(time) {
    return this.#whole.format(time);
  }

  /**
   * @param {Forms} forms
   * @param {number} count
   */
  #counted(forms, count) {
    return fill(forms[this.#plural.select(count)] ?? forms.other, { n: this.#number.format(count) });
  }
}

/**
 * @param {string} text
 * @param {Record<string, string>} values
 */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** @param {string} tag */
function isTag(tag) {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length === 1;
  } catch {
    return false;
  }
}
