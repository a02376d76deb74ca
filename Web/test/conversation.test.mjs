import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeBlurHash } from "../src/chat/messages/blur-hash.js";
import { movedMentions } from "../src/chat/composer/composer-mentions.js";
import {
  completeEmoji, completeMention, emojiName, emojiQuery, mentionQuery, withWritten,
} from "../src/chat/composer/mention-search.js";
import { RowHeights, isAtEnd, spliceBetween, windowOf } from "../src/chat/messages/row-heights.js";
import { initialsOf, tintOf } from "../src/ui/avatar.js";

/** Numbers that are always the same. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
}

const rows = (...keys) => keys.map((key) => ({ key }));

test("sums of heights are right after any splices and changes", () => {
  const next = random(7);
  const heights = new RowHeights();
  const plain = [];
  for (let step = 0; step < 500; step += 1) {
    const index = next(plain.length + 1);
    const removed = next(4) ? 0 : next(Math.min(9, plain.length - index + 1));
    const inserted = Array.from({ length: next(6) }, () => 20 + next(300));
    heights.splice(index, removed, inserted);
    plain.splice(index, removed, ...inserted);
    if (plain.length) {
      const changed = next(plain.length);
      const height = 20 + next(300);
      const before = plain[changed];
      plain[changed] = height;
      assert.equal(heights.set(changed, height), height - before);
    }
    const at = next(plain.length + 1);
    assert.equal(heights.top(at), plain.slice(0, at).reduce((sum, height) => sum + height, 0));
    assert.equal(heights.total, plain.reduce((sum, height) => sum + height, 0));
  }
});

test("appending row by row gives the same sums as all at once", () => {
  const [one, other] = [new RowHeights(), new RowHeights()];
  const all = Array.from({ length: 1000 }, (_, index) => 30 + (index % 17));
  other.splice(0, 0, all);
  for (const height of all) one.splice(one.count, 0, [height]);
  for (let index = 0; index <= 1000; index += 1) assert.equal(one.top(index), other.top(index));
});

test("the row at an offset is the one whose pixels are there", () => {
  const heights = new RowHeights();
  assert.equal(heights.find(10), 0);
  heights.splice(0, 0, [10, 20, 30]);
  assert.deepEqual([-5, 0, 9.9, 10, 29, 30, 59, 60, 999].map((offset) => heights.find(offset)),
    [0, 0, 0, 1, 1, 2, 2, 2, 2]);
});

test("inserting before the anchor moves it by the inserted heights, to the pixel", () => {
  const heights = new RowHeights();
  heights.splice(0, 0, Array.from({ length: 50 }, () => 40.25));
  const scrollTop = 123.5;
  const index = heights.find(scrollTop);
  const offset = heights.top(index) - scrollTop;
  heights.splice(0, 0, Array.from({ length: 50 }, (_, row) => 30.5 + row));
  const after = heights.top(index + 50) - offset;
  assert.equal(after - scrollTop, heights.top(50));
});

test("the difference of two lists is one splice", () => {
  const check = (before, after, expected) =>
    assert.deepEqual(Object.values(spliceBetween(rows(...before), rows(...after))), expected);
  check("abc", "abc", [3, 0, 0]);
  check("abc", "abcd", [3, 0, 1]);
  check("abc", "xyabc", [0, 0, 2]);
  check("abc", "ac", [1, 1, 0]);
  check("abcd", "axyd", [1, 2, 2]);
  check("", "ab", [0, 0, 2]);
  check("ab", "", [0, 2, 0]);
  check("aab", "ab", [1, 1, 0]);
});

test("a window has what is visible and a margin, and never more rows than allowed", () => {
  const heights = new RowHeights();
  heights.splice(0, 0, Array.from({ length: 10_000 }, () => 20));
  assert.deepEqual(windowOf(heights, { top: 1000, height: 400, margin: 200, most: 240 }), { start: 40, end: 81 });
  assert.deepEqual(windowOf(heights, { top: 0, height: 400, margin: 200, most: 240 }), { start: 0, end: 31 });
  const { start, end } = windowOf(heights, { top: 100_000, height: 20_000, margin: 600, most: 240 });
  assert.equal(end - start, 240);
  assert.ok(start * 20 < 110_000 && end * 20 > 110_000);
  assert.deepEqual(windowOf(new RowHeights(), { top: 0, height: 400, margin: 200, most: 240 }), { start: 0, end: 0 });
});

test("a list follows within 80 pixels of its end, and not before", () => {
  assert.equal(isAtEnd({ top: 520, height: 400, total: 1000 }), true);
  assert.equal(isAtEnd({ top: 519, height: 400, total: 1000 }), false);
  assert.equal(isAtEnd({ top: 0, height: 400, total: 100 }), true);
});

test("a name is typed after an @ that no Latin letter or digit precedes, and goes on over spaces", () => {
  assert.deepEqual(mentionQuery("@bo", 3), { prefix: "bo", start: 0, end: 3 });
  assert.deepEqual(mentionQuery("hi @", 4), { prefix: "", start: 3, end: 4 });
  assert.deepEqual(mentionQuery("a\n@be c", 5), { prefix: "be", start: 2, end: 5 });
  assert.deepEqual(mentionQuery("@bo b", 5), { prefix: "bo b", start: 0, end: 5 });
  assert.deepEqual(mentionQuery("(@bo", 4), { prefix: "bo", start: 1, end: 4 });
  assert.deepEqual(mentionQuery("你好@bo", 5), { prefix: "bo", start: 2, end: 5 });
  for (const [text, cursor] of [["me@bo", 5], ["é@bo", 4], ["7@bo", 4], ["@ bo", 4], ["@bo\nb", 5], ["bo", 2], ["", 0],
    ["@bo", 0], ["bob@example.com", 15]]) {
    assert.equal(mentionQuery(text, cursor), null, text);
  }
  assert.equal(mentionQuery(`@${"x".repeat(300)}`, 301), null);
});

test("a name or an id that is written out in full is a mention if it fits one person", () => {
  const people = [
    { userID: "ann", name: "Ann" }, { userID: "lee", name: "Ann Lee" }, { userID: "b1", name: "Bob" },
    { userID: "b2", name: "bob" }, { userID: "zh", name: "小明" }, { userID: "e", name: "" },
  ];
  const found = (text, mentions = [], most = 50) => withWritten(text, mentions, people, most)
    .map(({ userID, start, length }) => `${userID} ${start} ${length}`).join();
  assert.equal(found("@ann please look"), "ann 0 4");
  assert.equal(found("@ANN, (@Ann) 你好@ann!"), "ann 0 4,ann 7 4,ann 15 4");
  assert.equal(found("@ann lee and @Ann Leeds"), "lee 0 8,ann 13 4");
  assert.equal(found("@小明 @lee."), "zh 0 3,lee 4 4");
  assert.equal(found("\u{1F600}@ann"), "ann 2 4");
  assert.equal(found("@anna @ann7 @ann_x @ann.lee @LEE bob@ann.com @"), "");
  assert.equal(found("@bob @b1 @b2"), "b1 5 3,b2 9 3");
  assert.equal(found("@Ann Lee", [{ userID: "ann", start: 0, length: 4 }]), "ann 0 4");
  assert.equal(found("@lee @ann", [{ userID: "b1", start: 5, length: 4 }]), "lee 0 4,b1 5 4");
  assert.equal(found("@ann ".repeat(60)).split(",").length, 50);
  assert.equal(found("@ann @lee", [{ userID: "lee", start: 5, length: 4 }], 1), "lee 5 4");
});

test("a completed name replaces what was typed, and the mentions after it move", () => {
  const text = "@an @bo and @Cid";
  const completed = completeMention({ prefix: "bo", start: 4, end: 7 }, { userID: "bob", name: "Bob B" }, text, [
    { userID: "cid", start: 12, length: 4 },
  ]);
  assert.equal(completed.text, "@an @Bob B and @Cid");
  assert.deepEqual(completed.mentions, [
    { userID: "bob", start: 4, length: 6 },
    { userID: "cid", start: 15, length: 4 },
  ]);
  assert.equal(completed.cursor, 11);
  assert.equal(completeMention({ prefix: "b", start: 0, end: 2 }, { userID: "b", name: "B" }, "@b", []).text, "@B ");
});

test("an edit moves the mentions after it, and removes those that it changes", () => {
  const mentions = [{ userID: "ann", start: 3, length: 4 }, { userID: "bob", start: 8, length: 4 }];
  assert.deepEqual(movedMentions(mentions, "hi @Ann @Bob", "oh, hi @Ann @Bob"), [
    { userID: "ann", start: 7, length: 4 }, { userID: "bob", start: 12, length: 4 },
  ]);
  assert.deepEqual(movedMentions(mentions, "hi @Ann @Bob", "hi @An @Bob"), [{ userID: "bob", start: 7, length: 4 }]);
  assert.deepEqual(movedMentions(mentions, "hi @Ann @Bob", "hi @Ann @Bob!"), mentions);
  assert.deepEqual(movedMentions(mentions, "hi @Ann @Bob", ""), []);
});

test("initials are letters of the first and the last word", () => {
  const expected = { "Ann": "A", "Bob van Meier": "BM", "😀 Cid": "C", "": "?", "陳 大文": "陳大", "'q": "Q" };
  for (const [name, initials] of Object.entries(expected)) assert.equal(initialsOf(name), initials, name);
  assert.equal(tintOf("ann"), tintOf("ann"));
  assert.match(tintOf(""), /^#[0-9a-f]{6}$/);
});

test("a BlurHash gives pixels, and anything else nothing", () => {
  const pixels = decodeBlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", 8, 8);
  assert.equal(pixels?.length, 256);
  assert.ok(pixels.every((value, index) => index % 4 !== 3 || value === 255));
  for (const hash of ["", "L", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "\"EHV6nWB2yk8pyo0adR*.7kCMdnj", "💥"]) {
    assert.equal(decodeBlurHash(hash, 8, 8), null, hash);
  }
});

test("the name of an emoji begins after a colon that stands apart, and ends before the cursor", () => {
  assert.deepEqual(emojiQuery(":jo", 3), { prefix: "jo", start: 0, end: 3 });
  assert.deepEqual(emojiQuery("hi (:thumbs_u) you", 13), { prefix: "thumbs_u", start: 4, end: 13 });
  assert.deepEqual(emojiQuery("so :+1", 6), { prefix: "+1", start: 3, end: 6 });
  assert.deepEqual(emojiQuery(":하", 2), { prefix: "하", start: 0, end: 2 });
  const none = [":", ":D", ":)", ":-)", "10:30", "https://x", "a:joy", "::joy", "C:/joy", ":jo y", ":-x"];
  for (const text of none) assert.equal(emojiQuery(text, text.length), null, text);
  assert.deepEqual(emojiName("x :joy: y", 7), { prefix: "joy", start: 2, end: 7 });
  assert.equal(emojiName("x :joy: y", 6), null);
  const mention = { userID: "bob", start: 6, length: 4 };
  const query = { prefix: "joy", start: 0, end: 5 };
  assert.deepEqual(completeEmoji(query, "😂", ":joy: @Bob", [mention]),
    { text: "😂 @Bob", mentions: [{ ...mention, start: 3 }], cursor: 2 });
});
