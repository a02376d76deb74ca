// Uploads against answers that a server gives in between.

import assert from "node:assert/strict";
import { test } from "node:test";
import { uploadBytes } from "../src/client/uploads.js";

const headers = async () => ({ Authorization: "Bearer token" });
const refused = (status, error) => ({ ok: false, status, json: async () => ({ error }) });
// The answer to HEAD has no body.
const silent = (status) => ({ ok: false, status, json: () => Promise.reject(new SyntaxError()) });
const accepted = (offset) => ({ ok: true, status: 204, headers: new Map([["Upload-Offset", `${offset}`]]) });

/** Uploads ten bytes to a server that gives these answers, and returns what it was asked. */
async function upload(t, answers) {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (_, { method, headers: fields }) => {
    asked.push(`${method} ${fields["Upload-Offset"] ?? ""}`.trim());
    return answers.shift();
  });
  const options = { headers, onProgress: () => {}, signal: new AbortController().signal };
  const error = await uploadBytes("/v1/files/a", new Blob(["0123456789"]), options).catch((reason) => reason);
  assert.deepEqual(answers, []);
  return { asked, error };
}

test("an upload goes on where the server says, also from the first byte again", async (t) => {
  for (const start of [0, 4]) {
    const { asked, error } = await upload(t, [accepted(start), accepted(10)]);
    assert.equal(error, undefined);
    assert.deepEqual(asked, ["HEAD", `PATCH ${start}`]);
    t.mock.restoreAll();
  }
});

test("an upload whose server cannot be asked now is tried again", async (t) => {
  const { asked, error } = await upload(t, [silent(503)]);
  assert.deepEqual(asked, ["HEAD"]);
  assert.equal(error.retryable, true);
});

test("an upload that is refused for good is refused with the server's words", async (t) => {
  const missing = { code: 1107, name: "noPrivilege", message: "There is no such file.", retryable: false };
  const { asked, error } = await upload(t, [silent(404), refused(404, missing)]);
  assert.deepEqual(asked, ["HEAD", "GET"]);
  assert.equal(error.code, 1107);
  assert.equal(error.retryable, false);
});
