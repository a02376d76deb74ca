// The words of <roost-launcher>.

import assert from "node:assert/strict";
import { test } from "node:test";
import { badgeText, languageOf, languages, unreadText } from "../src/launcher/texts.js";
import { languages as all } from "../src/texts/texts.js";

test("the launcher has every word in every language of the page, with all its plurals", () => {
  assert.deepEqual(Object.keys(languages), all.map(({ code }) => code));
  for (const [language, words] of Object.entries(languages)) {
    assert.deepEqual(Object.keys(words), Object.keys(languages.en), language);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    assert.deepEqual(Object.keys(words.unread).sort(), [...pluralCategories].sort(), language);
  }
});

test("the launcher takes the first language that it has, and English without one", () => {
  const chosen = [[["fr", "de-AT", "ko"], "de"], [["zh-CN"], "zh-Hant"], [["ar_EG"], "ar"], [["fr"], "en"], [[], "en"]];
  for (const [tags, language] of chosen) assert.equal(languageOf(tags), language, `${tags}`);
});

test("the launcher writes numbers of messages as the language does, and at most 99 on the badge", () => {
  assert.equal(unreadText("en", 1), "1 unread message");
  assert.equal(unreadText("de", 1200), "1.200 ungelesene Nachrichten");
  assert.equal(unreadText("ar", 2), "رسالتان غير مقروءتين");
  assert.deepEqual([badgeText("en", 1), badgeText("en", 99), badgeText("en", 100)], ["1", "99", "99+"]);
});
