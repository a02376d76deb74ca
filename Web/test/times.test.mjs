import assert from "node:assert/strict";
import { test } from "node:test";
import "../src/texts/more.js";
import { loadTexts, texts } from "../src/texts/texts.js";
import { times } from "../src/texts/times.js";

const hour = 3_600_000;
const day = 24 * hour;
const t = texts("en-GB");
const berlin = times(t, "Europe/Berlin");
const newYork = times(t, "America/New_York");
const taipei = times(t, "Asia/Taipei");

/** A text with ordinary spaces: which kind of space it has depends on the version of the locale data. */
const plain = (text) => text.replace(/[\s\u200e\u200f]+/g, " ").trim();

const at = (iso) => {
  const ms = Date.parse(iso);
  assert.ok(Number.isFinite(ms), iso);
  return ms;
};

test("the day of a moment is that of the zone", () => {
  const moment = at("2026-01-01T23:30:00Z");
  assert.equal(berlin.dayKey(moment), "2026-01-02");
  assert.equal(newYork.dayKey(moment), "2026-01-01");
  assert.equal(taipei.dayKey(moment), "2026-01-02");
  assert.equal(times(t, "UTC").dayKey(moment), "2026-01-01");
  assert.equal(berlin.dayKey(NaN), "");
  assert.equal(berlin.timeText(moment), "00:30");
});

test("a day ends at midnight of the zone, also when the clocks change", () => {
  for (const [zone, moment, midnight] of [
    [berlin, "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"], // 23 hours
    [berlin, "2026-03-29T12:00:00Z", "2026-03-29T22:00:00Z"],
    [berlin, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"], // 25 hours
    [berlin, "2026-10-25T00:30:00Z", "2026-10-25T23:00:00Z"],
    [berlin, "2026-10-25T01:30:00Z", "2026-10-25T23:00:00Z"],
    [newYork, "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
    [newYork, "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
    [taipei, "2026-03-29T16:00:00Z", "2026-03-30T16:00:00Z"],
    [taipei, "2026-03-29T15:59:59.999Z", "2026-03-29T16:00:00Z"],
    [times(t, "Asia/Kathmandu"), "2026-01-01T00:00:00Z", "2026-01-01T18:15:00Z"],
    [times(t, "America/Sao_Paulo"), "2018-11-03T12:00:00Z", "2018-11-04T03:00:00Z"], // the next day begins at 01:00
    [times(t, "Pacific/Apia"), "2011-12-30T06:00:00Z", "2011-12-30T10:00:00Z"], // the next day is skipped
  ]) {
    assert.equal(new Date(zone.nextMidnight(at(moment))).toISOString(), new Date(at(midnight)).toISOString(), moment);
  }
});

test("days follow each other without gaps over a year of each zone", () => {
  for (const zone of [berlin, newYork, taipei]) {
    let moment = at("2026-01-01T12:00:00Z");
    const keys = [zone.dayKey(moment)];
    for (let count = 0; count < 365; count += 1) {
      const midnight = zone.nextMidnight(moment);
      assert.equal(zone.dayKey(midnight - 1), keys.at(-1));
      keys.push(zone.dayKey(midnight));
      assert.equal(zone.nextMidnight(midnight - 1), midnight);
      moment = midnight;
    }
    keys.forEach((key, index) => assert.equal(key, new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)));
  }
});

test("the day of a moment does not depend on what was asked before", () => {
  const zone = times(texts("en-CA"), "Europe/Berlin");
  const start = at("2026-02-20T00:00:00Z");
  const moments = Array.from({ length: 400 }, (_, index) => start + ((index * 7919) % 1500) * hour);
  const expected = moments.map((moment) => {
    const offset = moment >= at("2026-03-29T01:00:00Z") ? 2 : 1;
    return new Date(moment + offset * hour).toISOString().slice(0, 10);
  });
  assert.deepEqual(moments.map(zone.dayKey), expected);
  assert.deepEqual([...moments].reverse().map(zone.dayKey), [...expected].reverse());
});

test("today becomes yesterday at midnight", () => {
  const sent = at("2026-03-28T22:59:00Z"); // 23:59 in Berlin
  const midnight = berlin.nextMidnight(sent);
  assert.equal(berlin.dayText(sent, midnight - 1), "Today");
  assert.equal(berlin.dayText(sent, midnight), "Yesterday");
  assert.equal(berlin.dayText(sent, berlin.nextMidnight(midnight) - 1), "Yesterday");
  assert.equal(berlin.dayText(sent, berlin.nextMidnight(midnight)), "Saturday");
  assert.equal(newYork.dayText(sent, midnight), "Today");
});

test("a day is named as people do", () => {
  const now = at("2026-03-18T12:00:00Z"); // a Wednesday
  for (const [days, text] of [
    [-1, "Tomorrow"], [0, "Today"], [1, "Yesterday"], [2, "Monday"], [6, "Thursday"], [7, "11 March"],
    [-2, "20 March"], [76, "1 January"], [77, "31 December 2025"], [-300, "12 January 2027"],
  ]) {
    assert.equal(plain(berlin.dayText(now - days * day, now)), text, String(days));
  }
  assert.equal(berlin.dayText(NaN, now), "");
});

test("the list has short dates", () => {
  const now = at("2026-03-18T12:00:00Z");
  for (const [ms, text] of [
    [now - hour, "12:00"], [now - day, "Yesterday"], [now - 2 * day, "Mon"], [now - 30 * day, "16 Feb"],
    [now - 400 * day, "11/02/25"], [now + hour, "14:00"],
  ]) {
    assert.equal(plain(berlin.listDateText(ms, now)), text);
  }
  assert.equal(berlin.listDateText(NaN, now), "");
});

test("full times, moments and the machine's form", () => {
  const moment = at("2026-03-29T01:00:00Z");
  assert.match(plain(berlin.fullText(moment)), /^Sunday,? 29 March 2026(?: at|,) 03:00$/);
  assert.equal(plain(berlin.momentText(moment, moment)), "Today, 03:00");
  assert.equal(berlin.isoText(moment), "2026-03-29T01:00:00.000Z");
  assert.equal(berlin.isoText(NaN), "");
});

test("a local time of an input becomes a moment and back", () => {
  for (const [zone, text, moment] of [
    [berlin, "2026-07-01T09:30", "2026-07-01T07:30:00Z"],
    [berlin, "2026-03-29T01:59", "2026-03-29T00:59:00Z"],
    [berlin, "2026-03-29T03:00", "2026-03-29T01:00:00Z"],
    [berlin, "2026-10-25T02:30", "2026-10-25T00:30:00Z"], // there are two of them: the first
    [berlin, "2026-10-25T03:00", "2026-10-25T02:00:00Z"],
    [newYork, "2026-11-01T01:30", "2026-11-01T05:30:00Z"],
    [newYork, "2026-03-08T03:30", "2026-03-08T07:30:00Z"],
    [taipei, "2026-03-08T00:00", "2026-03-07T16:00:00Z"],
  ]) {
    assert.equal(new Date(zone.inputTime(text)).toISOString(), new Date(at(moment)).toISOString(), text);
    assert.equal(zone.inputText(at(moment)), text);
  }
  // This time does not exist: the clocks went from 02:00 to 03:00.
  assert.equal(berlin.inputText(berlin.inputTime("2026-03-29T02:30")), "2026-03-29T03:30");
  assert.ok(Number.isNaN(berlin.inputTime("")));
  assert.ok(Number.isNaN(berlin.inputTime("soon")));
});

test("durations look like a clock, and are words for screen readers", () => {
  for (const [ms, text, label] of [
    [0, "0:00", "0 seconds"], [999, "0:01", "1 second"], [7_000, "0:07", "7 seconds"],
    [67_000, "1:07", "1 minute, 7 seconds"], [600_000, "10:00", "10 minutes"],
    [3_723_000, "1:02:03", "1 hour, 2 minutes, 3 seconds"], [-5, "0:00", "0 seconds"], [NaN, "0:00", "0 seconds"],
  ]) {
    assert.equal(berlin.durationText(ms), text);
    assert.equal(plain(berlin.durationLabel(ms)), label);
  }
  assert.equal(plain(berlin.durationLabel(30 * day)), "30 days");
});

test("sizes have the unit that people read", () => {
  for (const [bytes, text] of [
    [0, "0 bytes"], [1, "1 byte"], [999, "999 bytes"], [1_000, "1 kB"], [1_234, "1.2 kB"], [9_960, "10 kB"],
    [183_204, "183 kB"], [999_499, "999 kB"], [999_500, "1 MB"], [1_234_567, "1.2 MB"], [104_857_600, "105 MB"],
    [10_737_418_240, "11 GB"], [5_000_000_000_000, "5,000 GB"], [-1, "0 bytes"], [NaN, "0 bytes"],
  ]) {
    assert.equal(plain(berlin.sizeText(bytes)), text);
  }
});

test("other languages have their own forms", async () => {
  const now = at("2026-03-18T12:00:00Z");
  const german = times(await loadTexts("de"), "Europe/Berlin");
  assert.equal(plain(german.dayText(now - 2 * day, now)), "Montag");
  assert.equal(plain(german.dayText(now - 20 * day, now)), "26. Februar");
  assert.equal(plain(german.sizeText(1_234_567)), "1,2 MB");
  const chinese = times(await loadTexts("zh-TW"), "Asia/Taipei");
  assert.equal(chinese.dayText(now, now), "今天");
  assert.equal(chinese.dayText(now - 20 * day, now), "2月26日");
  const arabic = times(await loadTexts("ar-EG"), "Africa/Cairo");
  assert.equal(arabic.durationText(67_000), "١:٠٧");
  assert.match(arabic.dayText(now - 20 * day, now), /فبراير/);
  assert.equal(arabic.dayKey(now), "2026-03-18");
  const thai = times(texts("en-u-ca-buddhist"), "Asia/Bangkok");
  assert.equal(thai.dayKey(now), "2026-03-18");
});

test("formats are cached, and an unknown zone is that of the device", () => {
  assert.equal(times(t, "Europe/Berlin"), berlin);
  assert.notEqual(times(texts("de"), "Europe/Berlin"), berlin);
  const device = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const zone of ["No/Where", "", undefined]) assert.equal(times(t, zone).timeZone, device);
});
