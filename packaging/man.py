#!/usr/bin/env python3
"""Writes a manual page for roost and for each of its commands, from what the binary tells of them.

usage: packaging/man.py BINARY FOLDER TIME
"""

import datetime
import json
import pathlib
import subprocess
import sys


def escaped(text):
    """A text as roff shows it."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def paragraphs(text):
    """Paragraphs, with lines that are indented as examples."""
    found = []
    for block in text.strip("\n").split("\n\n"):
        if block.startswith("  "):
            found.append(f".nf\n.RS\n{escaped(block)}\n.RE\n.fi")
        else:
            found.append(escaped(block))
    return "\n.PP\n".join(found)


def label(argument):
    """How an argument is written."""
    if argument["kind"] == "positional":
        return f"<{argument['valueName']}>" + ("..." if argument["isRepeating"] else "")
    names = ", ".join(("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} <{argument['valueName']}>"


def page(command, path, date, version):
    """The page of a command, and those of its commands, by their names."""
    name = "-".join(path)
    parts = [f'.TH {name.upper()} 1 "{date}" "roost {version}" "Roost"', ".SH NAME",
             f"{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS",
             f".B {escaped(' '.join(path))}"]
    commands = [other for other in command.get("subcommands", []) if other["commandName"] != "help"]
    shown = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    parts.append("<command>" if commands else " ".join(
        escaped(label(argument)) if not argument["isOptional"] else f"[{escaped(label(argument))}]" for argument in shown))
    if command.get("discussion"):
        parts += [".SH DESCRIPTION", paragraphs(command["discussion"])]
    if shown:
        parts.append(".SH OPTIONS")
    for argument in shown:
        text = argument.get("abstract", "")
        if argument.get("defaultValue"):
            text += f" The default is {argument['defaultValue']}."
        parts += [".TP", f".B {escaped(label(argument))}", escaped(text)]
        if argument.get("discussion"):
            parts += [".RS", ".PP", paragraphs(argument["discussion"]), ".RE"]
    if commands:
        parts.append(".SH COMMANDS")
        for other in commands:
            parts += [".TP", f".BR {escaped('-'.join([*path, other['commandName']]))} (1)", escaped(other["abstract"])]
    pages = {name: "\n".join(parts) + "\n"}
    for other in commands:
        pages |= page(other, [*path, other["commandName"]], date, version)
    return pages


def main(binary, folder, time):
    told = subprocess.run([binary, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    version = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    date = datetime.datetime.fromtimestamp(int(time), datetime.timezone.utc).date().isoformat()
    for name, text in page(json.loads(told)["command"], ["roost"], date, version).items():
        pathlib.Path(folder, f"{name}.1").write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
