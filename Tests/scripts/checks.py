#!/usr/bin/env python3
"""What dev/checks refuses and counts, in a copy of the repository whose steps do nothing."""
import os
import pathlib
import shutil
import tempfile

from cases import ROOT, check, commit, end, run, write
import functions
import page_bugs

OK = "#!/bin/sh\n"
TESTS = OK + """\
echo '✔ Test "one" passed after 0.1 seconds.'
echo '✔ Test "two" with 3 test cases passed after 0.1 seconds.'
"""
SKIPPED = """echo '➜ Test "three" skipped.'\n"""
PASS = """[ -z "$ROOST_TEST_STORE" ] || echo '➜ Test "x" skipped: "the servers of the second pass change nothing"'\n"""
CHAT = """#!/usr/bin/env python3
if False:
    import pyte

def check(name, found, wanted):
    print(f"ok - {name}" if found == wanted else f"FAIL - {name}")

check("chat [J-1]", 1 + 1, 2)
"""
XCTEST = ".build/debug/roostPackageTests.xctest"


def long_functions(folder):
    """What dev/web says of the lengths of functions."""
    def module(name, begin, lines, end="}"):
        return write(root / name, "\n".join([begin, *["  1;"] * (lines - 2), end]) + "\n")

    def says(name, wanted, long=None):
        found = list(functions.findings(root, files, long or {}))
        check(name, len(found) == len(wanted) and all(map(str.startswith, found, wanted)), found)

    root = pathlib.Path(tempfile.mkdtemp(dir=folder))
    files = [module("a.js", "function at() {", 60), module("b.js", "/**\n * Words.\n */\nexport const one = () => {", 60)]
    says("functions of 60 lines are short, without what is said of them", [])
    files = [module("a.js", "function at() {", 61), module("b.js", "export const one = () => {", 61),
             module("c.js", "class C { #run() {", 61, "} }"), module("d.js", "class D { constructor() {", 61, "} }"),
             module("e.js", "class E { f = (g) => h(function () {", 61, "}) }")]
    says("longer ones are told, whatever makes them", [
        "a.js:1: at has 61 lines; the limit is 60.", "b.js:1: one has 61", "c.js:1: #run has 61", "d.js:1: new D has 61",
        "e.js:1: f has 61", "e.js:1: at 1 has 61"])
    files = files[:1]
    says("one that the table has may be as long as there", [], {"a.js at": 61})
    files = [module("a.js", "function at() {", 63)]
    says("but not longer", ["a.js:1: at has 63 lines; the limit is 61."], {"a.js at": 61})
    says("the table follows what gets shorter", ["a.js at has 63 lines, and the table allows 64"], {"a.js at": 64})
    files = [module("a.js", "function at() {", 60)]
    says("and ends with it", ["a.js at has at most 60 lines, or is gone", "b.js two has"],
         {"a.js at": 61, "b.js two": 70})
    files = [root / "none.js"]
    says("files that cannot be read are told", ["The lengths of functions cannot be read"])


def page_bugs_found():
    """What dev/mutants reads in the output of Node."""
    def failure(number, words, code):
        return [f"not ok {number} - test {number}", "  ---", "  failureType: 'testCodeFailure'", "  error: |-", f"    {words}",
                "      ...", f"  code: '{code}'", "  ..."]

    def says(name, wanted, *parts):
        found = page_bugs.read(f"{line}\n" for part in parts for line in part)
        check(name, found == wanted, found)

    passed, skipped = ["# Subtest: one", "ok 1 - one", "  ---", "  duration_ms: 1", "  ..."], ["ok 2 - two # SKIP"]
    refused, thrown = failure(3, "Expected values", "ERR_ASSERTION"), failure(4, "x is undefined", "ERR_TEST_FAILURE")
    says("tests that passed have found nothing", (1, None), passed, skipped)
    says("an expectation that fails has found a bug", (1, ("found", "test 3: Expected values")), passed, refused)
    says("what is thrown has not", (1, ("error", "test 4: x is undefined")), thrown, passed)
    says("unless an expectation fails after it", (0, ("found", "test 3: Expected values")), thrown, refused, passed)
    late = failure(5, "never came true: () => isOpen", "ERR_TEST_FAILURE")
    says("what never comes true was expected", (0, ("found", "test 5: never came true: () => isOpen")), late)


class Copy:
    def __init__(self, folder):
        self.root = pathlib.Path(tempfile.mkdtemp(dir=folder))
        (self.root / "dev").mkdir()
        for name in ("checks", "runs.py", "proofs.py"):
            shutil.copy(ROOT / "dev" / name, self.root / "dev")
        for name in ("vips", "ffmpeg", "unshare"):
            self.replace("dev/checks", f'"/usr/bin/{name}"', f'"{self.root}/bin/{name}"')
            write(self.root / "bin" / name, OK, 0o755)
        for name in ("build", "sizes", "wire", "words", "schema", "web", "docs", "sdk-package", "features", "postgres"):
            write(self.root / "dev" / name, OK + "echo $0 $*\n", 0o755)
        write(self.root / "bin/swift", OK, 0o755)
        write(self.root / ".build/debug/roost-wiregen", OK, 0o755)
        write(self.root / XCTEST, TESTS + PASS, 0o755)
        write(self.root / "dev/web", OK + 'echo "ok 1 - a unit"\n', 0o755)
        write(self.root / "Tests/screen/chat.py", OK + 'echo "ok - chat"\n', 0o755)
        (self.root / "Tests/RoostCoreTests").mkdir()
        with (self.root / "dev/proofs.py").open("a") as lists:
            lists.write('SCRIPTS = {"Tests/screen/chat.py": "screen"}\nSUITES = {"Tests/RoostCoreTests/": "server"}\n')
        swift = "stories stories/servers core/A-M core/N-Z units models server server/tls files"
        write(self.root / "dev/test-counts", "# the floor\n" + "".join(f"{step} 2 4\n" for step in swift.split())
              + "web/unit 1 1\nscreen/chat.py 1 1\n")
        write(self.root / ".gitignore", ".build/\n")
        commit(self.root)

    def replace(self, name, old, new):
        path = self.root / name
        assert old in path.read_text(), (name, old)
        path.write_text(path.read_text().replace(old, new, 1))

    def says(self, name, wanted, *parts, words=(), **environment):
        path = f"{self.root}/bin:{os.environ['PATH']}"
        status, output = run("python3", self.root / "dev/checks", *words, PATH=path, **environment)
        check(name, status == wanted and all(part in output for part in parts), f"{status}: {output}")


def main(folder):
    status, output = run("python3", ROOT / "dev/mutants", "--check")
    check("every place is there to plant a bug in", status == 0, output)
    long_functions(folder)
    page_bugs_found()
    copy = Copy(folder)
    copy.says("a run in which all passed says how many tests ran", 0, "20 tests ran in 38 cases; 1 were skipped",
              "2 tests in 4 cases, 1 skipped")
    log = copy.root / ".build/test-logs/screen-chat.py.log"
    check("each log begins with its run and its commit", log.read_text().startswith("# screen/chat.py of run "),
          log.read_text())
    text = copy.root / ".build/test-logs/features.log"
    check("dev/features gets the logs of those that may prove something",
          "screen-chat.py.log" in text.read_text() and "web-unit.log" not in text.read_text(), text.read_text())

    # The real dev/features on the logs of such a run.
    real = Copy(folder)
    shutil.copy(ROOT / "dev/features", real.root / "dev")
    write(real.root / "docs/features.md", "| J | 1 |\n| J-1 | One | screen | – |\n")
    write(real.root / "docs/features-floor.txt", "row J-1\nscreen J-1\n")
    write(real.root / "Tests/screen/chat.py", CHAT, 0o755)
    real.says("dev/features believes the logs of its run", 0, "All 29 checks passed")
    real.replace("Tests/screen/chat.py", "1 + 1, 2", "1 + 1, 3")
    real.says("and a failure in them", 1, 'the test "chat [J-1]" failed')
    real.says("a script that tells of a failure and ends well has failed", 1, "screen/chat.py               FAILED")

    # What would be lost without a word.
    lost = Copy(folder)
    lost.replace("dev/checks", 'needs=("build", "postgres")', 'needs=("build", "postgre")')
    lost.says("a misspelled need is refused before anything begins", 2, "needs postgre, which is no step")
    lost = Copy(folder)
    lost.replace("dev/checks", "3600, needs=())", '3600, needs=("sizes",))')
    lost.replace("dev/checks", '["dev/sizes"], 60, needs=()', '["dev/sizes"], 60, needs=("build",)')
    lost.says("steps that wait for each other fail", 1, "not run")
    lost = Copy(folder)
    (lost.root / "Tests/screen/chat.py").chmod(0o644)
    lost.says("a script without its executable bit is refused", 2, "Tests/screen/chat.py is not executable")
    lost = Copy(folder)
    write(lost.root / "Tests/screen/more.py", "#!/usr/bin/env python3\n")
    lost.says("a script that no list names is refused", 2, "more.py is a script that dev/proofs.py does not name")
    lost = Copy(folder)
    (lost.root / "Tests/screen/chat.py").unlink()
    lost.says("a script that is gone is refused", 2, "Tests/screen/chat.py, which does not exist")

    lost = Copy(folder)
    write(lost.root / "docs/security.md", "- A promise\n  - `Tests/screen/none.py`: all tests\n")
    lost.says("a promise whose test is gone is refused", 2, "docs/security.md names Tests/screen/none.py, which")

    # What ran less than before.
    copy.replace(XCTEST, """echo '✔ Test "one" passed after 0.1 seconds.'\n""", "")
    copy.says("a test that is gone is missed", 1, "units: 1 tests in 3 cases ran", "asks for 2 tests in 4 cases")
    write(copy.root / XCTEST, (TESTS + PASS).replace("3 test cases", "2 test cases"), 0o755)
    copy.says("a backend that is gone is missed", 1, "units: 2 tests in 3 cases ran", "asks for 2 tests in 4 cases")
    write(copy.root / XCTEST, TESTS + PASS + SKIPPED, 0o755)
    copy.says("a skipped test is a failure", 1, 'units: "three" was skipped')
    write(copy.root / XCTEST, TESTS + PASS.replace('[ -z "$ROOST_TEST_STORE" ] || ', ""), 0o755)
    copy.says("and so is one with the reason of another step", 1, 'units: "x" was skipped')

    # What passed only when run once more.
    write(copy.root / XCTEST, TESTS + PASS, 0o755)
    script = OK + 'echo "RETRY - slow: in a hurry"\necho "ok - slow"\n'
    write(copy.root / "Tests/screen/chat.py", script, 0o755)
    copy.says("a test that passes when run once more is named", 0, "1 tests of the page failed and were run once more",
              "screen/chat.py: slow: in a hurry")
    write(copy.root / "Tests/screen/chat.py", script * 3, 0o755)
    copy.says("more than two of them are a failure", 1, "retries                      FAILED")

    # The floor.
    write(copy.root / XCTEST, TESTS + PASS + """echo '✔ Test "four" passed after 0.1 seconds.'\n""", 0o755)
    write(copy.root / "dev/web", OK, 0o755)
    copy.says("a step without tests is missed, and more of another do not hide it", 1, "web/unit: 0 tests ran")
    copy.says("the floor is raised on request", 0, "units", words=["--raise-counts"])
    floor = (copy.root / "dev/test-counts").read_text()
    check("and never lowered", "units 3 5\n" in floor and "web/unit 1 1\n" in floor and floor.startswith("# "), floor)
    copy.replace("dev/test-counts", "units 3 5\n", "")
    copy.replace("dev/test-counts", "\nserver ", "\nservers ")
    copy.says("a step without a floor and a floor without a step are told", 1, "has no line of units",
              "names servers, which is no step")

    # What the machine lacks.
    copy = Copy(folder)
    (copy.root / "bin/vips").unlink()
    copy.says("a tool that tests need is missed", 1, "Tests need vips", "ROOST_TEST_WITHOUT=vips dev/test")
    copy.replace(XCTEST, '✔ Test "one" passed after 0.1 seconds.', '➜ Test "one" skipped.')
    copy.says("unless the environment says so, which the end of the output repeats", 0, "NOT TESTED", "vips",
              ROOST_TEST_WITHOUT="vips")
    copy.says("and it says so in words that are known", 1, "ROOST_TEST_WITHOUT has vip;", ROOST_TEST_WITHOUT="vip")
    write(copy.root / "bin/unshare", OK + "echo not permitted >&2; exit 1\n", 0o755)
    copy.says("a small file system has to be allowed", 1, "Tests need full-disk", "not permitted",
              ROOST_TEST_WITHOUT="vips")


with tempfile.TemporaryDirectory() as scratch:
    main(scratch)
end()
