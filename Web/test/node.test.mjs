// Servers that write the page import the modules in Node, where nothing of a browser is.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const source = new URL("../src/", import.meta.url).pathname;
// The app is what `roost serve` shows; no page imports it.
const paths = (await readdir(source, { recursive: true })).filter((path) => /^(?!app\/).*\.js$/.test(path));

test("Node has nothing of what the elements need", () => {
  assert.deepEqual(["window", "document", "HTMLElement", "customElements", "CSSStyleSheet"]
    .filter((name) => name in globalThis), []);
});

test("every module but those of the app can be imported in Node", async () => {
  assert.ok(paths.length > 100);
  for (const path of paths) await assert.doesNotReject(import(join(source, path)), path);
});
