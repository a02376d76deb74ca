#!/usr/bin/env python3
"""Runs the clients of this folder as processes against a real server, which is killed in between, as is a client.

It checks what they print: nothing is lost, nothing comes twice, and all is in order. It starts `roost serve --dev`
(ROOST=PATH, .build/release/roost when left out). Prints "ok - …" for each check that passes.
"""

import asyncio
import json
import pathlib
import re
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from roost_server import Server  # noqa: E402

LIMIT = 60  # Seconds, for everything that is waited for.


def ok(what, condition=True, detail=""):
    print(f"ok - {what}" if condition else sys.exit(f"not ok - {what}: {detail}"), flush=True)


class Process:
    """A client that runs: `lines` is what it has printed."""

    async def start(self, *arguments):
        self.lines, self.changed = [], asyncio.Condition()
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, *map(str, arguments), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        self.reading = asyncio.create_task(self.read())
        return self

    async def read(self):
        async for line in self.process.stdout:
            async with self.changed:
                self.lines.append(line.decode().rstrip("\n"))
                self.changed.notify_all()

    def type(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    async def until(self, what, condition):
        try:
            async with self.changed:
                await asyncio.wait_for(self.changed.wait_for(lambda: condition(self.lines)), LIMIT)
        except asyncio.TimeoutError:
            sys.exit(f"not ok - {what}: {self.lines[-20:]}")

    async def end(self):
        """Ends its input, and waits for its exit."""
        self.process.stdin.close()
        await asyncio.wait_for(self.process.wait(), LIMIT)
        await self.reading

    async def kill(self):
        self.process.kill()
        await self.process.wait()
        await self.reading


def command(server, user, name, key=None, **body):
    """One command over HTTP, as a guest."""
    headers = {"Roost-Guest": user} | ({"Idempotency-Key": key} if key else {})
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/v1/{name}", json.dumps(body).encode(), headers)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=LIMIT) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            error = json.load(refusal)["error"]
            if error["code"] != 1004:  # Too fast.
                sys.exit(f"not ok - {name}: {error}")
            time.sleep(error["retryAfterMs"] / 1000)


def say(server, user, channel, *texts):
    for text in texts:
        command(server, user, "message.send", f"{user}-{channel}-{text.replace(' ', '-')}", channel=channel, text=text)


def restart(server):
    server.kill()
    server.start()


def messages(lines):
    """The texts that were printed, with their rows."""
    found = [re.fullmatch(r"(\S+) (\d+) (.*?): (.*)", line) for line in lines]
    return [(int(match[2]), match[4]) for match in found if match]


async def first(server):
    source = (HERE / "1_first.py").read_text()
    preface = (HERE.parent.parent.parent / "Protocol/preface.md").read_text()
    ok("1_first.py is the client of the preface", f"```python\n{source}```" in preface)
    # It always connects to the port of a server with default settings, which may be in use here.
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "1_first.py"
        copy.write_text(source.replace("127.0.0.1:7878", f"127.0.0.1:{server.port}"))
        say(server, "bob", "lobby", "before")
        ann = await Process().start(copy, "ann", "lobby")
        await ann.until("1 prints the history", lambda lines: len(lines) == 1)
        ann.type("hello")
        await ann.until("1 prints what it sends", lambda lines: len(lines) == 2)
        say(server, "bob", "lobby", "after")
        await ann.until("1 prints what others send", lambda lines: len(lines) == 3)
        await ann.end()
    ok("1_first.py prints history, its own and others' messages",
       messages(ann.lines) == [(1, "before"), (2, "hello"), (3, "after")], ann.lines)


async def positions(server):
    ann = await Process().start(HERE / "2_positions.py", "ann", "hall", server.url)
    await ann.until("2 is connected", lambda lines: "live" in lines)
    texts = []
    for round in range(3):
        texts += (new := [f"round {round} text {n}" for n in range(20)])
        say(server, "bob", "hall", *new[:7])
        restart(server)
        say(server, "bob", "hall", *new[7:])  # Perhaps before the client is back.
    await ann.until("2 gets everything", lambda lines: len(messages(lines)) >= len(texts))
    command(server, "bob", "channel.create", "g-1", kind="group", channel="team", members=["ann"])
    say(server, "bob", "team", "in a new group")
    await ann.until("2 gets a new group", lambda lines: messages(lines)[-1][1] == "in a new group")
    ann.type("it still sends")
    await ann.until("2 sends", lambda lines: messages(lines)[-1][1] == "it still sends")
    await ann.end()
    ok("2_positions.py: over three killed servers nothing is lost, nothing comes twice, all is in order",
       messages(ann.lines) == [*enumerate(texts, 1), (1, "in a new group"), (len(texts) + 1, "it still sends")], ann.lines)


async def listing(server):
    cat = await Process().start(HERE / "3_list.py", "cat", "yard", server.url)
    await cat.until("3 is connected", lambda lines: "live" in lines)

    def shows(line):
        return lambda lines: [one for one in lines if one.startswith(line.rsplit(" ", 2)[0] + " ")][-1:] == [line]

    command(server, "bob", "channel.create", "g-2", kind="group", channel="crew", title="Crew", members=["cat"])
    await cat.until("3 shows a new channel", shows("= crew 0 Crew"))
    say(server, "bob", "crew", "one", "two", "three")
    await cat.until("3 counts", shows("= crew 3 Crew"))
    sent = command(server, "bob", "message.send", "bob-x", channel="crew", text="a mistake")
    await cat.until("3 counts", shows("= crew 4 Crew"))
    command(server, "bob", "message.recall", "bob-r", channel="crew", messageIDs=[sent["messageID"]])
    await cat.until("3 counts a recall", shows("= crew 3 Crew"))
    restart(server)
    say(server, "bob", "crew", "four", "five")
    command(server, "bob", "channel.create", "s-1", kind="single", members=["cat"])
    say(server, "bob", "bob:cat", "psst")
    await cat.until("3 counts what it missed", shows("= crew 5 Crew"))
    await cat.until("3 shows a 1-on-1", shows("= bob:cat 1 bob"))
    cat.type("/read crew")
    await cat.until("3 marks as read", shows("= crew 0 Crew"))
    say(server, "cat", "crew", "mine")
    say(server, "bob", "crew", "six")
    command(server, "bob", "channel.setProfile", "p-1", channel="crew", profile={"title": "The crew"})
    await cat.until("3 counts on, with a new title", lambda lines: "= crew 1 The crew" in lines)
    command(server, "bob", "channel.dismiss", "d-1", channel="crew")
    await cat.until("3 drops a channel", lambda lines: lines[-1] == "= crew gone")
    unread = command(server, "cat", "unread.get")
    ok("3_list.py: the counts follow messages, recalls, marks and a killed server", unread["total"] == 1, unread)
    rows = [row for row, _ in messages(cat.lines)]
    ok("3_list.py: every message once", len(messages(cat.lines)) == len(set(messages(cat.lines))) == 9, rows)
    await cat.end()


async def sends(server, folder):
    box = folder + "/dan.outbox"
    reader = await Process().start(HERE / "2_positions.py", "bob", "deck", server.url)
    await reader.until("the reader is connected", lambda lines: "live" in lines)
    texts, printed = [], []
    for round in range(4):
        dan = await Process().start(HERE / "4_sends.py", "dan", "deck", server.url, box)
        new = [f"line {round} {n}" for n in range(25)]
        texts += new
        if round == 1:  # Nobody is there to answer.
            server.kill()
        dan.type(*new)
        await asyncio.wait_for(dan.process.stdin.drain(), LIMIT)
        if round == 1:
            await reader_sees_outbox(box, new[-1])
            await dan.kill()
            printed += dan.lines
            server.start()
            continue
        await dan.until("4 sends", lambda lines: any(f"sent {new[0]}" == line for line in lines))
        await reader_sees_all_typed(box, reader, new[-1])
        if round == 0:  # Somewhere in the middle of the answers.
            await dan.kill()
        elif round == 2:
            restart(server)
            await dan.end()
        else:
            await dan.end()
        printed += dan.lines
    await reader.until("4: everything arrives", lambda lines: len(messages(lines)) >= len(texts))
    await reader.end()
    ok("4_sends.py: over killed clients and servers every line arrives once, in order",
       messages(reader.lines) == list(enumerate(texts, 1)), reader.lines)
    page = command(server, "bob", "message.list", channel="deck", after=0, limit=100)
    ok("4_sends.py: and the server has them so", [row["body"]["text"] for row in page["events"]] == texts)
    ok("4_sends.py: the outbox is empty, and nothing was refused",
       pathlib.Path(box).read_text() == "" and not any(line.startswith("refused") for line in printed))


async def polled(what, condition):
    """For what only a file shows."""
    async with asyncio.timeout(LIMIT):
        while not condition():
            await asyncio.sleep(0.02)


async def reader_sees_outbox(box, text):
    path = pathlib.Path(box)
    await polled("the outbox has all lines", lambda: path.exists() and text in path.read_text())


async def reader_sees_all_typed(box, reader, text):
    path = pathlib.Path(box)
    await polled("the last line is in the outbox or sent", lambda: text in path.read_text() or any(
        line.endswith(": " + text) for line in reader.lines))


async def main():
    # So few sends at once that 4_sends.py is told to wait, and so many per second that it does not wait long.
    limits = ["--limit", "channelSendBurst=10", "--limit", "channelSendsPerSecond=50", "--limit", "sendsPerSecond=0"]
    with Server(*limits) as server, tempfile.TemporaryDirectory() as folder:
        for user in ("bob", "cat", "ann", "dan"):  # Known users: they have sent something.
            say(server, user, "lobby-of-" + user, "hello")
        await first(server)
        await positions(server)
        await listing(server)
        await sends(server, folder)


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv):
        sys.exit(print(__doc__.strip()))
    asyncio.run(main())
