#!/usr/bin/env python3
"""Plays roost chat in an open channel, and with rows of every kind, in a pseudo-terminal against a real server.

Needs ROOST, the server's binary, and pyte.
"""
import signal

from chat import check, has, lacks, run, status


def styles(chat, text):
    """How a text looks on the screen: its colour, weight and slant, and the mark in front of it."""
    line = next(number for number, line in enumerate(chat.lines) if text in line.partition("│")[2])
    column = chat.lines[line].index(text, chat.lines[line].index("│"))
    cell = chat.screen.buffer[line][column]
    return cell.fg, cell.bold, cell.italics, chat.lines[line][:column].rpartition("│")[2].strip()


def play(server, chat):
    # An open channel: nobody is a member, everybody may write and see.
    server.roost("send", "--as", "old", "--channel", "lobby", "-", text="".join(f"old {n}\n" for n in range(1, 71)))
    ann = chat("ann", "--channel", "lobby")
    ann.sees("an open channel shows what was said before", has("old 70"))
    bob = chat("bob", "--channel", "lobby")
    bob.wait(has("old 70"))
    ann.wait(status("● connected"))
    bob.wait(status("● connected"))
    bob.type("hello lobby\r")
    ann.sees("who takes part sees what others post", has("hello lobby"))
    ann.type("hello bob\r")
    bob.sees("anyone may join an open channel, post, and see the posts of others at once [J-8]", has("hello bob"))

    # Older pages, from a server that is slow to answer.
    ann.type("\x1b[5~")
    ann.wait(has("Ctrl-End"))
    for _ in range(12):
        server.process.send_signal(signal.SIGSTOP)
        shown = ann.lines[1]
        ann.type("\x1b[5~")
        ann.wait(lambda c: c.lines[1] != shown, 8)
        if ann.wait(has("loading older"), 2):
            break
        server.process.send_signal(signal.SIGCONT)
    check("a page that is loaded has a sign at the top meanwhile", "loading older" in ann.lines[1], ann.text)
    before = {line.split("│")[-1]: number for number, line in enumerate(ann.lines) if "│   old" in line}
    server.process.send_signal(signal.SIGCONT)
    ann.sees("loading previous messages shows a sign at the top while it runs [J-27]", lacks("loading older"))
    after = {line.split("│")[-1]: number for number, line in enumerate(ann.lines) if "│   old" in line}
    check("what was on top stays where it was when a page comes in above it [J-28]",
          len(after) > len(before) > 10 and before.items() <= after.items(), ann.text)
    while "   old 1" not in [line.split("│")[-1] for line in ann.lines]:
        shown = ann.lines[1]
        ann.type("\x1b[5~")
        if not ann.wait(lambda c: c.lines[1] != shown):
            break
    ann.sees("older pages come in to the first message", lambda c: any(l.split("│")[-1] == "   old 1" for l in c.lines))

    # A refusal that passes.
    server.roost("send", "--as", "bob", "--to", "ann", "hello")
    server.roost("user", "block", "--as", "bob", "ann")
    single = chat("ann", "--to", "bob", profile="ann-single")
    single.wait(lambda c: "   hello" in c.text and status("● connected")(c))
    single.type("are you there\r")
    single.sees("a failed message stays visible", has("✗  are you there"))
    server.roost("user", "unblock", "--as", "bob", "ann")
    single.type("/retry\r")
    single.sees("a failed message stays visible, and trying again makes the same row sent [Z-17]",
                lambda c: [line.split("│")[-1][:16] for line in c.lines if "│" in line].count("✓  are you there") == 1
                and "✗" not in c.text)

    # Rows of every kind.
    for user in ("ann", "bob", "cid"):
        server.roost("channels", "--as", user, "--name", user.capitalize())
    server.roost("channel", "create", "--as", "bob", "--kind", "group", "--channel", "kinds", "--title", "Kinds",
                 "--member", "ann")
    token = server.roost("token", "--operator", "--user", "house", "--data", f"{server.folder}/data", is_local=True).strip()
    server.roost("send", "--as", "bob", "--channel", "kinds", "a plain text")
    server.roost("message", "announce", "--token", token, "--channel", "kinds", "we close at eight")
    server.roost("member", "invite", "--as", "bob", "--channel", "kinds", "cid")
    with open(f"{server.folder}/plan.pdf", "wb") as plan:
        plan.write(b"%PDF-1.7")
    server.roost("send", "--as", "bob", "--channel", "kinds", "--file", f"{server.folder}/plan.pdf")
    ann = chat("ann", "--channel", "kinds", profile="ann-kinds")
    ann.sees("rows of all kinds are there", has("plan.pdf"))
    ann.type("and mine\r")
    ann.wait(has("✓  and mine"))
    looks = [styles(ann, text) for text in ("we close", "a plain", "plan.pdf", "Cid joined")]
    own = styles(ann, "and mine")
    check("text, line, announcement and file each look different, own messages differ from others' [J-31]",
          len(set(looks)) == 4 and own not in looks and styles(ann, "You")[:2] != styles(ann, "Bob")[:2], looks + [own])

    # Pinned messages: by a command, by a key, from the other side, listed and gone to.
    bob = chat("bob", "--channel", "kinds", profile="bob-kinds")
    bob.wait(has("and mine"))
    ann.type("/pin\r")
    for each in (ann, bob):
        each.sees("a pinned message is counted in the header of everybody", has("· 1 pinned"))
    # The count is loaded by itself; the keys step over rows, so all of them must be there.
    bob.wait(has("Ann pinned a message"))
    bob.type("\x13\x1b[A\x1b[A")
    bob.sees("a selected message can be pinned", has("p pin"))
    bob.type("p")
    ann.sees("a key pins the selected message", lambda c: has("· 2 pinned")(c) and has("Bob pinned a message")(c))
    ann.type("/pins\r")
    ann.sees("the pinned messages are listed, the newest pin first",
             lambda c: 0 < c.text.find("1  Bob, ") < c.text.find("pinned by Bob") < c.text.find("2  Ann, "))
    ann.type("\x1b")
    ann.wait(lacks("Pinned messages"))
    ann.type("/pins 3\r")
    ann.sees("a number that does not exist says how many there are", has("only 2 pinned messages"))
    ann.type("/pins 1\r")
    ann.sees("a pinned message can be gone to", lacks("Pinned messages"))
    server.roost("channel", "set", "--as", "bob", "--channel", "kinds", "--pinners", "moderators")
    ann.wait(has("only moderators and admins may pin"))
    ann.type("/pin\r")
    ann.sees("only moderators may pin where the channel says so", has("Only moderators can pin"))


if __name__ == "__main__":
    run(play, "--limit", "sendsPerSecond=0", "--limit", "channelSendsPerSecond=0")
