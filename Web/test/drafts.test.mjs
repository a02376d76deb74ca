// What is kept of what was being written.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Drafts } from "../src/client/drafts.js";

const words = { text: "Hello", mentions: [], replyTo: null };
const files = [{ file: new Blob(["a"]), name: "a.txt" }];

/** Drafts, and the store that they write. */
function stored() {
  const store = new Map();
  const write = (changes) => {
    for (const change of changes) {
      if ("put" in change) store.set(change.key, change.put);
      else store.delete(change.delete);
    }
    return Promise.resolve();
  };
  return { store, drafts: new Drafts({ write, store: { write } }) };
}

test("a draft with files is whole after a reload, whichever of its parts comes first", () => {
  const parts = [["c", words], ["c files", files]];
  for (const order of [parts, parts.toReversed()]) {
    const { drafts } = stored();
    drafts.load(new Map(order));
    assert.deepEqual(drafts.get("c"), { ...words, files });
  }
});

test("the store has what is being written, and nothing of what was sent", () => {
  const { store, drafts } = stored();
  drafts.set("c", { ...words, files });
  drafts.set("d", { files });
  assert.deepEqual(store, new Map([["c", words], ["c files", files], ["d files", files]]));
  drafts.set("c", { files });
  assert.deepEqual(store, new Map([["c files", files], ["d files", files]]));
  for (const channel of ["c", "d"]) drafts.set(channel, {});
  assert.deepEqual(store, new Map());
  assert.deepEqual(drafts.get("c"), { text: "", mentions: [], replyTo: null, files: [] });
});

test("a draft of an older version, a text, is taken", () => {
  const { drafts } = stored();
  drafts.load(new Map([["c", "Hello"]]));
  assert.equal(drafts.get("c").text, "Hello");
});
