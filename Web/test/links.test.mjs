import assert from "node:assert/strict";
import { test } from "node:test";
import { safeURL, splitText } from "../src/texts/links.js";

/** Addresses that must never become a link. */
const refused = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "jAvAsCrIpT:alert(1)",
  "\u0001javascript:alert(1)",
  " javascript:alert(1)",
  "\tjavascript:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  "java\rscript:alert(1)",
  "java\u0000script:alert(1)",
  "\u00a0javascript:alert(1)",
  "\u200bjavascript:alert(1)",
  "\ufeffjavascript:alert(1)",
  "javascript&colon;alert(1)",
  "&#106;avascript:alert(1)",
  "&#x6A;avascript:alert(1)",
  "javascript&#58;alert(1)",
  "%6aavascript:alert(1)",
  "javascript:%61lert(1)",
  "javascript://example.com/%0aalert(1)",
  "javascript:https://example.com",
  "ｊavascript:alert(1)",
  "vbscript:msgbox(1)",
  "livescript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD4=",
  "DATA:image/svg+xml,<svg onload=alert(1)>",
  "blob:https://example.com/1",
  "filesystem:https://example.com/x",
  "file:///etc/passwd",
  "view-source:https://example.com",
  "about:blank",
  "chrome://settings",
  "ws://example.com",
  "ftp://example.com",
  "ssh://example.com",
  "intent://scan/#Intent;scheme=zxing;end",
  "ms-msdt:/id",
  "sms:+4912345",
  "//example.com",
  "///example.com",
  "/relative",
  "?query",
  "#fragment",
  "",
  "example.com",
  "https:",
  "https:/",
  "https://",
  "https:example.com",
  "https:/example.com",
  "https:\\\\example.com",
  "https:///example.com",
  "https://?q",
  "https://#f",
  "https://exa mple.com",
  "https://example.com\\@evil.example",
  "https://example.com/\u202egpj.exe",
  "https://example.com/\u0000",
  "https://example.com/a\nb",
  "https://exam\u00adple.com/",
  "https://example.com/\ud83d",
  "https://.example.com",
  "https://-.example",
  "https://[::1",
  "https://example.com:99999/",
  "https://256.256.256.256/",
  "https://<script>/",
  "mailto:",
  "mailto:alice",
  "mailto:a@b@c.de",
  "mailto:a@b.de,c@d.de",
  "mailto:a@b.de?attach=/etc/passwd",
  "mailto:a@b.de?subject=x&bcc=c@d.de",
  "mailto:%22a%22@b.de",
  "mailto:a@b.de#x",
  "tel:",
  "tel:*21*123%23",
  "tel:*#06#",
  "tel:abc",
  "tel:+",
  "tel:+49 123",
  `https://example.com/${"a".repeat(2100)}`,
];

test("hostile addresses are refused", () => {
  assert.ok(refused.length >= 60);
  assert.equal(new Set(refused).size, refused.length);
  for (const address of refused) assert.equal(safeURL(address), null, JSON.stringify(address));
  for (const value of [null, undefined, 7, {}, [], new URL("https://example.com"), Symbol("x")]) {
    assert.equal(safeURL(value), null);
  }
});

test("the same addresses in a text give no link but to http, https, mailto and tel", () => {
  for (const address of refused) {
    const markup = `<a href="${address}">x</a>`;
    for (const text of [address, `see ${address} now`, `(${address})`, `看${address}。`, markup]) {
      const parts = splitText(text);
      assert.equal(parts.map((part) => part.text).join(""), text);
      for (const part of parts.filter(({ kind }) => kind === "link")) {
        assert.match(part.href, /^(?:https?:\/\/[^/]|mailto:[^@]+@|tel:\+?\d)/);
        assert.equal(safeURL(part.href), part.href);
      }
    }
  }
});

test("ordinary addresses are accepted in their normal form", () => {
  for (const [address, href] of [
    ["https://example.com", "https://example.com/"],
    ["HTTP://Example.COM:80/A?b=c#d", "http://example.com/A?b=c#d"],
    ["https://example.com:8443/x", "https://example.com:8443/x"],
    ["http://localhost:7878/", "http://localhost:7878/"],
    ["http://[::1]:80/x", "http://[::1]/x"],
    ["https://example.com/ä 1".replace(" ", "%20"), "https://example.com/%C3%A4%201"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["mailto:a.b+c@example.com", "mailto:a.b+c@example.com"],
    ["mailto:a@example.com?subject=Hi&body=Tea", "mailto:a@example.com?subject=Hi&body=Tea"],
    ["tel:+49-170-123", "tel:+49-170-123"],
    ["TEL:110", "tel:110"],
  ]) {
    assert.equal(safeURL(address), href, address);
  }
});

const short = (text, mentions) =>
  splitText(text, mentions).map((part) => (part.kind === "link" ? `[${part.text}]` : part.text));

test("addresses are found in a text, without what belongs to the sentence", () => {
  for (const [text, parts] of [
    ["see https://example.com/a_(b). ok", ["see ", "[https://example.com/a_(b)]", ". ok"]],
    ["(https://example.com)", ["(", "[https://example.com]", ")"]],
    ["(see https://example.com/x(y))", ["(see ", "[https://example.com/x(y)]", ")"]],
    ["[x](https://example.com/b)", ["[x](", "[https://example.com/b]", ")"]],
    ["https://example.com/?a=1&b=2!", ["[https://example.com/?a=1&b=2]", "!"]],
    ["\"https://example.com/a\"", ["\"", "[https://example.com/a]", "\""]],
    ["<https://example.com>", ["<", "[https://example.com]", ">"]],
    ["https://a.example,\nhttps://b.example", ["[https://a.example]", ",\n", "[https://b.example]"]],
    ["請看https://example.com/台灣。謝謝", ["請看", "[https://example.com/台灣]", "。謝謝"]],
    ["www.example.com, a.b@example.com!", ["[www.example.com]", ", ", "[a.b@example.com]", "!"]],
    ["call tel:+4912345.", ["call ", "[tel:+4912345]", "."]],
    ["xhttps://example.com", ["xhttps://example.com"]],
    ["www.", ["www."]],
    ["a@b", ["a@b"]],
    ["@bob hi", ["@bob hi"]],
    ["a.b.c 3.14 e.g. file.txt", ["a.b.c 3.14 e.g. file.txt"]],
    ["", []],
  ]) {
    assert.deepEqual(short(text), parts, text);
  }
  assert.equal(splitText("www.example.com")[0].href, "https://www.example.com/");
});

test("the real host is given where the text does not show it", () => {
  for (const [text, host] of [
    ["https://example.com/path", undefined],
    ["https://EXAMPLE.com", undefined],
    ["https://example.com:443/", undefined],
    ["https://example.com:8443/", undefined],
    ["www.example.com", undefined],
    ["https://bank.example@evil.example/", "evil.example"],
    ["https://bank.example:443@evil.example/", "evil.example"],
    ["https://user:pass@evil.example:8443/", "evil.example:8443"],
    ["https://аpple.example/", "xn--pple-43d.example"],
    ["https://xn--pple-43d.example/", "xn--pple-43d.example"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["https://%65vil.example/", "evil.example"],
    ["https://ｅvil.example/", "evil.example"],
    ["http://2130706433/", "127.0.0.1"],
    ["http://0x7f.1/", "127.0.0.1"],
    ["http://http://example.com", "http"],
  ]) {
    const link = splitText(text).find(({ kind }) => kind === "link");
    assert.equal(link?.host, host, text);
    assert.ok(link, text);
  }
});

test("mentions are taken at their ranges, and wrong ranges are ignored", () => {
  const text = "😀 @bob and @ann";
  const kinds = (mentions) => splitText(text, mentions).map(({ kind, text: part }) => `${kind}:${part}`);
  assert.deepEqual(kinds([{ userID: "ann", start: 12, length: 4 }, { userID: "bob", start: 3, length: 4 }]), [
    "text:😀 ", "mention:@bob", "text: and ", "mention:@ann",
  ]);
  for (const mention of [
    { userID: "x" }, { userID: "x", start: 0 }, { userID: "x", start: -1, length: 2 },
    { userID: "x", start: 0, length: 0 }, { userID: "x", start: 0, length: -2 },
    { userID: "x", start: 14, length: 99 }, { userID: "x", start: 1.5, length: 2 },
    { userID: "x", start: NaN, length: 2 }, { userID: "x", start: "3", length: 4 }, { userID: 7, start: 3, length: 4 },
    { userID: "x", start: 1, length: 3 }, { userID: "x", start: 0, length: 1 }, { start: 3, length: 4 }, null, 7, "x",
    { userID: "x", start: 2 ** 53, length: 1 }, { userID: "x", start: 0, length: Infinity },
  ]) {
    assert.deepEqual(kinds([mention]), [`text:${text}`], JSON.stringify(mention));
  }
  const overlapping = [{ userID: "a", start: 3, length: 4 }, { userID: "b", start: 5, length: 4 }];
  assert.deepEqual(kinds(overlapping), ["text:😀 ", "mention:@bob", "text: and @ann"]);
  assert.deepEqual(kinds(null), [`text:${text}`]);
  assert.deepEqual(kinds("x"), [`text:${text}`]);
  const inside = splitText("https://example.com/@bob", [{ userID: "bob", start: 20, length: 4 }]);
  assert.deepEqual(inside.map(({ kind }) => kind), ["link", "mention"]);
});

test("an address goes on over joiners and bars inside of its path, but not in its host or at its end", () => {
  const links = (text) => splitText(text).filter(({ kind }) => kind === "link").map(({ text: shown, href }) =>
    [shown, href]);
  const persian = "https://fa.wikipedia.org/wiki/می\u200cشود";
  assert.deepEqual(links(`(${persian}).`), [[persian, new URL(persian).href]]);
  assert.deepEqual(links("https://x.example/#!/a|b next"), [["https://x.example/#!/a|b", "https://x.example/#!/a|b"]]);
  const family = "https://x.example/?q=\u{1F468}\u200d\u{1F469}";
  assert.deepEqual(links(family).map(([shown]) => shown), [family]);
  for (const [text, shown] of [
    ["https://x.example/a|", "https://x.example/a"], ["https://x.example/a| b", "https://x.example/a"],
    ["https://x.example|b", "https://x.example"], ["https://x.example/a\u200c", "https://x.example/a"],
    ["https://x.example/a\u200d.", "https://x.example/a"], ["https://x.example/a\u200c\u200cb", "https://x.example/a"],
    ["https://x.example/a\u200bb", "https://x.example/a"],
    ["https://x.example\u200c.evil.example/", "https://x.example"],
    ["mailto:a@b.example\u200cc", "mailto:a@b.example"],
  ]) {
    assert.deepEqual(links(text).map(([link]) => link), [shown], JSON.stringify(text));
  }
  const two = "https://x.example/a|https://y.example/b";
  assert.deepEqual(links(two).map(([shown]) => shown), two.split("|"));
  for (const address of ["https://x\u200c.example/", "https://x.example\u200d/", "mailto:a\u200cb@c.example",
    "tel:1\u200c23", "java\u200dscript:alert(1)", "https://x.example/a\u200bb", "https://x.example/a\u202eb"]) {
    assert.equal(safeURL(address), null, JSON.stringify(address));
  }
});

test("a text of few emoji is one part, and markup stays text", () => {
  assert.deepEqual(splitText("😀 👍"), [{ kind: "emoji", text: "😀 👍" }]);
  const markup = ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "&lt;b&gt;", "**b** _i_ `c`", "\u202e"];
  for (const text of markup) {
    assert.deepEqual(splitText(text), [{ kind: "text", text }]);
  }
});

test("hostile texts of 32 KiB and 320 KiB take time in proportion to their length", () => {
  const pieces = [
    "(", ")", "http://", "http://http://", "http://:", "https://a.example/((((", "https://a.example)", "https://a",
    "www.",
    "|", "\u200c", "a\u200d", "https://a.example/|", "a@", "@", "a.", "a-", "a%a.", "mailto:", "tel:1", "😀", "x ",
    "a.a@", ".@", "-.", "_", "[", "](", "a@a.",
    "a@a-", "https://a.example/ ", "a@b.example ", "、", "\u202e", "\ud83d", "www.a", "httphttp", "aA1_%+-.",
  ];
  const counted = (text, mentions) => {
    const parts = splitText(text, mentions);
    assert.equal(parts.reduce((sum, part) => sum + part.text.length, 0), text.length);
    return parts.length;
  };
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(32_768 / piece.length));
    counted(text);
    counted(`https://a.example/${text}`);
    counted(`a${text}@b.example`);
    counted(text.repeat(10));
  }
  const mentions = Array.from({ length: 50_000 }, (_, index) => ({ userID: "x", start: index % 100, length: 5 }));
  counted("x".repeat(32_768), mentions);
});
