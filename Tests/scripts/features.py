#!/usr/bin/env python3
"""What dev/features takes for a proof, and what not."""
import json
import pathlib
import shutil
import tempfile

from cases import ROOT, check, commit, end, record, run, write

LEDGER = """\
| prefix | rows | what it holds |
|---|---|---|
| J | 3 | things |

| id | what it asks | proven | owed |
|---|---|---|---|
| J-1 | One | server, screen | – |
| J-2 | Two | server | – |
| J-3 | Three | note | – |
"""
FLOOR = "row J-1 J-2 J-3\nserver J-1 J-2\nscreen J-1\n"
SWIFT = """\
import Testing

@Suite struct ATests {
    private func same(_ a: Int) { #expect(a == 1) }

    @Test func `one [J-1]`() {
        #expect(1 + 1 == 2)
    }

    @Test func `two [J-2]`() throws {
        same(1)
    }
}
"""
SCREEN = '#!/usr/bin/env python3\nimport pyte\n\ncheck("one is seen [J-1]", 1 + 1 == 2)\n'
ONE, TWO = "✔ Test \"one [J-1]\" passed after 0.1 seconds.", "✔ Test \"two [J-2]\" passed after 0.1 seconds."
SEEN = "ok - one is seen [J-1]"
CORE, SCRIPT = "Tests/RoostCoreTests/", "Tests/screen/chat.py"


class Case:
    """A repository and the logs of a run in which all is well, to be changed."""

    def __init__(self, folder):
        self.root = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.ledger = write(self.root / "docs/features.md", LEDGER)
        self.floor = write(self.root / "docs/features-floor.txt", FLOOR)
        self.swift = write(self.root / "Tests/RoostCoreTests/ATests.swift", SWIFT)
        self.screen = write(self.root / SCRIPT, SCREEN, 0o755)
        write(self.root / ".gitignore", ".build/\n")
        commit(self.root)
        self.paths = record(self.root, {"core": ([CORE], [ONE, TWO]), "chat": ([SCRIPT], [SEEN])})

    def features(self, *words, **environment):
        return run(ROOT / "dev/features", "--root", self.root, *words, *self.paths, **environment)

    def replace(self, path, old, new):
        text = path.read_text(encoding="utf-8")
        assert old in text, (path, old)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def refused(self, name, *parts, **environment):
        status, output = self.features(**environment)
        check(name, status == 1 and all(part in output for part in parts), f"{status}: {output}")

    def accepted(self, name, *words):
        status, output = self.features(*words)
        check(name, status == 0, f"{status}: {output}")


def main(folder):
    Case(folder).accepted("a run in which all passed is accepted")

    case = Case(folder)
    case.paths = [write(case.root / "mine.log", f"{ONE}\n{TWO}\n{SEEN}\n")]
    case.refused("a log that no run has written proves nothing", "mine.log", "J-1 is marked as proven for the server")

    case = Case(folder)
    case.paths.append(write(case.paths[0].parent / "mine.log", f"{ONE}\n"))
    case.refused("a log that was put among those of a run is refused", "mine.log")

    case = Case(folder)
    case.paths[0].write_text(case.paths[0].read_text() + "x\n")
    case.refused("a log that has changed since its step ended is refused", "core.log", "J-2 is marked as proven")

    case = Case(folder)
    kept = case.root / ".build/kept"
    shutil.copytree(case.paths[0].parent, kept)
    case.paths = record(case.root, {"core": ([CORE], [TWO]), "chat": ([SCRIPT], [SEEN])})
    shutil.copy(kept / "core.log", case.paths[0])
    case.refused("a log of an earlier run is refused", "core.log", "J-2 is marked as proven")

    Case(folder).refused("all logs are refused if the run is not the one that asks", "run", ROOST_TEST_RUN="another")

    case = Case(folder)
    case.replace(case.swift, "1 + 1", "2 + 0")
    commit(case.root)
    case.refused("the logs of another commit are refused", "commit")

    case = Case(folder)
    case.paths = record(case.root, {"core": ([CORE], [ONE, TWO]), "other": (["Tests/other.py"], [SEEN])})
    case.refused("a script's line in the log of another step proves nothing", "J-1 is marked as proven for the screen")

    case = Case(folder)
    write(case.root / "Tests/screen/extra.py", SCREEN.replace("seen", "seen too"), 0o755)
    case.refused("a script that no list names proves nothing, and is named", "Tests/screen/extra.py:4")

    case = Case(folder)
    write(case.root / "Tests/gateway/ATests.swift", SWIFT.replace("one [J-1]", "three [J-1]"))
    case.refused("the name of a folder makes no level", "Tests/gateway/ATests.swift:6")

    case = Case(folder)
    case.replace(case.screen, "import pyte", "import json")
    case.refused("nor does a list, for a file that looks at no screen", "chat.py:4", "nothing in this file looks at")

    for what, body in [("has no body", ""), ("only makes values", "let a = 1; _ = a"), ("only says #expect(true)",
                        "#expect(true)"), ("only names it in a text", 'print("#expect(a == 1)")'),
                       ("only names it in a comment", "// #expect(a == 1)")]:
        case = Case(folder)
        case.replace(case.swift, "        #expect(1 + 1 == 2)\n", f"        {body}\n" if body else "")
        case.refused(f"a test that {what} proves nothing", "Tests/RoostCoreTests/ATests.swift:6", "expects nothing")

    case = Case(folder)
    case.replace(case.swift, "() {\n        #expect(1 + 1 == 2)\n    }", "() {}")
    case.refused("a test of one line is read, too", "Tests/RoostCoreTests/ATests.swift:6", "expects nothing")

    case = Case(folder)
    case.replace(case.swift, "    @Test func `one [J-1]`() {", "    @Test\n    func\n        `one [J-1]`()\n    {")
    case.accepted("and one whose name is on the next line")

    for line in ('print("ok - one is seen [J-1]")', 'check("one is seen [J-1]", True)', 'check("one is seen [J-1]")',
                 '@test("one is seen [J-1]")\ndef _(stage):\n    stage.page()'):
        case = Case(folder)
        case.replace(case.screen, 'check("one is seen [J-1]", 1 + 1 == 2)', line)
        case.refused(f"a script with {line.splitlines()[0]} and no check proves nothing", "Tests/screen/chat.py:4",
                     "expects nothing")

    case = Case(folder)
    case.replace(case.ledger, "| J-2 | Two | server | – |\n", "")
    case.replace(case.ledger, "| J | 3 |", "| J | 2 |")
    case.replace(case.swift, "two [J-2]", "two")
    case.refused("a row that was dropped is missed", "J-2 row", "J-2 server")
    write(case.floor, FLOOR + "without J-2 row The document withdrew it.\nwithout J-2 server It went with its row.\n")
    case.paths = record(case.root, {"core": ([CORE], [ONE]), "chat": ([SCRIPT], [SEEN])})
    case.accepted("unless a line says why")
    write(case.floor, FLOOR + "without J-2 row\nwithout J-2 server It went with its row.\n")
    case.refused("and a line without a reason is none", "without J-2 row")

    case = Case(folder)
    case.replace(case.ledger, "server, screen", "server")
    case.refused("a level that was dropped is missed", "J-1 screen")

    case = Case(folder)
    case.replace(case.floor, "screen J-1\n", "")
    case.refused("a level above the floor has to be held by it", "J-1 screen", "--raise")
    case.paths = []
    case.accepted("dev/features --raise does that", "--raise")
    held = case.floor.read_text()
    case.replace(case.ledger, "server, screen", "server")
    case.features("--raise")
    check("and never lowers it", case.floor.read_text() == held and "screen J-1" in held, held)

    case = Case(folder)
    case.replace(case.ledger, "server, screen | –", "server | screen web")
    case.replace(case.floor, "screen J-1\n", "")
    status, output = case.features("--update", "--json")
    check("--update marks what has passed", json.loads(output)["moved"] == ["J-1 screen"], output)


with tempfile.TemporaryDirectory() as scratch:
    main(scratch)
end()
