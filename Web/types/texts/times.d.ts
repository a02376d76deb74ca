/**
 * The formats of a language in a time zone. They are cached: the same language and zone give the same object.
 *
 * @param {Texts} t
 * @param {string} [timeZone] an IANA name; the zone of the device if absent or not known
 * @returns {Times}
 */
export function times(t: Texts, timeZone?: string | undefined): Times;
export type Texts = import("./texts.js").Texts;
/**
 * Times, days, durations and sizes as text. All times are ms since 1970.
 */
export type Times = {
    /**
     * the zone in use, by its IANA name
     */
    timeZone: string;
    /**
     * the time of day: `14:05`
     */
    timeText: (ms: number) => string;
    /**
     * for a separator: Today, Yesterday, Tomorrow, the weekday
     * within six days back, otherwise the date, with the year if it is another one
     */
    dayText: (ms: number, now: number) => string;
    /**
     * for the list of conversations, short: the time today,
     * Yesterday, the weekday within six days back, otherwise the date
     */
    listDateText: (ms: number, now: number) => string;
    /**
     * day and time, for read marks and schedules: `Today, 14:05`
     */
    momentText: (ms: number, now: number) => string;
    /**
     * the whole date with weekday and time, for a title
     */
    fullText: (ms: number) => string;
    /**
     * for the attribute `datetime`
     */
    isoText: (ms: number) => string;
    /**
     * the calendar day in the zone: `2026-03-29`
     */
    dayKey: (ms: number) => string;
    /**
     * when the day in the zone ends: the first ms of the next one
     */
    nextMidnight: (now: number) => number;
    /**
     * for `<input type="datetime-local">`, in the zone: `2026-03-29T14:05`
     */
    inputText: (ms: number) => string;
    /**
     * the time of such an input; NaN if it is not one. A time that the zone
     * skips becomes the one an hour later, of a repeated one the first is taken
     */
    inputTime: (text: string) => number;
    /**
     * like a clock: `0:07`, `1:02:03`
     */
    durationText: (ms: number) => string;
    /**
     * in words, for screen readers: `1 minute, 7 seconds`
     */
    durationLabel: (ms: number) => string;
    /**
     * in units of 1,000: `183 kB`
     */
    sizeText: (bytes: number) => string;
};
