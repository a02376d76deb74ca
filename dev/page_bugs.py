"""Bugs for dev/mutants to plant in the client of the page, and the tests that find them."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading

# Where the places are: a text stands once in all of its modules, so that it may move between them.
CLIENT = "Web/src/client"

# How long the tests of one bug may take, in seconds.
LIMIT = 600

# The random stories that are told if no other test finds a bug: the first, and how many in turn.
STORIES = [(1, 25), (26, 25), (51, 50)]

# Name, original text, and the text with the bug.
MUTANTS = [
    (
        "take a row twice",
        "if (this.seq !== null && number <= this.seq) return [];",
        "if (this.seq !== null && number <= this.seq) return [event];",
    ),
    (
        "hold rows without a bound",
        "if (this.#held.size > maxHeld) this.#held.delete(",
        "if (this.#held.size > Infinity) this.#held.delete(",
    ),
    (
        "do not ask for a gap",
        "return gaps.length || this.user.hasGap || logs.some(",
        "return logs.some(",
    ),
    (
        "take a part of resume for all of it",
        "if (page.hasMore) {",
        "if (false) {",
    ),
    (
        "keep the logs of another epoch",
        "this.epoch !== null && this.epoch !== epoch;",
        "false;",
    ),
    (
        "ignore a reset",
        'this.#machine.act({ type: "reset", reset });',
        "",
    ),
    (
        "reset the backoff at once",
        "if (now - this.#liveAt >= goodAfter) this.#failures = 0;",
        "if (this.#liveAt) this.#failures = 0;",
    ),
    (
        "take an older ballot for a newer one",
        "body.messageID !== messageID || body.revision <= vote.revision",
        "body.messageID !== messageID",
    ),
    (
        "ask no more for a vote that opens later",
        "Math.min(Math.max(left, waits.least), waits.most)",
        "waits.most",
    ),
    (
        "keep the pin of a recalled message",
        "this.#drop(({ messageID }) => recalled.has(messageID));",
        "",
    ),
    (
        "replace the picture that a member has in a channel",
        "if (person.hasChannelImage) return changed;",
        "",
    ),
    (
        "wait as long as a server says",
        "Math.min(Math.max(asked || 0, 0), 60_000)",
        "asked",
    ),
    (
        "repeat a command under another transID",
        'this.#act({ type: "send", id, command: request.command,',
        'this.#act({ type: "send", id: request.attempts ? id.replace(/.$/, "x") : id, command: request.command,',
    ),
    (
        "take an answer that is older than events",
        "if (!tries || revision().every(",
        "if (true || revision().every(",
    ),
    (
        "do not apply a recall to a page",
        "const events = replayed(page.events, late, this.#core.state.user.userID);",
        "const events = page.events;",
    ),
    (
        "count a reaction twice",
        "if (head <= reactions.head || row.body.recall) return row;",
        "if (row.body.recall) return row;",
    ),
    (
        "show what was deleted again",
        "return seq > this.floor && !this.gone.has(seq) && shows(event);",
        "return seq > this.floor && shows(event);",
    ),
    (
        "mark moves back",
        "if (seq <= (channel.readSeq ?? 0)) return {};",
        "",
    ),
    (
        "lose the unread messages of hidden channels",
        "this.#state.unread.setElsewhere(channels.map(",
        "this.#state.unread.setElsewhere([].map(",
    ),
    (
        "do not take a name",
        "if (name && !person.hasNickname) changed.name = name;",
        "",
    ),
    (
        "send lanes out of order",
        "lane.queue.unshift(...lane.returned.splice(0).sort((a, b) => a.message.order - b.message.order));",
        "lane.queue.unshift(...lane.returned.splice(0));",
    ),
    (
        "go on after a refused send",
        "if (!lane?.queue.length || lane.returned.length ||",
        "if (!lane?.queue.length ||",
    ),
    (
        "lose a draft beside files",
        "this.#all.set(channel, { ...this.get(channel), ...part });",
        "this.#all.set(channel, { ...empty, ...part });",
    ),
]


def file_of(root, index):
    """The module that has the place of a bug; or what is wrong with the place, in a sentence."""
    name, old, _ = MUTANTS[index]
    modules = [path for path in sorted((root / CLIENT).rglob("*.js")) if old in path.read_text(encoding="utf-8")]
    if len(modules) == 1 and modules[0].read_text(encoding="utf-8").count(old) == 1:
        return modules[0]
    return f'dev/mutants: the place for "{name}" is not once in {CLIENT}: change the list in dev/page_bugs.py.'


def missing(root):
    """What is wrong with the places, in sentences."""
    return [file for index in range(len(MUTANTS)) if isinstance(file := file_of(root, index), str)]


def run(root, servers, only):
    """Gives the name of each bug that is wanted, the result of the tests and its reason; first None, without a bug."""
    wanted = [index for index, (name, *_) in enumerate(MUTANTS) if re.search(only, name)]
    if not wanted:
        return
    server = next((path for path in servers if path.is_file()), None)
    if not server:
        raise SystemExit("dev/mutants: there is no server: run dev/build, or name one in ROOST.")
    with tempfile.TemporaryDirectory(prefix="roost-mutants.") as folder:
        page = Page(root, folder, server)
        yield None, *page.run()
        for index in wanted:
            with page.bug(index):
                yield MUTANTS[index][0], *page.run()


class Page:
    """A copy of the page and its tests, without a bug or with one."""

    def __init__(self, root, folder, server):
        import playwright

        self.root = pathlib.Path(folder)
        for name in ("Web/src", "Web/test", "Web/package.json", "Protocol"):
            source, copy = root / name, self.root / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
        (self.root / "tmp").mkdir()
        self.node = str(pathlib.Path(playwright.__file__).parent / "driver/node")
        self.environment = os.environ | {"ROOST": str(server), "TMPDIR": str(self.root / "tmp")}
        tests = sorted((self.root / "Web/test").glob("*.test.mjs"))
        texts = {path: path.read_text(encoding="utf-8") for path in tests}
        ours = [path for path in tests if re.search(r"src/(client/|roost\.js)|scripted\.mjs", texts[path])]
        # Those without a server take seconds.
        self.tests = [[path for path in ours if ("server.mjs" in texts[path]) == is_slow] for is_slow in (False, True)]

    @contextlib.contextmanager
    def bug(self, index):
        _, old, new = MUTANTS[index]
        path = file_of(self.root, index)
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(old, new), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")

    def run(self):
        """The result of the tests ("passed", "found", "crashed", "hung" or "error"), and its reason."""
        for tests in self.tests:
            result, why = self.run_tests(tests)
            if result != "passed":
                return result, why
        for first, count in STORIES:
            result, why = self.run_tests([self.root / "Web/test/walk.mjs"], ROOST_SEED=first, ROOST_WALKS=count)
            if result != "passed":
                return result, why
        return "passed", ""

    def run_tests(self, tests, **environment):
        # A test that waits for ever does not keep others from finding the bug; the stories have a limit of their own.
        limit = [] if environment else ["--test-timeout=60000"]
        # A group of its own, to end the servers, too.
        with subprocess.Popen(
            [self.node, "--test", *limit, "--test-reporter", "tap", *map(str, tests)], cwd=self.root, text=True,
            errors="replace", env=self.environment | {name: str(value) for name, value in environment.items()},
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        ) as run:
            is_late = threading.Event()

            def end():
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(run.pid, signal.SIGKILL)

            def late():
                is_late.set()
                end()

            timer = threading.Timer(LIMIT, late)
            timer.start()
            try:
                passed, failure = read(run.stdout)
                if not failure:
                    run.wait()
            finally:
                timer.cancel()
                end()
        if is_late.is_set():
            return "hung", f"no end within {LIMIT} s"
        if failure:
            return failure
        if run.returncode == 0 and passed:
            return "passed", ""
        return "crashed", f"exit code {run.returncode} after {passed} tests"


def read(lines):
    """How many tests have passed; and if one has failed, whether that has found something, and why."""
    passed, name, failure, block = 0, "", None, None
    for line in lines:
        if match := re.match(r"\s*(not )?ok \d+ - ([^#]*)(#.*)?$", line):
            name, block = match[2].strip(), [] if match[1] else None
            passed += not match[1] and not match[3]
        elif block is not None:
            block.append(line)
            # What a test has compared may have this line, too, but further to the right.
            if len(block) > 1 and line.rstrip() == block[0].replace("---", "...").rstrip():
                found = reason("".join(block))
                if found[0] == "found":
                    return passed, (found[0], f"{name}: {found[1]}"[:300])
                failure = failure or (found[0], f"{name}: {found[1]}"[:300])
                block = None
    return passed, failure


def reason(text):
    """Whether a test that has failed has found something, and what it says."""
    error = re.search(r"error: (?:[|>]-?\n\s*)?['\"]?(.+)", text)
    why = error[1].strip().strip("'\"") if error else "no reason is given"
    # What a test waits for in vain is an expectation, too.
    is_found = "code: 'ERR_ASSERTION'" in text or re.match(r"never came true|ROOST_SEED", why)
    return "found" if is_found else "error", why
