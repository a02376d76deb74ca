#!/usr/bin/env python3
"""What dev/words writes and refuses, in a copy of the files that it reads."""
import json
import pathlib
import shutil
import tempfile

from cases import ROOT, check, end, run


def main(folder):
    root = pathlib.Path(folder)
    for name in ("Texts", "Sources/RoostClient/Texts", "Sources/RoostTerminal/Texts", "Web/src/texts"):
        shutil.copytree(ROOT / name, root / name)
    (root / "dev").mkdir()
    shutil.copy(ROOT / "dev/words", root / "dev")

    def change(language, key, entry):
        path = root / f"Texts/{language}.json"
        table = json.loads(path.read_text())
        before = table.pop(key, None)
        if entry is not None:
            table[key] = entry
        path.write_text(json.dumps(table))
        return before

    def says(name, wanted, *parts, words=("--check",)):
        status, output = run("python3", root / "dev/words", *words)
        check(name, status == wanted and all(part in output for part in parts), f"{status}: {output}")

    says("what is committed is up to date", 0)
    before = change("de", "recalled.by", None)
    says("a key that one language lacks is named", 1, "Texts/de.json", "recalled.by")
    change("de", "recalled.by", "{nam} hat diese Nachricht zurückgerufen")
    says("so is a placeholder that differs", 1, "Texts/de.json: recalled.by", "nam", "name")
    change("de", "recalled.by", before)
    before = change("ko", "count.members", {"one": "멤버 1명", "other": "멤버 {count}명"})
    says("so is a plural form that the language does not have", 1, "Texts/ko.json: count.members")
    change("ko", "count.members", before)
    for language in ("en", "de", "zh-Hant", "ko", "ar"):
        change(language, "sdk.unused", "text")
    says("a text for the SDK that it does not use is named", 1, "sdk.unused")
    for language in ("en", "de", "zh-Hant", "ko", "ar"):
        change(language, "sdk.unused", None)
    change("en", "preview.sticker", 'A "sticker"')
    says("what follows from a change is not written by a check", 1, "lines-en.js", "ClientText+english.swift")
    says("but without one", 0, words=())
    says("and then it is up to date", 0)
    text = (root / "Sources/RoostClient/Texts/ClientText+english.swift").read_text()
    page = (root / "Web/src/texts/lines-en.js").read_text()
    check("in Swift and in JavaScript, with its quotes", r'.stickerPreview: "A \"sticker\"",' in text
          and r'"preview.sticker": "A \"sticker\"",' in page)
    check("each with its own part", '"notice.copy"' in page and "sdk." not in page and "terminal." not in page and "copied a message" not in text)


with tempfile.TemporaryDirectory(prefix="roost-words.") as folder:
    main(folder)
end()
