import assert from "node:assert/strict";
import { test } from "node:test";

import { isQuiet } from "../src/app/notifications.js";

const berlin = (/** @type {any[]} */ ...ranges) => ({ timeZone: "Europe/Berlin", ranges });

test("quiet hours hold within a day, over midnight, on chosen days, and in their own time zone", () => {
  const at = (/** @type {string} */ text) => Date.parse(text);
  const night = berlin({ start: 1320, end: 420 });
  // 22:00 in Berlin is 21:00 UTC in winter and 20:00 UTC in summer.
  assert.equal(isQuiet(night, at("2026-01-15T20:59:00Z")), false);
  assert.equal(isQuiet(night, at("2026-01-15T21:00:00Z")), true);
  assert.equal(isQuiet(night, at("2026-07-15T20:00:00Z")), true);
  assert.equal(isQuiet(night, at("2026-01-16T05:59:00Z")), true);
  assert.equal(isQuiet(night, at("2026-01-16T06:00:00Z")), false);
  const lunch = berlin({ start: 780, end: 840, days: [6, 7] });
  assert.equal(isQuiet(lunch, at("2026-01-17T12:30:00Z")), true, "Saturday");
  assert.equal(isQuiet(lunch, at("2026-01-16T12:30:00Z")), false, "Friday");
  // A range begins on its day, and ends on the next one.
  const sunday = berlin({ start: 1380, end: 60, days: [7] });
  assert.equal(isQuiet(sunday, at("2026-01-18T22:30:00Z")), true, "Sunday 23:30");
  assert.equal(isQuiet(sunday, at("2026-01-18T23:30:00Z")), true, "Monday 00:30");
  assert.equal(isQuiet(sunday, at("2026-01-17T23:30:00Z")), false, "Sunday 00:30");
  assert.equal(isQuiet(berlin({ start: 600, end: 600 }), at("2026-01-15T01:00:00Z")), true, "a whole day");
});

test("without ranges there are no quiet hours", () => {
  assert.equal(isQuiet(undefined, 0), false);
  assert.equal(isQuiet(berlin(), 0), false);
});
