import { amounts } from "./amounts.js";
import { Zone } from "./zone.js";

/** @typedef {import("./texts.js").Texts} Texts */

/**
 * Times, days, durations and sizes as text. All times are ms since 1970.
 *
 * @typedef {object} Times
 * @property {string} timeZone the zone in use, by its IANA name
 * @property {(ms: number) => string} timeText the time of day: `14:05`
 * @property {(ms: number, now: number) => string} dayText for a separator: Today, Yesterday, Tomorrow, the weekday
 *   within six days back, otherwise the date, with the year if it is another one
 * @property {(ms: number, now: number) => string} listDateText for the list of conversations, short: the time today,
 *   Yesterday, the weekday within six days back, otherwise the date
 * @property {(ms: number, now: number) => string} momentText day and time, for read marks and schedules: `Today, 14:05`
 * @property {(ms: number) => string} fullText the whole date with weekday and time, for a title
 * @property {(ms: number) => string} isoText for the attribute `datetime`
 * @property {(ms: number) => string} dayKey the calendar day in the zone: `2026-03-29`
 * @property {(now: number) => number} nextMidnight when the day in the zone ends: the first ms of the next one
 * @property {(ms: number) => string} inputText for `<input type="datetime-local">`, in the zone: `2026-03-29T14:05`
 * @property {(text: string) => number} inputTime the time of such an input; NaN if it is not one. A time that the zone
 *   skips becomes the one an hour later, of a repeated one the first is taken
 * @property {(ms: number) => string} durationText like a clock: `0:07`, `1:02:03`
 * @property {(ms: number) => string} durationLabel in words, for screen readers: `1 minute, 7 seconds`
 * @property {(bytes: number) => string} sizeText in units of 1,000: `183 kB`
 */

/** @type {Map<string, Times>} */
const known = new Map();

/**
 * The formats of a language in a time zone. They are cached: the same language and zone give the same object.
 *
 * @param {Texts} t
 * @param {string} [timeZone] an IANA name; the zone of the device if absent or not known
 * @returns {Times}
 */
export function times(t, timeZone) {
  const zone = validZone(timeZone) || new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const key = `${t.language} ${t.locale} ${zone}`;
  let result = known.get(key);
  if (!result) known.set(key, (result = make(t, zone)));
  return result;
}

/** @param {string} [timeZone] */
function validZone(timeZone) {
  try {
    return timeZone && new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/**
 * A date format that is made when it is first used.
 *
 * @param {string} locale
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {(ms: number) => string}
 */
function lazy(locale, options) {
  /** @type {Intl.DateTimeFormat | undefined} */
  let format;
  return (ms) => (format ??= new Intl.DateTimeFormat(locale, options)).format(ms);
}

/**
 * @param {Texts} t
 * @param {string} timeZone
 * @returns {Times}
 */
function make(t, timeZone) {
  const { locale } = t;
  const zone = new Zone(timeZone);
  const timeText = lazy(locale, { timeZone, timeStyle: "short" });
  const weekday = lazy(locale, { timeZone, weekday: "long" });
  const shortWeekday = lazy(locale, { timeZone, weekday: "short" });
  const dayOfYear = lazy(locale, { timeZone, day: "numeric", month: "long" });
  const dayWithYear = lazy(locale, { timeZone, day: "numeric", month: "long", year: "numeric" });
  const shortDay = lazy(locale, { timeZone, day: "numeric", month: "short" });
  const shortDayWithYear = lazy(locale, { timeZone, day: "2-digit", month: "2-digit", year: "2-digit" });

  /**
   * @param {number} ms
   * @param {number} now
   */
  const dayText = (ms, now) => {
    if (!Number.isFinite(ms)) return "";
    const days = zone.daysBefore(ms, now);
    if (days === 0) return t("day.today");
    if (days === 1) return t("day.yesterday");
    if (days === -1) return t("day.tomorrow");
    if (days > 1 && days < 7) return weekday(ms);
    return zone.isSameYear(ms, now) ? dayOfYear(ms) : dayWithYear(ms);
  };

  return {
    ...amounts(locale),
    timeZone, timeText, dayText,
    listDateText(ms, now) {
      if (!Number.isFinite(ms)) return "";
      const days = zone.daysBefore(ms, now);
      if (days === 0) return timeText(ms);
      if (days === 1) return t("day.yesterday");
      if (days > 1 && days < 7) return shortWeekday(ms);
      return zone.isSameYear(ms, now) ? shortDay(ms) : shortDayWithYear(ms);
    },
    fullText: lazy(locale, { timeZone, dateStyle: "full", timeStyle: "short" }),
    momentText: (ms, now) => t("day.at", { day: dayText(ms, now), time: timeText(ms) }),
    isoText: (ms) => (Number.isFinite(ms) ? new Date(ms).toISOString() : ""),
    dayKey: (ms) => zone.dayKey(ms),
    inputText: (ms) => zone.inputText(ms),
    inputTime: (text) => zone.inputTime(text),
    nextMidnight: (now) => zone.dayOf(now).to,
  };
}
