const hour = 3_600_000;

/** The calendar of a time zone. All times are ms since 1970. */
export class Zone {
  /** @param {string} timeZone an IANA name */
  constructor(timeZone) {
    this.#wallClock = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
      timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
    });
  }

  #wallClock;
  /**
   * The days that were asked for last, the newest one first: messages of one day come together.
   *
   * @type {{from: number, to: number, key: string}[]}
   */
  #days = [];

  /**
   * The day of a time, or a part of it: its key is as in `2026-03-29`, `to` is the first ms of the next one.
   *
   * @param {number} ms
   */
  dayOf(ms) {
    let day = this.#days.find(({ from, to }) => ms >= from && ms < to);
    if (day) return day;
    const key = this.#findDay(ms);
    day = this.#days.find((other) => other.key === key && ms < other.from);
    if (day) {
      day.from = ms;
    } else {
      day = { from: ms, to: this.#endOfDay(ms, key), key };
      this.#days = [day, ...this.#days.slice(0, 15)];
    }
    return day;
  }

  /**
   * The key of the day of a time; empty for what is no time.
   *
   * @param {number} ms
   */
  dayKey(ms) {
    return Number.isFinite(ms) ? this.dayOf(ms).key : "";
  }

  /**
   * How many calendar days `ms` is before `now`.
   *
   * @param {number} ms
   * @param {number} now
   */
  daysBefore(ms, now) {
    return Math.round((Date.parse(this.dayKey(now)) - Date.parse(this.dayKey(ms))) / (24 * hour));
  }

  /**
   * @param {number} ms
   * @param {number} now
   */
  isSameYear(ms, now) {
    return this.dayKey(ms).slice(0, 4) === this.dayKey(now).slice(0, 4);
  }

  /**
   * A time as in `2026-03-29T14:05`.
   *
   * @param {number} ms
   */
  inputText(ms) {
    const [year, month, date, hours, minutes] = this.#fields(ms);
    return `${year}-${month}-${date}T${hours}:${minutes}`;
  }

  /**
   * The time of such a text; NaN if it is none.
   *
   * @param {string} text
   */
  inputTime(text) {
    const asUTC = Date.parse(`${text}Z`);
    if (Number.isNaN(asUTC)) return NaN;
    const minute = Math.floor(asUTC / 60_000) * 60_000;
    // The offset of the zone half a day before and after: only one of them is right next to a change.
    const guesses = [-12, 12].map((hours) => {
      const at = asUTC + hours * hour;
      return asUTC - (Date.parse(`${this.inputText(at)}Z`) - Math.floor(at / 60_000) * 60_000);
    });
    const right = guesses.filter((ms) => Date.parse(`${this.inputText(ms)}Z`) === minute);
    return Math.min(...(right.length ? right : [Math.max(...guesses)]));
  }

  /**
   * Year, month, day, hour and minute, as digits.
   *
   * @param {number} ms
   */
  #fields(ms) {
    /** @type {Record<string, string>} */
    const values = {};
    for (const { type, value } of this.#wallClock.formatToParts(ms)) values[type] = value;
    return [values.year.padStart(4, "0"), values.month, values.day, values.hour, values.minute];
  }

  /** @param {number} ms */
  #findDay(ms) {
    return this.#fields(ms).slice(0, 3).join("-");
  }

  /**
   * @param {number} ms
   * @param {string} key
   */
  #endOfDay(ms, key) {
    const [, , , hours, minutes] = this.#fields(ms).map(Number);
    const usual = (Math.floor(ms / 60_000) + 1440 - hours * 60 - minutes) * 60_000;
    if (this.#findDay(usual - 1) === key && this.#findDay(usual) !== key) return usual;
    // The clocks change on this day.
    let from = ms;
    while (this.#findDay(from + hour) === key) from += hour;
    let to = from + hour;
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      if (this.#findDay(middle) === key) from = middle;
      else to = middle;
    }
    return to;
  }
}
