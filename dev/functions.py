"""How long the functions of the page's JavaScript are, as TypeScript reads them."""

import json
import subprocess

MOST = 60
# Those from before the limit, by file and name. They may only get shorter.
LONG = {
    "Web/src/client/core.js new Core": 66,
    "Web/src/client/timeline.js items": 98,
}

# Prints the file, the name, the line and the number of lines of each function that is longer than a number of lines.
SCRIPT = """
const ts = require("/usr/share/nodejs/typescript");
const fs = require("fs");
const [most, ...files] = JSON.parse(fs.readFileSync(0, "utf8"));
const found = [];
for (const file of files) {
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const lineOf = (place) => source.getLineAndCharacterOfPosition(place).line + 1;
  const nameOf = (node) => ts.isConstructorDeclaration(node) ? `new ${node.parent.name?.text}` :
    node.name?.text ?? node.parent.name?.text ?? `at ${lineOf(node.getStart())}`;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const [line, end] = [lineOf(node.getStart()), lineOf(node.end)];
      if (end - line >= most) found.push([file, nameOf(node), line, end - line + 1]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
console.log(JSON.stringify(found));
"""


def findings(root, files, long=None):
    """What is wrong with the lengths of the functions in these files, in sentences."""
    long = LONG if long is None else long
    words = json.dumps([MOST, *map(str, files)])
    done = subprocess.run(["node", "-e", SCRIPT], input=words, text=True, capture_output=True)
    if done.returncode:
        yield f"The lengths of functions cannot be read: {done.stderr.strip()}"
        return
    seen = {}
    for file, name, line, lines in json.loads(done.stdout):
        place = file.removeprefix(f"{root}/")
        limit = long.get(key := f"{place} {name}", MOST)
        seen[key] = max(lines, seen.get(key, 0))
        if lines > limit:
            yield f"{place}:{line}: {name} has {lines} lines; the limit is {limit}. Split it."
    for key, limit in long.items():
        if (lines := seen.get(key, 0)) < limit:
            now = f"{lines} lines, and the table allows {limit}" if lines else f"at most {MOST} lines, or is gone"
            yield f"{key} has {now}: change LONG in dev/functions.py."
