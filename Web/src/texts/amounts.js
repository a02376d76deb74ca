/**
 * Durations and sizes as text, in the numbers of a locale.
 *
 * @param {string} locale
 * @returns {Pick<import("./times.js").Times, "durationText" | "durationLabel" | "sizeText">}
 */
export function amounts(locale) {
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const two = new Intl.NumberFormat(locale, { useGrouping: false, minimumIntegerDigits: 2 });
  /** @type {Map<string, Intl.NumberFormat>} */
  const units = new Map();
  /** @type {Intl.ListFormat | undefined} */
  let unitList;
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
  /** @param {number} ms */
  const secondsOf = (ms) => Math.max(0, Math.round((ms || 0) / 1000));

  return {
    durationText(ms) {
      const seconds = secondsOf(ms);
      const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
      const end = two.format(seconds % 60);
      return hours ? `${plain.format(hours)}:${two.format(minutes)}:${end}` : `${plain.format(minutes)}:${end}`;
    },
    durationLabel(ms) {
      const parts = partsOf(secondsOf(ms));
      unitList ??= new Intl.ListFormat(locale, { type: "unit" });
      return unitList.format(parts.map(([number, unit]) => withUnit(number, unit, { unitDisplay: "long" })));
    },
    sizeText(bytes) {
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
    },
  };
}

/**
 * Days, hours, minutes and seconds, each if there are any; the seconds if there is nothing.
 *
 * @param {number} seconds
 */
function partsOf(seconds) {
  /** @type {[number, string][]} */
  const parts = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor(seconds / 3600) % 24, "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ];
  const shown = parts.filter(([number]) => number > 0);
  return shown.length ? shown : parts.slice(3);
}
