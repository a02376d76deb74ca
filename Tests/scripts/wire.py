#!/usr/bin/env python3
"""What dev/wire writes, in a copy of the files that it reads."""
import pathlib
import shutil
import tempfile

from cases import ROOT, check, end, run


def main(folder):
    root = pathlib.Path(folder)
    (root / "dev").mkdir()
    shutil.copy(ROOT / "dev/wire", root / "dev")
    shutil.copytree(ROOT / "Sources/RoostWire", root / "Sources/RoostWire")
    wire = root / "Sources/RoostWire"

    def replace(name, old, new):
        text = (wire / name).read_text()
        assert text.count(old) == 1, (name, old)
        (wire / name).write_text(text.replace(old, new))

    def says(name, wanted, *parts, words=("--check",)):
        status, output = run("python3", root / "dev/wire", *words)
        check(name, status == wanted and all(part in output for part in parts), f"{status}: {output}")

    says("what is committed is up to date", 0)
    emoji = "    /// The emoji: one character as people see it, of at most 64 bytes.\n    public var emoji: String\n"
    replace("Messages/Reactions.swift", emoji, emoji + "    /// The tone.\n    public var tone: Int?\n")
    says("a field that its initializer lacks is found", 1, "Messages/Reactions.swift is stale. Run dev/wire.")
    says("and written", 0, "written: Sources/RoostWire/Messages/Reactions.swift", words=())
    text = (wire / "Messages/Reactions.swift").read_text()
    check("as a parameter that may be left out", "emoji: String, tone: Int? = nil) {" in text and "self.tone = tone" in text)
    replace("Messages/Reactions.swift", "/// Removes the caller's reaction from a message.\n", """\
/// Counts reactions. All of them.
public struct CountReactions: ReadCommand {
    /// The name on the wire.
    public static let name = "reaction.count"
}

/// Removes the caller's reaction from a message.
""")
    replace("Event.swift", "    case reactionRemoved(ReactionChanged)\n", """\
    case reactionRemoved(ReactionChanged)
    /// Somebody read on.
    case readMarkTouched(ReadMark)
""")
    says("a new command and a new event are found", 1, "Commands.swift is stale", "Events.swift is stale")
    says("and written", 0, "Commands.swift", "Events.swift", words=())
    commands, events = ((wire / "Generated" / name).read_text() for name in ("Commands.swift", "Events.swift"))
    check("a command becomes a case of its group, with the first sentence of its doc comment",
          "    /// Counts reactions.\n    case countReactions(CountReactions)\n" in commands)
    check("and gets its case", "{ .read(.countReactions(self)) }" in commands)
    check("an event is named after the nouns of the commands", 'case readMarkTouched = "readMark.touched"' in events)
    check("and is read and written", "case .readMarkTouched: .channel(.readMarkTouched(try read()))" in events
          and "case .readMarkTouched(let body): (.readMarkTouched, body)" in events)
    check("a struct without fields has an initializer without parameters",
          "    public init() {}\n" in (wire / "Messages/Reactions.swift").read_text())
    says("and then all is up to date", 0)


with tempfile.TemporaryDirectory() as folder:
    main(folder)
end()
