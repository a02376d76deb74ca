"""The logs of a run of dev/test: whether they are of this run, and what they say of tests.

dev/checks writes a line about the run before the output of each step, and into run.json, once the step has ended, the
digest of its log. So a log that is old, that was put there, or that was changed, proves nothing. None of this
protects against somebody who wants to deceive.
"""

import collections
import hashlib
import json
import os
import re
import secrets
import subprocess

MANIFEST = "run.json"
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
GLYPH = r"[✔✘◇→➜↷⚠↳]\ufe0e?"
SWIFT_LINE = re.compile(rf"(?:^|{GLYPH})\s*(?:[\d:.T+Z-]+\s+)?Test (?!run (?:started|with \d)|case passing \d)(.+)$")
SCRIPT_LINE = re.compile(r"^\s*(ok|not ok|FAIL|skip)(?: \d+)? - (.+)$")
OUTCOMES = [
    ("passed", re.compile(r"^(.+) passed after [\d.]+ \w+(.*)$")),
    ("failed", re.compile(r"^(.+) failed after [\d.]+ \w+(.*)$")),
    ("failed", re.compile(r"^(.+) was cancelled after [\d.]+ \w+(.*)$")),
    ("issue", re.compile(r"^(.+?) recorded an issue\b(.*)$")),
    ("skipped", re.compile(r"^(.+?) skipped(?:: (.*)|\.())$")),
    ("started", re.compile(r"^(.+) started\.()$")),
]
CASES = re.compile(r" with (\d+) test cases?$")


def commit(root):
    """The commit of a working tree, and whether it has changes."""
    def git(*words):
        return subprocess.run(["git", "-C", str(root), *words], text=True, capture_output=True).stdout.strip()

    return git("rev-parse", "HEAD") or "unknown", bool(git("status", "--porcelain"))


def header(run, step):
    return f"# {step} of run {run['run']} at {run['commit']}{' with changes' if run['changed'] else ''}\n"


class Record:
    """What dev/checks writes of its run."""

    def __init__(self, folder, root):
        self.path = folder / MANIFEST
        now, changed = commit(root)
        self.run = {"run": secrets.token_hex(16), "commit": now, "changed": changed, "logs": {}}
        self.write()

    def header(self, step):
        return header(self.run, step)

    def add(self, step, log, proves):
        """Notes a log whose step has ended, and the places of the tests that it may prove."""
        digest = hashlib.sha256(log.read_bytes()).hexdigest()
        self.run["logs"][log.name] = {"step": step, "proves": list(proves), "sha256": digest}
        self.write()

    def write(self):
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.run, indent=1) + "\n", encoding="utf-8")
        os.replace(new, self.path)


def accepted(paths, root):
    """The logs of the run in their folder, each with the places that it may prove; and findings on the others."""
    found, findings, now, asked = [], [], commit(root)[0], os.environ.get("ROOST_TEST_RUN")
    for path in paths:
        reason, entry = None, {}
        try:
            run = json.loads((path.parent / MANIFEST).read_text(encoding="utf-8"))
            entry = run["logs"].get(path.name)
        except (OSError, ValueError, KeyError):
            reason = f"there is no {MANIFEST} of a run beside it"
        else:
            content = path.read_bytes()
            if asked and asked != run["run"]:
                reason = "it is of another run than this one"
            elif run["commit"] != now:
                reason = f"it is of the commit {run['commit'][:12]}, and this is {now[:12]}"
            elif not entry:
                reason = f"{MANIFEST} does not name it"
            elif not content.startswith(header(run, entry["step"]).encode()):
                reason = "its first line is of another run"
            elif hashlib.sha256(content).hexdigest() != entry["sha256"]:
                reason = "it has changed since its step ended"
        if reason:
            findings.append(f"{path}: it proves nothing, as {reason}.")
        else:
            found.append((path, tuple(entry["proves"])))
    return found, findings


def until_bracket(name):
    """The name up to its last bracket, so that a time printed after it does no harm."""
    end = name.rfind("]")
    return name[: end + 1].strip() if end >= 0 else name.strip()


def plain(name):
    """The name that a console line shows, without quotes, backticks and parentheses."""
    name = CASES.sub("", name.strip())
    name = re.sub(r"^(`.*`)\([\w:]*\)$", r"\1", name)
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"`":
        name = name[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return name


def read_log(path):
    """The name, the state, the number of cases and the rest of each line about a test."""
    for raw in path.read_text(encoding="utf-8", errors="replace").splitlines():
        line = ANSI.sub("", raw).rstrip()
        if match := SCRIPT_LINE.match(line):
            state = {"ok": "passed", "skip": "skipped"}.get(match[1], "failed")
            yield until_bracket(match[2]), "skipped" if re.search(r"#\s*skip\b", match[2], re.I) else state, 1, ""
        elif match := SWIFT_LINE.search(line):
            for state, pattern in OUTCOMES:
                if outcome := pattern.match(match[1]):
                    known = state == "passed" and "known issue" in outcome[2]
                    cases = CASES.search(outcome[1])
                    yield (until_bracket(plain(outcome[1])), "known" if known else state,
                           int(cases[1]) if cases else 1, outcome[2] or "")
                    break


def read_states(path):
    """The states of each name in a log."""
    states = collections.defaultdict(set)
    for name, state, _, _ in read_log(path):
        states[name].add("failed" if state == "issue" else state)
    return {name: found if found != {"started"} else {"unfinished"} for name, found in states.items()}


class Count:
    """How many tests of a log have run, with how many cases, and failed; and which were skipped, and why."""

    def __init__(self, path):
        self.tests, self.cases, self.failed, self.skipped = 0, 0, 0, []
        for name, state, cases, rest in read_log(path):
            self.failed += state == "failed"
            if state in ("passed", "failed", "known"):
                self.tests, self.cases = self.tests + 1, self.cases + cases
            elif state == "skipped":
                self.skipped.append((name, rest.strip('"')))

    def __str__(self):
        cases = f" in {self.cases} cases" if self.cases != self.tests else ""
        return f"{self.tests} tests{cases}" + (f", {len(self.skipped)} skipped" if self.skipped else "")


def read_floors(path):
    """The least numbers of tests and cases of each step."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    words = [line.split() for line in lines if line and not line.startswith("#")]
    return {step: (int(tests), int(cases)) for step, tests, cases in words}


def raise_floors(path, counts):
    """Raises the numbers to those of a run; answers with what has changed."""
    floors, lines = read_floors(path), path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    new = {step: (max(floors.get(step, (0, 0))[0], count.tests), max(floors.get(step, (0, 0))[1], count.cases))
           for step, count in counts.items()}
    raised = sorted(step for step in new if new[step] != floors.get(step))
    text = [line for line in lines if line.startswith("#")]
    text += [f"{step} {tests} {cases}" for step, (tests, cases) in sorted((floors | new).items())]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return raised


def below(floors, counts, steps, without):
    """What has run less than its floor, or was skipped, in sentences.

    Of each step, `steps` has the reason with which it may skip tests. With something missing on purpose, tests
    that do not say why they were skipped count as if they had run.
    """
    for step in sorted(floors.keys() - steps.keys()):
        yield f"dev/test-counts names {step}, which is no step; a test that is removed takes its line with it"
    for step, count in counts.items():
        excused = [name for name, reason in count.skipped if not reason] if without else []
        for name, reason in count.skipped:
            if name not in excused and reason != steps[step]:
                yield f"{step}: \"{name}\" was skipped" + (f": {reason}" if reason else "")
        if step not in floors:
            yield f"dev/test-counts has no line of {step}; dev/test --raise-counts adds it"
        else:
            tests, cases = floors[step]
            if count.tests + len(excused) < tests or count.cases < cases and not excused:
                yield f"{step}: {count} ran, and dev/test-counts asks for {tests} tests in {cases} cases"
