import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { errorText } from "../src/texts/errors.js";
import { lineText, tallyText, typingText } from "../src/texts/lines.js";
import { contentText, noticeText, previewText, recalledText } from "../src/texts/messages.js";
import { more } from "../src/texts/more-en.js";
import "../src/texts/more.js";
import { en as first } from "../src/texts/texts-en.js";
import { table as de } from "../src/texts/texts-de.js";
import { table as chinese } from "../src/texts/texts-zh-hant.js";
import { table as ko } from "../src/texts/texts-ko.js";
import { table as ar } from "../src/texts/texts-ar.js";
import { chooseLocale, isolate, languages, loadTexts, texts } from "../src/texts/texts.js";
import { toned, tones } from "../src/chat/composer/emoji-search.js";
import { groups } from "../src/texts/emoji-data.js";
import { isEmojiOnly, quickReactions } from "../src/texts/emoji.js";

const en = { ...first, ...more };
const tables = { en, de, "zh-Hant": chinese, ko, ar };
const t = texts("en");
const root = new URL("../", import.meta.url);

/** The source of a folder's modules, without the tables of texts. */
async function source(folder) {
  const files = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = files.filter(({ name }) => /^(?!(texts|more|lines)-).*\.js$/.test(name))
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  return (await Promise.all(paths.map((path) => readFile(path, "utf8")))).join("\n");
}

test("every text is used somewhere", async () => {
  const modules = await source(new URL("src", root).pathname);
  const isMade = (key) =>
    /^(role|kind|line|error|call|setting)\.|^file\.(play|pause)$|(Own|You)$/.test(key);
  const unused = Object.keys(en).filter((key) => !modules.includes(`"${key}"`) && !isMade(key));
  assert.deepEqual(unused, []);
});

/** The texts of an entry by plural category; a plain text has none. */
const forms = (entry) => (typeof entry === "string" ? { "": entry } : entry);

const placeholders = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

for (const [language, table] of Object.entries(tables)) {
  test(`${language} has every key, and no other`, () => {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(en).sort());
  });

  test(`${language} has the placeholders of English, and leaves out only a count that is a word`, () => {
    for (const [key, entry] of Object.entries(table)) {
      const expected = placeholders(Object.values(forms(en[key])).join(" "));
      for (const [category, text] of Object.entries(forms(entry))) {
        const found = placeholders(text);
        const mayLeaveOut = ["zero", "one", "two"].includes(category) || /^(?:recall|deleteForMe)\.title$/.test(key);
        const wanted = mayLeaveOut && !found.includes("count") ? expected.filter((name) => name !== "count") : expected;
        assert.deepEqual(found, wanted, `${key} ${category}`);
      }
    }
  });

  test(`${language} has exactly the plural categories of the language`, () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, entry] of Object.entries(table)) {
      const isPlural = typeof en[key] !== "string";
      if (!isPlural) assert.equal(typeof entry, "string", key);
      if (typeof entry !== "string") assert.deepEqual(Object.keys(entry).sort(), [...categories].sort(), key);
      if (isPlural && typeof entry === "string") assert.ok(language !== "en", key);
    }
  });

  test(`${language} has tidy texts in its own script`, () => {
    const script = { "zh-Hant": /\p{Script=Han}/u, ko: /\p{Script=Hangul}/u, ar: /\p{Script=Arabic}/u }[language];
    const same = /^(?:app\.name|key\.\w+|count\.tooMany|list\.documentTitle|place\.position|notify\.in|ok)$/;
    for (const [key, entry] of Object.entries(table)) {
      for (const text of Object.values(forms(entry))) {
        assert.ok(text.length > 0 && text === text.trim(), key);
        assert.doesNotMatch(text, / {2}|[\u0000-\u001f\u202a-\u202e\u2066-\u2069]/, key);
        assert.ok(!/\.\.\.|"|<|>/.test(text), `${key}: ${text}`);
        const words = text.replace(/\{\w+\}/g, "").replace(/[\p{P}\p{S}\s\dIDEnter]/gu, "");
        if (script && words && !same.test(key)) assert.match(text, script, key);
      }
    }
  });
}

test("the languages of the list are those with a table", () => {
  assert.deepEqual(languages.map(({ code }) => code), Object.keys(tables));
});

test("every text for an error belongs to a code of the protocol, or to an error of the client", async () => {
  const catalogue = await readFile(new URL("../Protocol/catalogue.md", root), "utf8");
  const names = new Set([...catalogue.matchAll(/^\| \d+ \| `(\w+)`(, reserved)? \|/gm)].map(([, name]) => name));
  const known = Object.keys(en).filter((key) => key.startsWith("error.")).map((key) => key.slice(6));
  const own = ["unknown", "connectionLost", "closed", "uploadFailed", "tooOld"];
  for (const name of known.map((key) => key.split(".")[0])) assert.ok(names.has(name) || own.includes(name), name);
  for (const name of ["blocked", "channelNotFound", "noPrivilege", "tooManyRequests", "tokenExpired", "userMissing"]) {
    assert.ok(known.includes(name), name);
  }
});

test("every key in the source exists", async () => {
  const files = (await readdir(new URL("src/", root), { recursive: true })).filter((name) => name.endsWith(".js"));
  for (const name of files.filter((file) => !file.startsWith("texts/") && !file.startsWith("text-chat/"))) {
    const source = await readFile(new URL(`src/${name}`, root), "utf8");
    for (const [, key] of source.matchAll(/\bt\(\s*"([\w.]+)"/g)) assert.ok(Object.hasOwn(en, key), `${name}: ${key}`);
  }
});

test("the best language of a list is taken", () => {
  for (const [wished, language, locale] of [
    ["en", "en", "en"], ["en-GB", "en", "en-GB"], ["de-AT", "de", "de-AT"], ["DE_ch", "de", "de-CH"],
    [["fr", "ko-KR", "de"], "ko", "ko-KR"], [["fr", "nl"], "en", "en"], [[], "en", "en"], ["", "en", "en"],
    ["zh", "zh-Hant", "zh-Hant"], ["zh-TW", "zh-Hant", "zh-TW"], ["zh-HK", "zh-Hant", "zh-HK"],
    ["zh-CN", "zh-Hant", "zh-Hant"], ["zh-Hans-HK", "zh-Hant", "zh-Hant"], ["zh-Hant-HK", "zh-Hant", "zh-Hant-HK"],
    ["ar-EG", "ar", "ar-EG"], ["en-XA", "en-XA", "en"], ["ko-", "ko", "ko"], ["de-!!", "de", "de"],
    [["*", "x", "de"], "de", "de"],
  ]) {
    assert.deepEqual(chooseLocale(wished), { language, locale }, String(wished));
  }
});

test("a table is loaded once, and until then the texts are English", async () => {
  assert.equal(texts("ko").language, "en");
  const korean = await loadTexts(["ko-KR"]);
  assert.equal(korean.language, "ko");
  assert.equal(texts("ko-KR"), korean);
  assert.equal(korean("cancel"), "취소");
  assert.equal((await loadTexts("ar")).dir, "rtl");
  assert.equal((await loadTexts("zh-CN")).lang, "zh-Hant");
  assert.equal(t.dir, "ltr");
});

test("plural forms follow the language", async () => {
  assert.equal(t("count.members", { count: 1 }), "1 member");
  assert.equal(t("count.members", { count: 1234 }), "1,234 members");
  const arabic = await loadTexts("ar");
  const counts = [0, 1, 2, 3, 11, 100].map((count) => arabic("count.members", { count }));
  assert.deepEqual(counts, ["لا أعضاء", "عضو واحد", "عضوان", "3 أعضاء", "11 عضوًا", "100 عضو"]);
  const german = await loadTexts("de");
  assert.equal(german("list.unread", { count: 1 }), "1 ungelesene Nachricht");
});

test("numbers, percentages, lists and badges are those of the language", async () => {
  const german = await loadTexts("de-DE");
  assert.equal(german.number(1234.5), "1.234,5");
  assert.equal(german.percent(0.42).replace(/\s/, " "), "42 %");
  assert.equal(german.list(["Ann", "Bob", "Cid"]), "Ann, Bob und Cid");
  assert.equal(t.list(["a", "b"], "disjunction"), "a or b");
  assert.deepEqual([0, 7, 99, 100].map(t.badge), ["", "7", "99", "99+"]);
  assert.equal((await loadTexts("ar-EG")).number(12), "١٢");
});

test("a name cannot change the order of a sentence or reach out of it", () => {
  assert.equal(t("typing.one", { name: "Ann" }), "Ann is typing…");
  assert.equal(t("typing.one", { name: "أحمد" }), "\u2068أحمد\u2069 is typing…");
  assert.equal(isolate("Ann", "rtl"), "\u2068Ann\u2069");
  assert.equal(isolate("x\u202egpj.exe"), "xgpj.exe");
  assert.equal(isolate("a\nb\u2028c\u0000d"), "a b c d");
  assert.equal(isolate("\u2069\u2069x\u2068y"), "x\u2068y\u2069");
  assert.equal(isolate("\u2066\u2067x\u2069"), "x");
  assert.equal(isolate("a\u2068b\u2069c\u2069\u202e"), "a\u2068b\u2069c");
  for (const name of ["\u2069", "\u2068\u2069\u2069א", "\u202e\u2069א\u2068"]) {
    const inside = isolate(name);
    let depth = 0;
    for (const character of inside) {
      depth += character === "\u2068" ? 1 : character === "\u2069" ? -1 : 0;
      assert.ok(depth >= 0);
    }
    assert.equal(depth, 0);
  }
});

test("a value is never taken for a placeholder, and a missing one is seen", () => {
  assert.equal(t("typing.two", { first: "{second}", second: "B" }), "{second} and B are typing…");
  assert.equal(t("typing.one", { name: "$& $1" }), "$& $1 is typing…");
  assert.equal(t("typing.one"), "{name} is typing…");
  assert.equal(t("typing.one", Object.create({ name: "no" })), "{name} is typing…");
  for (const key of ["__proto__", "constructor", "toString", "no.such.key"]) {
    assert.equal(t(key), key);
    assert.equal(t.has(key), false);
  }
});

test("parts give the values apart from the text", () => {
  assert.deepEqual(t.parts("typing.two", { first: "Ann", second: "Bob" }), [
    { kind: "value", name: "first", text: "Ann" },
    { kind: "text", text: " and " },
    { kind: "value", name: "second", text: "Bob" },
    { kind: "text", text: " are typing…" },
  ]);
  assert.deepEqual(t.parts("cancel"), [{ kind: "text", text: "Cancel" }]);
  assert.deepEqual(t.parts("typing.one"), [{ kind: "text", text: "{name}" }, { kind: "text", text: " is typing…" }]);
});

test("the pseudo-locale has brackets, accents, 40 % more length and the same placeholders", async () => {
  const odd = await loadTexts("en-XA");
  assert.equal(odd.lang, "en");
  for (const [key, entry] of Object.entries(en)) {
    const plain = t(key, { count: 2 });
    const changed = odd(key, { count: 2 });
    assert.match(changed, /^\[.*\]$/s, key);
    assert.deepEqual(placeholders(changed), placeholders(plain), key);
    const length = (text) => text.replace(/\{\w+\}/g, "").length;
    assert.ok(length(changed) >= length(plain) * 1.4 - 1, key);
    if (typeof entry === "string" && /[a-z]/i.test(entry.replace(/\{\w+\}/g, ""))) {
      assert.doesNotMatch(changed.replace(/\{\w+\}/g, ""), /[a-z]/i, key);
    }
  }
});

const event = (name, body, senderID = "ann") => ({
  event: name, channel: "team", seq: 1, sentAt: 1, body, ...(senderID && { senderID }),
});
const cat = { userID: "cat", name: "Cat" };
const dee = { userID: "dee", name: "Dee" };
const nameOf = (userID) => ({ ann: "Ann", bob: "Bob" })[userID];

test("server lines say what happened, to others and to oneself", () => {
  const lines = [
    [event("channel.joined", { reason: "created", channel: "team", title: "The team" }), "Ann created The team"],
    [event("channel.joined", { reason: "invited", channel: "team" }), null],
    [event("news.created", { kind: "publicNews", title: "Offers" }, null), "Offers begins"],
    [event("channel.dismissed", { channel: "team", byName: "Annie" }), "Annie dismissed this group"],
    [event("member.invited", { memberCount: 3, members: [cat] }), "Cat joined (3 members)"],
    [event("member.invited", { memberCount: 4, members: [cat, dee] }), "Cat and Dee joined (4 members)"],
    [event("member.invited", { memberCount: 3, members: [], invited: [dee] }), "Ann invited Dee"],
    [event("member.invited", { memberCount: 3, members: [cat], invited: [dee] }),
      "Cat joined (3 members) and Ann invited Dee"],
    [event("member.joined", { memberCount: 4, member: dee, isAnswer: true }),
      "Dee accepted the invitation (4 members)"],
    [event("member.joined", { memberCount: 1, member: dee, isAnswer: false }), "Dee joined (1 member)"],
    [event("member.left", { memberCount: 2, name: "Cid", userID: "cid" }), "Cid left (2 members)"],
    [event("member.left", { memberCount: 2, name: "Cid", userID: "cid", successor: "bob" }),
      "Cid left (2 members), Bob is admin now"],
    [event("member.left", { memberCount: 2, name: "Cid", userID: "cid", successor: "eve" }),
      "Cid left (2 members), eve is admin now"],
    [event("member.kicked", { memberCount: 3, members: [cat], reason: 2 }), "Ann removed Cat (3 members)"],
    [event("member.banned", { memberCount: 2, members: [dee], reason: 0 }), "Ann banned Dee (2 members)"],
    [event("member.roleChanged", { memberCount: 4, members: [{ ...cat, role: "moderator" }] }),
      "Cat is a moderator now"],
    [event("member.roleChanged", { memberCount: 4, members: [{ ...cat, role: "admin" }, { ...dee, role: "none" }] }),
      "Cat is an admin now and Dee is not banned or invited any more"],
    [event("member.profileChanged", { member: { userID: "u7", name: "Annie" }, hasNickname: true }),
      "u7 is shown as Annie now"],
    [event("member.profileChanged", { member: cat, hasNickname: false, hasChannelImage: true }),
      "Cat has a new picture here"],
    [event("member.profileChanged", { member: cat, hasNickname: false, hasChannelImage: false }),
      "Cat has the usual name and picture again"],
    [event("channel.profileChanged", { profile: { title: "All" } }), "Ann changed the title to “All”"],
    [event("channel.profileChanged", { profile: { title: "" } }), "Ann changed the settings: no title"],
    [event("channel.profileChanged", { profile: { avatar: "file:7c" } }), "Ann changed the picture"],
    [event("channel.profileChanged", { profile: { canJoin: true, maxMembers: 1, history: "last", historyRows: 50 } }),
      "Ann changed the settings: anybody may join, new members see the last 50 entries, and at most 1 member"],
    [event("channel.profileChanged", { profile: { somethingNew: 1 } }), "Ann changed nothing"],
    [event("channel.profileChanged", { profile: { canJoin: false } }, null),
      "The server changed the settings: nobody may join uninvited"],
    [event("vote.closed", { byName: "Ann", tally: { counts: [2, 1], voters: 3 } }),
      "Ann closed a vote: option 1: 2 and option 2: 1 (3 voters)"],
    [event("vote.closed", { tally: { counts: [0, 0], voters: 0 } }, null),
      "A vote is over: option 1: 0 and option 2: 0 (0 voters)"],
    [event("pin.added", { messageID: "m", seq: 1, byName: "Annie" }), "Annie pinned a message"],
    [event("pin.removed", { messageID: "m", seq: 1, byName: "Annie" }), null],
    [event("channel.profileChanged", { profile: { pinners: "participants" } }),
      "Ann changed the settings: all members may pin messages"],
    [event("channel.profileChanged", { profile: { pinners: "moderators" } }),
      "Ann changed the settings: only moderators and admins may pin messages"],
    [event("message.sent", { type: "text", text: "Hi" }), null],
    [event("reaction.added", { emoji: "👍" }), null],
    [event("something.new", {}), null],
  ];
  for (const [row, text] of lines) assert.equal(lineText(row, t, "me", nameOf), text, JSON.stringify(row));
  const own = [
    [event("channel.joined", { reason: "created", channel: "team" }), "ann", "You created team"],
    [event("channel.dismissed", { channel: "team", byName: "Ann" }), "ann", "You dismissed this group"],
    [event("member.invited", { memberCount: 3, members: [cat] }), "cat", "You joined (3 members)"],
    [event("member.invited", { memberCount: 3, members: [], invited: [dee] }), "ann", "You invited Dee"],
    [event("member.joined", { memberCount: 4, member: dee, isAnswer: true }), "dee",
      "You accepted the invitation (4 members)"],
    [event("member.left", { memberCount: 2, name: "Cid", userID: "cid" }), "cid", "You left"],
    [event("member.left", { memberCount: 2, name: "Cid", userID: "cid", successor: "bob" }), "bob",
      "Cid left (2 members), you are admin now"],
    [event("member.kicked", { memberCount: 3, members: [cat] }), "ann", "You removed Cat (3 members)"],
    [event("member.kicked", { memberCount: 3, members: [cat] }), "cat", "Ann removed you"],
    [event("member.banned", { memberCount: 3, members: [cat] }), "cat", "Ann banned you"],
    [event("member.roleChanged", { memberCount: 4, members: [{ ...cat, role: "admin" }] }), "cat",
      "You are an admin now"],
    [event("channel.profileChanged", { profile: { title: "All" } }), "ann", "You changed the title to “All”"],
    [event("vote.closed", { byName: "Ann", tally: { voters: 1 } }), "ann", "You closed a vote: 1 voter"],
    [event("pin.added", { messageID: "m", seq: 1, byName: "Annie" }), "ann", "You pinned a message"],
  ];
  for (const [row, user, text] of own) assert.equal(lineText(row, t, user, nameOf), text, JSON.stringify(row));
});

test("every event of the fixtures has a line in every language, or is none", async () => {
  const folder = new URL("../Protocol/fixtures/", root);
  const rows = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".json")) continue;
    const value = JSON.parse(await readFile(new URL(name, folder), "utf8"));
    rows.push(...[value].flat().filter((row) => typeof row?.event === "string"));
  }
  assert.ok(rows.length > 20);
  for (const language of Object.keys(tables)) {
    const words = await loadTexts(language);
    for (const row of rows) {
      const line = lineText(row, words, "bob");
      const preview = previewText(row, words, "bob", { withSender: true });
      for (const text of [line ?? "", preview]) {
        assert.doesNotMatch(text, /\{\w+\}|undefined|null|NaN|\bline\.|\bsetting\./);
      }
    }
  }
});

test("the list shows one line for the last message", () => {
  const message = (body, senderID = "ann") => event("message.sent", { senderName: "Ann", text: "", ...body }, senderID);
  for (const [row, text] of [
    [message({ type: "text", text: "Hi\n  there" }), "Hi there"],
    [message({ type: "text", text: "Hi" }, "me"), "You: Hi"],
    [message({ type: "image" }), "Picture"],
    [message({ type: "image", text: "Cake" }), "Cake"],
    [message({ type: "video" }), "Video"],
    [message({ type: "voice" }, "me"), "You: Voice message"],
    [message({ type: "sticker", text: "pack/7" }), "Sticker"],
    [message({ type: "document", file: { fileID: "f", name: "plan.pdf" } }), "File: plan.pdf"],
    [message({ type: "document" }), "File"],
    [message({ type: "location", location: { latitude: 1, longitude: 2, address: "Tor" } }), "Place: Tor"],
    [message({ type: "contact", extras: { name: "Eve" } }), "Contact: Eve"],
    [message({ type: "voteImage", text: "Where?", vote: { options: [] } }), "Vote: Where?"],
    [message({ type: "text", text: "Tea", isForwarded: true }), "Forwarded: Tea"],
    [message({ type: "callRecorded", call: { kind: "video", result: "missed" } }), "Video call, missed"],
    [message({ type: "publicNews", text: "Sale" }, null), "Sale"],
    [message({ type: "publicNews" }, null), "News"],
    [message({ type: "custom" }), "Message"],
    [message({ type: "toString" }), "Message"],
    [message({ type: "screenshotTaken" }), "Ann took a screenshot"],
    [message({ type: "messageCopied" }, "me"), "You copied a message"],
    [message({ type: "text", recall: { byName: "Ann", at: 1, isSilent: false } }), "Message recalled"],
    [event("message.announced", { text: "At noon" }, null), "At noon"],
    [event("member.left", { memberCount: 2, name: "Cid", userID: "cid" }), "Cid left (2 members)"],
    [{ type: "text", text: "Flat", senderID: "ann", senderName: "Ann" }, "Flat"],
    [null, ""], [undefined, ""],
  ]) {
    assert.equal(previewText(row, t, "me"), text, JSON.stringify(row));
  }
  assert.equal(previewText(message({ type: "text", text: "Hi" }), t, "me", { withSender: true }), "Ann: Hi");
  const long = previewText(message({ type: "text", text: "😀".repeat(4000) }), t, "me");
  assert.ok(long.length <= 300 && long.isWellFormed?.() !== false && long.endsWith("😀…"));
});

test("quotes, notices, recalled messages, typing and tallies have their words", () => {
  assert.equal(contentText({ type: "text", text: "x", isRecalled: true }, t), "Message recalled");
  assert.equal(contentText({ text: "Soup" }, t), "Soup");
  assert.equal(noticeText({ type: "text" }, t, "me"), null);
  assert.equal(noticeText({ type: "messageSaved", senderID: "b", senderName: "Bob" }, t, "me"), "Bob saved a message");
  assert.equal(recalledText({ byUserID: "me", byName: "Me" }, t, "me"), "You recalled this message");
  assert.equal(recalledText({ byUserID: "b", byName: "Bob" }, t, "me"), "Bob recalled this message");
  const byModerator = { byUserID: "b", byName: "Bob", byRole: "moderator" };
  assert.equal(recalledText(byModerator, t, "me"), "Bob recalled this message");
  const byOperator = { byUserID: "root", byName: "Root", byRole: "operator" };
  assert.equal(recalledText(byOperator, t, "me"), "Removed by an operator");
  assert.equal(recalledText(byOperator, t, "root"), "You recalled this message");
  assert.equal(recalledText({ byName: "Offers" }, t, "me"), "This message is no longer valid");
  const users = ["Ann", "Bob", "Cid", "Dee"].map((name) => ({ name }));
  assert.deepEqual([0, 1, 2, 3, 4].map((count) => typingText(users.slice(0, count), t)), [
    "", "Ann is typing…", "Ann and Bob are typing…", "Ann, Bob and 1 other are typing…",
    "Ann, Bob and 2 others are typing…",
  ]);
  assert.equal(tallyText({ voters: 1 }, t), "1 voter");
});

test("an error is a sentence of this language, else the server's own, else a general one", () => {
  assert.equal(errorText({ code: 1105, name: "channelNotFound", message: "no" }, t), t("error.channelNotFound"));
  assert.equal(errorText({ code: 9999, name: "newOne", message: "Do\nthis." }, t), "Do this.");
  const odd = { code: 0, name: "odd", message: "odd" };
  for (const error of [null, undefined, "x", new TypeError("a is undefined"), odd]) {
    assert.equal(errorText(error, t), t("error.unknown"));
  }
});

test("an error says what is wrong with its field", () => {
  /** @param {string} name @param {string} [field] */
  const said = (name, field) => errorText({ code: 1, name, message: "no", field }, t);
  assert.match(said("invalidContent", "text"), /too many marks on one letter/);
  assert.equal(said("invalidContent", "vote.options[1].text"), said("invalidContent", "text"));
  assert.match(said("fileTypeRefused", "messages[0].file"), /as a document/);
  assert.match(said("fileTypeRefused"), /Send another type/);
  assert.match(said("tooLarge", "size"), /smaller/);
  assert.equal(said("dataFormat", "profile.title"), said("dataFormat", "name"));
  // A field without a text of its own, and one that is a list.
  assert.equal(said("dataFormat", "userIDs"), t("error.dataFormat"));
  assert.equal(said("dataFormat", "emoji[0]"), t("error.dataFormat.emoji"));
});

test("the emoji of the picker are emoji, none is there twice, and each has a name in every language", async () => {
  const marked = Object.values(groups).flatMap((list) => list.trim().split(/\s/));
  const all = marked.map((emoji) => emoji.replace("+", ""));
  assert.ok(all.length > 1800);
  assert.equal(new Set(all).size, all.length);
  for (const emoji of [...all, ...quickReactions]) assert.ok(isEmojiOnly(emoji), emoji);
  for (const language of ["en", "de", "zh-hant", "ko", "ar"]) {
    const { names } = await import(`../src/texts/emoji-names-${language}.js`);
    assert.equal(names.split(/[|\n]/).filter(Boolean).length, all.length, language);
  }
  for (const group of Object.keys(groups)) assert.ok(t.has(`emoji.${group}`), group);
});

test("an emoji in a skin tone is an emoji, too", () => {
  const marked = Object.values(groups).flatMap((list) => list.trim().split(/\s/)).filter((each) => each.endsWith("+"));
  assert.ok(marked.length > 300);
  for (const each of marked) {
    for (const tone of tones) {
      const emoji = toned({ emoji: each.slice(0, -1), hasTone: true }, tone);
      assert.ok(isEmojiOnly(emoji) && emoji.includes(tone), emoji);
    }
  }
});

test("one to three emoji are shown large, everything else is not", () => {
  for (const text of ["😀", "😀😀😀", " ❤️ 👍 ", "👨‍👩‍👧‍👦", "🇩🇪🇹🇼", "1️⃣"]) assert.equal(isEmojiOnly(text), true, text);
  for (const text of ["", " ", "😀😀😀😀", "a😀", "1", "©", "#", "😀".repeat(5000)]) {
    assert.equal(isEmojiOnly(text), false, text);
  }
});

/** The modules that a module loads at first, itself included: their addresses and sources. */
async function loadedBy(name) {
  const found = new Map();
  const visit = async (url) => {
    if (found.has(url.href)) return;
    found.set(url.href, (await readFile(url, "utf8")).replace(/\/\*[^]*?\*\//g, ""));
    const imports = found.get(url.href).matchAll(/^(?:import|export|\})[^"\n(]*"(\.[^"]+\.js)"/gm);
    await Promise.all([...imports].map(([, path]) => visit(new URL(path, url))));
  };
  await visit(new URL(name, new URL("src/", root)));
  return found;
}

test("what a conversation loads at first uses only the texts that are there at first", async () => {
  const found = await loadedBy("roost-chat.js");
  assert.ok(found.size > 30);
  for (const [url, text] of found) {
    for (const key of Object.keys(more)) {
      const isUsed = key.includes(".") ? text.includes(`"${key}"`) : text.includes(`t("${key}"`);
      assert.ok(!isUsed, `${url} uses "${key}": move it to texts-en.js, or import more.js`);
    }
  }
});

test("every icon is there where it is drawn", async () => {
  const first = await readFile(new URL("src/ui/icons.js", root), "utf8");
  const later = await readFile(new URL("src/ui/more-icons.js", root), "utf8");
  const names = (text) => [...text.matchAll(/^  "([a-z-]+)":/gm)].map(([, name]) => name);
  const [known, more] = [names(first), names(later)];
  assert.ok(known.length > 15 && more.length > 15);
  for (const folder of ["app", "chat", "ui"]) {
    for (const file of await readdir(new URL(`src/${folder}`, root))) {
      if (!file.endsWith(".js") || file.endsWith("icons.js")) continue;
      const found = await loadedBy(`${folder}/${file}`);
      const hasMore = [...found.keys()].some((url) => url.endsWith("/more-icons.js"));
      const [text] = found.values();
      for (const [, name] of text.matchAll(/\bicon(?:\(|: )"([a-z-]+)"/g)) {
        assert.ok(known.includes(name) || (hasMore && more.includes(name)),
          `${folder}/${file} draws "${name}": import ui/more-icons.js, or move the shape to icons.js`);
      }
    }
  }
});
