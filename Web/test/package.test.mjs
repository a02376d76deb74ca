// The package that apps install: whether all that its entries need is in it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const root = new URL("../", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const excluded = manifest.files.filter((name) => name.startsWith("!")).map((name) => `${name.slice(1)}/`);

/** All files that npm would pack. */
const packed = ["LICENSE", "README.md", "package.json", ...manifest.files.filter((name) => !name.startsWith("!"))
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(root, join(parentPath, name)))]
  .filter((path) => !excluded.some((folder) => path.startsWith(folder))).sort();

/** What a file imports of the package, without comments. */
function imports(path) {
  const text = readFileSync(join(root, path), "utf8");
  const code = path.endsWith(".d.ts") ? text : text.replace(/\/\*.*?\*\//gs, "");
  return [...code.matchAll(/(?:from|import|import\(|module)\s*["'](\.[^"']+)["']/g)].map(([, name]) => {
    const found = relative(root, resolve(root, dirname(path), name));
    return path.endsWith(".d.ts") ? found.replace(/\.js$/, ".d.ts") : found;
  });
}

test("the entries of the package and all that they import are in it, and nothing of the app", () => {
  const waiting = Object.values(manifest.exports).flatMap((entry) => typeof entry === "string" ? entry :
    Object.values(entry)).map((path) => path.replace("./", ""));
  const reached = new Set();
  while (waiting.length) {
    const path = waiting.pop();
    if (reached.has(path)) continue;
    reached.add(path);
    assert.ok(packed.includes(path), `${path} is not in the package`);
    if (/\.js$|\.d\.ts$/.test(path)) waiting.push(...imports(path));
  }
  assert.ok(reached.size > 100);
  assert.deepEqual(packed.filter((path) => /^(src\/app|test|bundle)\//.test(path)), []);
});

test("npm packs the same files", () => {
  let found;
  try {
    found = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: root, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    // Debian's machines for tests need no npm.
    assert.equal(error.code, "ENOENT");
    return;
  }
  const paths = JSON.parse(found)[0].files.map(({ path }) => path).sort();
  assert.deepEqual(paths, packed);
});

test("docs/web.md names every member of the classes that are published, and Web/types nothing of their parts", () => {
  const text = readFileSync(join(root, "../docs/web.md"), "utf8");
  const named = new Set([...text.matchAll(/`(?:client\.)?(\w+)[^`]*`/g)].map(([, name]) => name));
  const members = ["client", "conversation", "conversation-pins", "channel-list"].flatMap((name) => {
    const [, body] = /export class \w+(?: extends EventTarget)? \{\n(.*?)\n\}/s.exec(
      readFileSync(join(root, `types/client/${name}.d.ts`), "utf8"));
    return [...body.matchAll(/^    (?:get )?(\w+)[(<:]/gm)].map(([, member]) => member);
  });
  assert.ok(members.length > 90, `${members.length}`);
  assert.deepEqual(members.filter((member) => member !== "constructor" && !named.has(member)), []);
  assert.deepEqual(readdirSync(join(root, "types/client")).sort(), ["channel-list.d.ts", "client.d.ts",
    "conversation-pins.d.ts", "conversation.d.ts", "errors.d.ts", "ids.d.ts", "protocol.d.ts", "types.d.ts"]);
});
