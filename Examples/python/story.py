#!/usr/bin/env python3
"""The life of a group: a client in Python with a real server; prints "ok - …" for each check that passes.

It starts `roost serve --dev` (ROOST=PATH, .build/release/roost when left out) in a temporary folder on a free port.
"""

import asyncio
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from roost_client import Client, Refused

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GROUP = "club"


@contextlib.contextmanager
def server():
    binary = os.environ.get("ROOST", ROOT / ".build/release/roost")
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "serve", "--dev", "--port", "0", "--data", folder + "/roost.db"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            ready = re.match(r"ready http(://\S+)", process.stdout.readline())
            yield "ws" + ready[1] if ready else sys.exit("story: the server did not start")
        finally:
            process.terminate()
            process.wait(60)


def ok(what, condition=True, detail=""):
    print(f"ok - {what}" if condition else sys.exit(f"not ok - {what} {detail}"), flush=True)


async def refused(code, command):
    try:
        sys.exit(f"not ok - carried out, not refused with {code}: {await command}")
    except Refused as refusal:
        ok(f"refused with {refusal}", refusal.code == code, f"instead of {code}")


def texts(client):
    return [row["body"]["text"] for row in client.channels[GROUP].rows if row["event"] == "message.sent"]


async def same_as_server(client):
    """Checks that the rows a device received of a channel equal those on the server."""
    log, listed, page = client.channels[GROUP], [], {"hasAfter": True}
    while page["hasAfter"]:
        after = listed[-1]["seq"] if listed else log.rows[0]["seq"] - 1
        page = await client.ask("message.list", channel=GROUP, after=after, limit=100)
        listed += page["events"]
    await client.until(lambda: log.position >= page["seq"])
    return [row["seq"] for row in listed] == [row["seq"] for row in log.rows]


async def story(url):
    a1, a2, b, c = (Client(url, user, device) for user, device in
                    [("a", "a-1"), ("a", "a-2"), ("b", "b-1"), ("c", "c-1")])
    await asyncio.gather(*(client.start() for client in (a1, a2, b, c)))
    ok("four devices of three people are connected")

    pair = await a1.do("channel.create", kind="single", members=["b"])
    again = await a1.do("channel.create", kind="single", members=["b"])
    ok("the same pair, the same channel", pair["channel"] == again["channel"] == "a:b")
    await refused(1104, a1.do("channel.leave", channel="a:b"))
    await a1.do("channel.create", kind="group", channel=GROUP, title="The club", members=["b", "c"])
    for client in (a1, a2, b, c):
        await client.until(lambda: GROUP in client.channels)
    ok("a group reaches every device of every member")
    await refused(1102, a1.do("channel.create", kind="group", channel=GROUP))

    await a1.do("channel.setProfile", channel=GROUP, profile={"title": "Club", "customAttributes": 3})
    await b.until(lambda: [row["body"] for row in b.channels[GROUP].rows if row["event"] == "channel.profileChanged"]
                  == [{"profile": {"title": "Club", "customAttributes": 3}}])
    ok("all get what changed of the profile, and nothing else")
    await refused(1107, b.do("member.kick", channel=GROUP, members=["c"]))
    members = [member["userID"] async for page in a1.pages("member.list", channel=GROUP, limit=2)
               for member in page["members"]]
    ok("members are listed page by page", members == ["a", "b", "c"])

    hello = {"channel": GROUP, "text": "Hello @b", "mentions": [{"userID": "b", "start": 6, "length": 2}]}
    sent = await a1.do("message.send", "a-0001", **hello)
    twice = await a1.do("message.send", "a-0001", **hello)
    ok("a command that is sent twice happens once and gets the same answer", sent == twice)
    await b.do("message.send", channel=GROUP, text="Hi!", replyTo=sent["messageID"])
    await refused(1001, a1.do("message.send", channel=GROUP, text="x" * 8001))
    await c.until(lambda: texts(c) == ["Hello @b", "Hi!"])
    ok("messages come to all in one order")

    b.drop()
    for number in range(40):
        await a1.do("message.send", channel=GROUP, text=f"while away {number}")
    await a1.do("channel.create", kind="group", channel="annex", members=["b"])
    await b.until(lambda: len(texts(b)) == 42 and "annex" in b.channels)
    ok("after a drop everything that was missed is there, once and in order", await same_as_server(b))

    sending = [asyncio.create_task(c.do("message.send", channel=GROUP, text=f"in a storm {number}"))
               for number in range(30)]
    for _ in range(3):
        await asyncio.sleep(0)
        c.drop()
        await c.is_live.wait()
    await asyncio.gather(*sending)
    await a2.until(lambda: sum("storm" in text for text in texts(a2)) >= 30)
    ok("what is sent while the connection breaks arrives, and once",
       sorted(text for text in texts(a2) if "storm" in text) == sorted(f"in a storm {n}" for n in range(30)))

    many = await a1.do("message.sendMany", channels=[GROUP, "a:b"], messages=[{"text": "one"}, {"text": "two"}])
    ok("two messages to two channels are four", len(many["results"]) == 4)
    later = {"channels": [GROUP], "messages": [{"text": "later"}], "sendAt": int(time.time() * 1000) + 120_000}
    await refused(1008, a1.do("schedule.create", **later | {"sendAt": later["sendAt"] - 90_000}))
    schedule = (await a1.do("schedule.create", **later))["schedule"]
    await a2.until(lambda: a2.own.rows[-1]["event"] == "schedule.created")
    await a1.do("schedule.cancel", scheduleID=schedule["scheduleID"])
    ok("the other device gets what is scheduled, and it is cancelled")

    vote = await a1.do("vote.create", channel=GROUP, subject="Tea?", vote={"options": [{"text": "Yes"}, {"text": "No"}]})
    for voter, option in ((b, 0), (c, 0), (a2, 1)):
        await voter.do("vote.cast", channel=GROUP, messageID=vote["messageID"], options=[option])
    await a1.do("vote.close", channel=GROUP, messageID=vote["messageID"])
    state = (await b.ask("vote.get", channel=GROUP, messageIDs=[vote["messageID"]]))["votes"][0]
    ok("a vote is counted and closed", state["phase"] == "closed" and state["tally"]["counts"] == [2, 1], state)
    await b.do("reaction.add", channel=GROUP, messageID=sent["messageID"], emoji="👍")
    got = (await c.ask("message.get", channel=GROUP, messageIDs=[sent["messageID"]]))["events"][0]
    ok("a reaction is counted", got["body"]["reactions"]["kinds"][0]["count"] == 1, got)

    later = await b.ask("message.query", channel=GROUP, time=got["sentAt"], direction="after", limit=10)
    whole = [row async for page in b.pages("message.query", time=0, direction="after", limit=7) for row in page["events"]]
    ok("rows are read by time, page by page", len(later["events"]) >= 10 and len({
        (row["channel"], row["seq"]) for row in whole}) == len(whole))

    before = (await b.ask("unread.get"))["total"]
    mark = await b.ask("readMark.set", channel=GROUP, seq=a1.channels[GROUP].position)
    await a1.until(lambda: any(event["event"] == "readMark.moved" for event in a1.ephemeral))
    readers = await a1.ask("message.listReaders", channel=GROUP, messageID=sent["messageID"])
    ok("the others get a read mark, and it lowers the unread count",
       before > mark["unread"] and any(reader["userID"] == "b" for reader in readers["readers"]))

    await c.do("message.delete", scope="messages", channel=GROUP, messageIDs=[sent["messageID"]])
    await refused(1118, c.ask("message.get", channel=GROUP, messageIDs=[sent["messageID"]]))
    await a1.do("message.recall", channel=GROUP, messageIDs=[sent["messageID"]])
    shell = (await b.ask("message.get", channel=GROUP, messageIDs=[sent["messageID"]]))["events"][0]["body"]
    ok("deleted for one, recalled for all", shell["text"] == "" and shell["recall"]["byUserID"] == "a")
    await refused(1113, b.do("message.recall", channel=GROUP, messageIDs=[vote["messageID"]]))

    ok("the devices were told what the server has", all([await same_as_server(client) for client in (a1, a2, b)]))
    await a1.do("channel.dismiss", channel=GROUP)
    await asyncio.gather(*(client.until(lambda: GROUP not in client.channels) for client in (a2, b, c)))
    await refused(1105, b.do("message.send", channel=GROUP, text="anybody?"))
    ok("a group that is dismissed is gone for everybody")
    await asyncio.gather(*(client.stop() for client in (a1, a2, b, c)))


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv):
        sys.exit(print(__doc__.strip()))
    with server() as address:
        asyncio.run(story(address))
