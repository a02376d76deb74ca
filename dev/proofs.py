"""What may prove an id of docs/features.md: the lists of places, and the tests in them that carry ids."""

import ast
import os
import re

from runs import until_bracket

# The levels that the scripts prove. dev/checks runs these and no others; one with None carries no ids.
SCRIPTS = {
    "Tests/package/debian.py": None,
    "Tests/package/library.py": "server",
    "Tests/package/monitoring.py": None,
    "Tests/proxy/faults.py": None,
    "Tests/proxy/https.py": None,
    "Tests/proxy/nginx.py": "server",
    "Tests/proxy/nodes.py": None,
    "Tests/proxy/samples.py": None,
    "Tests/proxy/tls.py": "server",
    "Tests/screen/chat.py": "screen",
    "Tests/screen/rooms.py": "screen",
    "Tests/scripts/checks.py": None,
    "Tests/scripts/features.py": None,
    "Tests/scripts/python_copy.py": None,
    "Tests/scripts/wire.py": None,
    "Tests/scripts/words.py": None,
    "Tests/torture/frames.py": "server",
    "Tests/torture/outputs.py": "server",
    "Examples/loftechs-story.sh": None,
    "Examples/python/ladder/test_ladder.py": None,
    "Examples/python/story.py": None,
    "Examples/python/transcripts.py": None,
    "Examples/python/walk.py": None,
    **{f"Web/test/{name}.py": "screen" for name in [
        "app", "app_channels", "app_notifications", "app_states", "below_path", "clock", "conversation",
        "conversation_view", "drafts", "emoji", "engines_basics", "engines_dialogs", "engines_storage", "everyday",
        "frameworks", "history", "hostile", "hostile_data", "interaction", "keys", "launcher", "media", "origins",
        "pictures", "pins", "provider", "reading", "reports", "selecting", "sign_in_links", "staying", "storage",
        "store", "stories", "stories_files", "text_chat", "text_chat_quality", "tokens"]},
}
FOLDERS = ["Tests", "Examples", "Web/test"]

# The levels of the tests in Swift: a file has that of the longest name here with which its own begins.
SUITES = {
    "Tests/IntegrationTests/": "server",
    "Tests/IntegrationTests/Push/PushCommandTests.swift": "gateway",
    "Tests/IntegrationTests/Push/PushedTypesTests.swift": "gateway",
    "Tests/IntegrationTests/Push/WebhookTests.swift": "gateway",
    "Tests/RoostClientTests/": "server",
    "Tests/RoostCommandTests/": "server",
    "Tests/RoostCoreTests/": "server",
    "Tests/RoostEncryptionTests/": "server",
    "Tests/RoostFilesTests/": "server",
    "Tests/RoostModelsTests/": "model",
    "Tests/RoostNATSTests/": "server",
    "Tests/RoostServerTests/": "server",
    "Tests/RoostServerTests/Push/PushServicesTests.swift": "gateway",
    "Tests/RoostTerminalTests/": "server",
    "Tests/RoostTerminalTests/ChatViewTests.swift": "screen",
    "Tests/RoostWireTests/": "server",
}

# What a file has to use to prove a level: the models, a screen, or what a push gateway was handed.
USES = {
    "model": re.compile(r"^\s*(?:@testable )?import RoostModels$", re.M),
    "screen": re.compile(
        r"^\s*(?:@testable )?(?:import (?:RoostTerminal|pyte)$|from (?:chat|browser|\w+_driver) import)", re.M),
    "gateway": re.compile(r"\bPushReceiver\b"),
}

ID = re.compile(r"(?:C-[A-Z]|L-X|[A-Z]{1,3}-)\d+")
BRACKET = re.compile(r"\[([^\[\]]*)\]")
EXPECTS = re.compile(r"#expect\b(?!\(\s*(?:Bool\(\s*)?true\b)|#require\b|\bIssue\.record\b|\bconfirmation\b")
HELPS = re.compile(r"#expect\b(?!\(\s*(?:Bool\(\s*)?true\b)|\bIssue\.record\b")


def id_tokens(name):
    """The tokens of the last pair of brackets if they look like ids, else an empty list."""
    found = BRACKET.findall(name)
    tokens = found[-1].split() if found else []
    return tokens if any(ID.match(token) for token in tokens) else []


def prefix_of(identifier):
    """`J` of `J-14`, `C-J` of `C-J1`, `L-X` of `L-X1`."""
    return re.match(r"C-[A-Z]|L-X|[A-Z]+", identifier)[0]


def level_of(place):
    if place in SCRIPTS:
        return SCRIPTS[place]
    return SUITES.get(max((name for name in SUITES if place.startswith(name)), key=len, default=None))


def faults(root):
    """What is wrong with the lists: they and the files must name each other."""
    for name in [*SCRIPTS, *SUITES]:
        if not (root / name).exists():
            yield f"dev/proofs.py names {name}, which does not exist"
        elif name in SCRIPTS and not os.access(root / name, os.X_OK):
            yield f"{name} is not executable; run: chmod +x {name}"
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()):
        name = path.relative_to(root).as_posix()
        if name in SCRIPTS or "/node_modules/" in name or "/__pycache__/" in name:
            continue
        with path.open("rb") as file:
            if os.access(path, os.X_OK) or file.read(2) == b"#!":
                yield f"{name} is a script that dev/proofs.py does not name, so that nothing would run it"
    yield from promises(root)


def promises(root):
    """The tests that docs/security.md names and that do not exist."""
    path = root / "docs/security.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for name, test in re.findall(r"^  - `([^`]+)`: (.+)$", text, re.M):
        place = root / name
        if not place.exists():
            yield f"docs/security.md names {name}, which does not exist"
        elif name.endswith(".swift") and test != "all tests" and f"`{test}" not in place.read_text(encoding="utf-8"):
            yield f"docs/security.md names a test that {name} does not have: {test}"


class Test:
    def __init__(self, name, place, line, level, pattern=None):
        self.name, self.file, self.place, self.level = until_bracket(name), place, f"{place}:{line}", level
        self.tokens = id_tokens(name)
        self.ids = [token for token in self.tokens if ID.fullmatch(token)]
        self.pattern = pattern
        self.states = set()


def wildcard(name):
    """A pattern for a name with placeholders of Python in it, or None."""
    parts = re.split(r"\{[^{}]*\}", name)
    return re.compile(".*".join(re.escape(part) for part in parts)) if len(parts) > 1 else None


def without_comments(source, keeps_texts=True):
    """Swift source with its comments blanked, and what is in its texts, too, unless they are kept."""
    pattern = re.compile(r'(#*)"""(?s:.*?)"""\1|(#+)".*?"\2|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|//[^\n]*|/\*')
    out, at = [], 0
    while match := pattern.search(source, at):
        out.append(source[at : match.start()])
        text = match[0]
        at = match.end()
        if text == "/*":
            depth = 1
            while depth and (edge := re.compile(r"/\*|\*/").search(source, at)):
                depth += 1 if edge[0] == "/*" else -1
                at = edge.end()
            at = at if not depth else len(source)
            out.append("\n" * source.count("\n", match.start(), at))
        elif not text.startswith("//"):
            out.append(text if keeps_texts or text[0] == "`" else '""' + "\n" * text.count("\n"))
    return "".join(out) + source[at:]


def unescape(text):
    def one(match):
        return chr(int(match[1], 16)) if match[1] else {"n": "\n", "t": "\t"}.get(match[2], match[2])

    return re.sub(r"\\(?:u\{([0-9A-Fa-f]+)\}|(.))", one, text)


def functions(code):
    """The name, the line and the body of each function; swift-format has put its end below its beginning."""
    for match in re.finditer(r"^(.*)\bfunc\s+(`[^`\n]+`|\w+)(.*)$", code, re.M):
        end = re.compile(rf"^{re.match(r'[ ]*', match[1])[0]}}}", re.M).search(code, match.end())
        is_one_line = re.search(r"\{.*\}\s*$", match[3])
        body = match[3] if is_one_line else code[match.end() : end.start() if end else None]
        yield match[2].strip("`"), code.count("\n", 0, match.end(1)) + 1, body


def swift_names(source):
    """The line, the name and whether it expects something, of each test."""
    code = without_comments(source)
    bodies = list(functions(without_comments(source, keeps_texts=False)))
    helpers = {name for name, _, body in bodies if " " not in name and HELPS.search(body)}
    calls = re.compile(r"\b(?:" + "|".join(["until", "wait", *map(re.escape, sorted(helpers))]) + r")\s*[({]")

    def expects(line):
        body = next((body for _, at, body in bodies if at >= line), "")
        return bool(EXPECTS.search(body) or calls.search(body))

    for match in re.finditer(r'@Test\s*\(\s*"((?:[^"\\\n]|\\.)*)"', code):
        line = code.count("\n", 0, match.start()) + 1
        yield line, unescape(match[1]), expects(line)
    for match in re.finditer(r"\bfunc\s+`([^`\n]+)`", code):
        line = code.count("\n", 0, match.start()) + 1
        yield line, match[1], expects(line)


def python_names(source):
    """The line, the text and whether something is expected with it, of each text that may be a test's name."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        parent = parents.get(node)
        if isinstance(node, ast.JoinedStr):
            name = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and \
                not isinstance(parent, (ast.Expr, ast.JoinedStr)):
            name = node.value
        else:
            continue
        yield node.lineno, name, not isinstance(parent, ast.Call) or is_checked(parent, parents)


def is_checked(call, parents):
    """Whether a call with a test's name has a condition, or decorates a function that expects something."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    function = parents.get(call)
    if isinstance(function, ast.FunctionDef):
        names = [node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                 for node in ast.walk(function) if isinstance(node, ast.Call)]
        return any(isinstance(node, (ast.Assert, ast.Raise)) for node in ast.walk(function)) or any(
            re.match(r"expect|same|until|wait(?!_for_timeout)", name) for name in names)
    conditions = [*call.args[1:], *(word.value for word in call.keywords)]
    return called != "print" and bool(conditions) and not isinstance(conditions[0], ast.Constant)


def scan(root, prefixes):
    """Every test of the sources that carries ids, and findings on those that prove nothing."""
    tests, findings, seen = [], [], set()
    files = [path for folder in ("Tests", "Web/test") for path in sorted((root / folder).rglob("*")) if path.is_file()]
    for path in files:
        place = path.relative_to(root).as_posix()
        is_swift = path.suffix == ".swift"
        if path.suffix not in (".swift", ".py") or place in SCRIPTS and not SCRIPTS[place]:
            continue
        source = path.read_text(encoding="utf-8", errors="replace")
        try:
            names = list(swift_names(source) if is_swift else python_names(source))
        except SyntaxError as error:
            findings.append(f"{place}: cannot be read as Python ({error.msg}, line {error.lineno}).")
            continue
        level = level_of(place)
        for line, name, expects in names:
            tokens = id_tokens(name)
            if not is_swift:
                # Any string may end in brackets there, so only those with known prefixes are tests.
                if "\n" in name or not any(ID.match(t) and prefix_of(t) in prefixes for t in tokens):
                    continue
                name = re.sub(r"^(?:ok|not ok|FAIL|skip) - ", "", name.strip())
            if not tokens or (place, name) in seen and not is_swift:
                continue
            seen.add((place, name))
            if level is None:
                findings.append(f"{place}:{line}: no list in dev/proofs.py names this file, so its ids prove nothing.")
                continue
            if level in USES and not USES[level].search(source):
                findings.append(f"{place}:{line}: nothing in this file looks at the {level}, so its ids prove nothing.")
                continue
            if not expects:
                findings.append(f"{place}:{line}: the test \"{name}\" expects nothing, so it proves nothing.")
                continue
            tests.append(Test(name, place, line, level, None if is_swift else wildcard(until_bracket(name))))
    return tests, findings
