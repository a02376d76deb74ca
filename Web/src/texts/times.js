/** @typedef {import("./texts.js").Texts} Texts */

const hour = 3_600_000;

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
  const timeText = lazy(locale, { timeZone, timeStyle: "short" });
  const weekday = lazy(locale, { timeZone, weekday: "long" });
  const shortWeekday = lazy(locale, { timeZone, weekday: "short" });
  const dayOfYear = lazy(locale, { timeZone, day: "numeric", month: "long" });
  const dayWithYear = lazy(locale, { timeZone, day: "numeric", month: "long", year: "numeric" });
  const shortDay = lazy(locale, { timeZone, day: "numeric", month: "short" });
  const shortDayWithYear = lazy(locale, { timeZone, day: "2-digit", month: "2-digit", year: "2-digit" });
  const fullText = lazy(locale, { timeZone, dateStyle: "full", timeStyle: "short" });
  const wallClock = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
    timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
  });

  /**
   * Year, month, day, hour and minute in the zone, as digits.
   *
   * @param {number} ms
   */
  const fields = (ms) => {
    /** @type {Record<string, string>} */
    const values = {};
    for (const { type, value } of wallClock.formatToParts(ms)) values[type] = value;
    return [values.year.padStart(4, "0"), values.month, values.day, values.hour, values.minute];
  };

  /** @param {number} ms */
  const findDay = (ms) => fields(ms).slice(0, 3).join("-");

  /**
   * The days that were asked for last, the newest one first: messages of one day come together.
   *
   * @type {{from: number, to: number, key: string}[]}
   */
  let days = [];

  /** @param {number} ms */
  const dayOf = (ms) => {
    let day = days.find(({ from, to }) => ms >= from && ms < to);
    if (day) return day;
    const key = findDay(ms);
    day = days.find((other) => other.key === key && ms < other.from);
    if (day) {
      day.from = ms;
    } else {
      day = { from: ms, to: endOfDay(ms, key), key };
      days = [day, ...days.slice(0, 15)];
    }
    return day;
  };

  /** @param {number} ms */
  const dayKey = (ms) => (Number.isFinite(ms) ? dayOf(ms).key : "");

  /**
   * @param {number} ms
   * @param {string} key
   */
  const endOfDay = (ms, key) => {
    const [, , , hours, minutes] = fields(ms).map(Number);
    const usual = (Math.floor(ms / 60_000) + 1440 - hours * 60 - minutes) * 60_000;
    if (findDay(usual - 1) === key && findDay(usual) !== key) return usual;
    // The clocks change on this day.
    let from = ms;
    while (findDay(from + hour) === key) from += hour;
    let to = from + hour;
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      if (findDay(middle) === key) from = middle;
      else to = middle;
    }
    return to;
  };

  /**
   * How many calendar days `ms` is before `now`.
   *
   * @param {number} ms
   * @param {number} now
   */
  const daysBefore = (ms, now) => Math.round((Date.parse(dayKey(now)) - Date.parse(dayKey(ms))) / (24 * hour));

  /**
   * @param {number} ms
   * @param {number} now
   */
  const isSameYear = (ms, now) => dayKey(ms).slice(0, 4) === dayKey(now).slice(0, 4);

  /**
   * @param {number} ms
   * @param {number} now
   */
  const dayText = (ms, now) => {
    if (!Number.isFinite(ms)) return "";
    const days = daysBefore(ms, now);
    if (days === 0) return t("day.today");
    if (days === 1) return t("day.yesterday");
    if (days === -1) return t("day.tomorrow");
    if (days > 1 && days < 7) return weekday(ms);
    return isSameYear(ms, now) ? dayOfYear(ms) : dayWithYear(ms);
  };

  /**
   * @param {number} ms
   * @param {number} now
   */
  const listDateText = (ms, now) => {
    if (!Number.isFinite(ms)) return "";
    const days = daysBefore(ms, now);
    if (days === 0) return timeText(ms);
    if (days === 1) return t("day.yesterday");
    if (days > 1 && days < 7) return shortWeekday(ms);
    return isSameYear(ms, now) ? shortDay(ms) : shortDayWithYear(ms);
  };

  /** @param {number} ms */
  const inputText = (ms) => {
    const [year, month, date, hours, minutes] = fields(ms);
    return `${year}-${month}-${date}T${hours}:${minutes}`;
  };

  /** @param {string} text */
  const inputTime = (text) => {
    const asUTC = Date.parse(`${text}Z`);
    if (Number.isNaN(asUTC)) return NaN;
    // The offset of the zone half a day before and after: only one of them is right next to a change.
    const guesses = [-12, 12].map((hours) => {
      const at = asUTC + hours * hour;
      return asUTC - (Date.parse(`${inputText(at)}Z`) - Math.floor(at / 60_000) * 60_000);
    });
    const right = guesses.filter((ms) => Date.parse(`${inputText(ms)}Z`) === Math.floor(asUTC / 60_000) * 60_000);
    return Math.min(...(right.length ? right : [Math.max(...guesses)]));
  };

  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const two = new Intl.NumberFormat(locale, { useGrouping: false, minimumIntegerDigits: 2 });

  /** @param {number} ms */
  const durationText = (ms) => {
    const seconds = Math.max(0, Math.round((ms || 0) / 1000));
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const end = two.format(seconds % 60);
    return hours ? `${plain.format(hours)}:${two.format(minutes)}:${end}` : `${plain.format(minutes)}:${end}`;
  };

  /** @type {Map<string, Intl.NumberFormat>} */
  const units = new Map();

  /**
   * @param {number} number
   * @param {string} unit
   * @param {Intl.NumberFormatOptions} options
   */
  const withUnit = (number, unit, options) => {
    let format = units.get(unit);
    if (!format) units.set(unit, (format = new Intl.NumberFormat(locale, { style: "unit", unit, ...options })));
    return format.format(number);
  };

  /** @type {Intl.ListFormat | undefined} */
  let unitList;

  /** @param {number} ms */
  const durationLabel = (ms) => {
    const seconds = Math.max(0, Math.round((ms || 0) / 1000));
    /** @type {[number, string][]} */
    const amounts = [
      [Math.floor(seconds / 86_400), "day"],
      [Math.floor(seconds / 3600) % 24, "hour"],
      [Math.floor(seconds / 60) % 60, "minute"],
      [seconds % 60, "second"],
    ];
    const shown = amounts.filter(([number]) => number > 0);
    unitList ??= new Intl.ListFormat(locale, { type: "unit" });
    return unitList.format(
      (shown.length ? shown : [amounts[3]]).map(([number, unit]) => withUnit(number, unit, { unitDisplay: "long" })),
    );
  };

  /** @param {number} bytes */
  const sizeText = (bytes) => {
    let amount = Math.max(0, bytes || 0);
    let step = 0;
    while (amount >= 999.5 && step < 3) {
      amount /= 1000;
      step += 1;
    }
    const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][step];
    // One digit after the point below 10, none above.
    const number = amount < 9.95 ? Math.round(amount * 10) / 10 : Math.round(amount);
    return withUnit(number, unit, { unitDisplay: step ? "short" : "long" });
  };

  return {
    timeZone, timeText, dayText, listDateText, fullText, dayKey, inputText, inputTime, durationText, durationLabel,
    sizeText,
    momentText: (ms, now) => t("day.at", { day: dayText(ms, now), time: timeText(ms) }),
    isoText: (ms) => (Number.isFinite(ms) ? new Date(ms).toISOString() : ""),
    nextMidnight: (now) => dayOf(now).to,
  };
}
