import assert from "node:assert/strict";
import { test } from "node:test";

import { chatMessage, copyOf, fits, isBlank, isGrouped, limitOf, remaining } from "../src/text-chat/rules.js";
import { Texts, languageOf, languages } from "../src/text-chat/texts.js";

const at = (seconds) => new Date(seconds * 1_000);
const row = (seconds, senderID = "5", isSent = false, alias = "Bob") =>
  ({ message: { senderID, alias, text: "x", sentAt: at(seconds) }, isSent });

test("a limit is a whole number from 1 to 8000, and 1000 if it is no number", () => {
  const cases = [[null, 1_000], ["", 1_000], ["many", 1_000], [NaN, 1_000], ["1050", 1_050], [10.9, 10], [0, 1],
    [-5, 1], [9_000, 8_000], [Infinity, 8_000]];
  for (const [value, limit] of cases) assert.equal(limitOf(value), limit, String(value));
});

test("what is left is counted in UTF-16 units and never negative", () => {
  assert.equal(remaining("👩‍👩‍👧", 10), 2);
  assert.equal(remaining("x".repeat(12), 10), 0);
});

test("an edit beyond the limit is refused, unless it makes a text shorter that is too long already", () => {
  assert.equal(fits(1_000, 999, 1_000), true);
  assert.equal(fits(1_001, 1_000, 1_000), false);
  assert.equal(fits(1_001, 1_001, 1_000), false);
  assert.equal(fits(1_001, 1_002, 1_000), true);
});

test("white space of every kind is nothing to send", () => {
  for (const text of ["", " ", "\n\t", "\u00a0\u3000\u2028"]) assert.equal(isBlank(text), true, JSON.stringify(text));
  for (const text of ["x", " 👋 ", "0"]) assert.equal(isBlank(text), false, text);
});

test("rows are grouped by sender, name and side, less than two minutes after the one before", () => {
  assert.equal(isGrouped(row(0), undefined), false);
  assert.equal(isGrouped(row(119.999), row(0)), true);
  assert.equal(isGrouped(row(120), row(0)), false);
  assert.equal(isGrouped(row(-600), row(0)), true, "the time does not decide the order");
  assert.equal(isGrouped(row(1, "6"), row(0)), false);
  assert.equal(isGrouped(row(1, "5", true), row(0)), false);
  assert.equal(isGrouped(row(1, "5", false, "Robert"), row(0)), false);
});

test("a message gets every field, and wrong fields are refused", () => {
  assert.deepEqual(chatMessage({ text: "Hi" }, () => 5),
    { senderID: null, alias: "", text: "Hi", sentAt: new Date(5) });
  for (const sentAt of [at(36_300), 36_300_000, "1970-01-01T10:05:00Z"]) {
    assert.equal(chatMessage({ text: "Hi", sentAt }).sentAt.getTime(), 36_300_000);
  }
  assert.equal(chatMessage({ text: "a\ud800b👋" }).text, "a\ufffdb👋", "half a pair is in no transport");
  const wrong = [{}, { text: 1 }, { text: null }, { text: "x", senderID: 5 }, { text: "x", alias: {} },
    { text: "x", sentAt: "soon" }];
  for (const given of wrong) assert.throws(() => chatMessage(given), TypeError, JSON.stringify(given));
});

test("a copy shares no time with its message", () => {
  const message = chatMessage({ text: "Hi", sentAt: 5 });
  copyOf(message).sentAt.setTime(6);
  assert.equal(message.sentAt.getTime(), 5);
});

test("each language has the same texts, and only forms of its own plural categories", () => {
  const keys = Object.keys(languages.en).sort();
  for (const [language, words] of Object.entries(languages)) {
    assert.deepEqual(Object.keys(words).sort(), keys, language);
    for (const key of ["left", "tooLong", "fresh"]) {
      const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const form of Object.keys(words[key])) assert.ok(categories.includes(form), `${language} ${key} ${form}`);
    }
    const texts = new Texts(language);
    for (const count of [0, 1, 2, 3, 11, 100, 990, 8_000]) {
      for (const text of [texts.left(count), texts.tooLong(count), texts.fresh(count)]) {
        assert.doesNotMatch(text, /[{}]|undefined/, `${language} ${count}`);
      }
    }
  }
});

test("the language of a tag; what is not known is English", () => {
  const cases = [["en", "en"], ["en-GB", "en"], ["DE-at", "de"], ["zh", "zh-Hant"], ["zh-TW", "zh-Hant"], ["ko", "ko"],
    ["ar-EG", "ar"], ["fr", "en"], ["", "en"], ["not a tag", "en"], ["constructor", "en"]];
  for (const [tag, language] of cases) assert.equal(languageOf(tag), language, tag);
});

test("plural forms, numbers and names", () => {
  const [en, de, ar] = ["en", "de", "ar"].map((tag) => new Texts(tag));
  assert.deepEqual([990, 1, 0].map((count) => en.left(count)),
    ["990 characters left", "1 character left", "0 characters left"]);
  assert.deepEqual([1, 3].map((count) => de.fresh(count)), ["1 neue Nachricht", "3 neue Nachrichten"]);
  assert.deepEqual([1, 2].map((count) => ar.fresh(count)), ["رسالة جديدة واحدة", "رسالتان جديدتان"]);
  assert.equal(en.said("{text}", "{name}"), "{text}: {name}", "what others write is no template");
  assert.equal(en.said("", "Hi"), "Hi");
});
