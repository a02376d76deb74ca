#!/usr/bin/env python3
"""Plays the transcripts of the protocol: a copy that took the events holds the same as one that starts after them.

A file of Protocol/transcripts has, for each user of a script, what the server answers to a client that starts, the
events that it sends then, and what it answers to a client that starts afterwards. Each user's client keeps a copy
(roost_store.py), and its connection is the transcript: no server and no network. It does so in several ways, which
differ in the rows that it has and in when its questions are answered. Then it loads the rows that it lacks, and loses
its connection. After each of these it must hold what the server answers now (walk_compare.py), as must a copy that has
just begun. Prints a line for each transcript, and ends with exit code 1 if one differs.
"""

import argparse
import asyncio
import contextlib
import json
import pathlib
import sys
import traceback
from unittest import mock

from roost_apply import NEWS, SHOWN
from roost_client import Client, Refused
from roost_store import StoreClient
from walk_compare import Comparison, Difference, compare

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "Protocol/transcripts"
# The rows that a client has, and when it gets the answers to its questions.
ALL, NONE, OLD, NEW = ("all rows", "no rows", "rows and channels as of before the events, which it gets after them",
                       "rows that it asks for after the first event")
EACH, LAST = "after each event", "after the last event"
WAYS = ((ALL, EACH), (ALL, LAST), (NONE, LAST), (OLD, LAST), (NEW, EACH))
THINGS = ("invitation", "blocked", "schedule", "vote")
TURNS = 2_000  # Of the event loop, after which a client that still asks will never end.


def error(code, name):
    return {"error": {"code": code, "name": name, "message": "by the transcript", "retryable": False}}


class Server:
    """What the server answers to one user's clients at one moment: `state` is that of a transcript."""

    def __init__(self, state):
        self.state, self.fault, self.connection, self.asked = state, None, None, set()

    def answer(self, command, body):
        state, id = self.state, body.get("channel")
        self.asked.add((command, id))
        if id is not None and id not in state["channels"]:
            return error(1105, "channelNotFound")
        is_news = id is not None and state["channels"][id]["kind"] in NEWS
        match command:
            case "hello":
                return {"result": {"epoch": state["resume"]["epoch"]}}
            case "resume":
                return {"result": self.resume(body)}
            case "channel.list":
                return {"result": state["list"]}
            case "channel.query":
                of_all = {"channels": list(state["channels"].values())}
                return {"result": state["invited"] if body.get("roles") == ["invited"] else of_all}
            case "unread.get":
                return {"result": state["unread"]}
            case "user.listBlocked":
                return {"result": state["blocked"]}
            case "schedule.list":
                return {"result": state["schedules"]}
            case "channel.get":
                return {"result": state["channels"][id]}
            case "member.list" | "member.listReads" if is_news:
                return error(1104, "channelTypeMismatch")
            case "member.list":
                return {"result": state["members"][id]}
            case "member.listReads":
                return {"result": {"members": [{"userID": member["userID"], "seq": member["readSeq"]}
                                               for member in state["members"][id]["members"]]}}
            case "message.list":
                return {"result": self.page(state["logs"][id], **body)}
            case "vote.get":
                votes = [vote for vote in state["votes"].get(id, {"votes": []})["votes"]
                         if vote["event"]["body"]["messageID"] in body["messageIDs"]]
                return {"result": {"votes": votes}} if votes else error(1118, "messageNotFound")
        raise Difference(f"asks {command}, which no transcript answers")

    def resume(self, body):
        """A transcript knows what `resume` says to a client that starts, and to one that has everything."""
        answer = self.state["resume"]
        heads = {head["channel"]: head["seq"] for head in answer["channels"]}
        missing = [place for place in body["channels"] if heads.get(place["channel"]) != place["seq"]]
        if missing or body.get("userSeq", answer["userSeq"]) != answer["userSeq"]:
            raise Difference(f"asks for rows, as if some were missing\n  kept    {body}\n  fetched {heads}, own log "
                             f"{answer['userSeq']}")
        return answer

    @staticmethod
    def page(log, before=None, after=0, **_):
        """The rows of a log that show, in one page."""
        if log["hasBefore"] or log["hasAfter"]:
            raise Difference("the transcript has a log that is not whole")
        last = log["to"] if before is None else min(log["to"], before - 1)
        rows = [row for row in log["events"] if after < row["seq"] <= last and row["event"] in SHOWN]
        return log | {"events": rows, "from": max(log["from"], after + 1), "to": last}


class Connection:
    """The connection of a client to such a server. Answers come after the events that were told before the question."""

    def __init__(self, server):
        self.server, self.frames, self.transport, self.held = server, asyncio.Queue(), self, None
        server.connection = self

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        pass

    async def send(self, text):
        frame = json.loads(text)
        try:
            answer = {"id": frame["id"]} | self.server.answer(frame["cmd"], frame["body"])
        except Exception as fault:
            self.server.fault = fault  # Whoever asked may be a task that nobody waits for.
            raise
        if self.held is None:
            self.tell(answer)
        else:
            self.held.append(answer)

    def release(self):
        """Gives the answers that were held, and holds no more."""
        for answer in self.held or []:
            self.tell(answer)
        self.held = None

    def tell(self, frame):
        self.frames.put_nowait(json.dumps(frame))

    def abort(self):
        self.frames.put_nowait(None)

    def __aiter__(self):
        return self

    async def __anext__(self):
        if (text := await self.frames.get()) is None:
            raise StopAsyncIteration
        return text


async def settle(client, server):
    """Waits until a client has taken everything and asks nothing more."""
    for _ in range(TURNS):
        await asyncio.sleep(0)
        for task in (client.running, client.asking):
            if task and task.done():
                task.result()  # Why it has ended.
        if server.fault:
            raise server.fault
        if server.connection.frames.empty() and client.is_settled():
            return
    raise Difference(f"never has everything; it wants {client.store.wanted}, and has rows that have to wait: "
                     f"{ {id: list(log.held) for id, log in client.channels.items() if log.held} }")


class Eye(Client):
    """Asks the server of a transcript without a connection."""

    def __init__(self, user, state):
        super().__init__("", user, "eye")
        self.server = Server(state)

    async def ask(self, command, id=None, **body):
        frame = self.server.answer(command, body)
        if "error" in frame:
            raise Refused(frame["error"])
        return frame["result"]


class Play:
    """What one user's clients do with a transcript; `blocked` has who blocked whom at any time."""

    def __init__(self, entry, blocked):
        self.user, self.before, self.events, self.after = (entry[key] for key in ("user", "before", "events", "after"))
        self.user, self.blocked, self.same, self.where = self.user["userID"], blocked, Comparison(), ""

    async def run(self):
        if not self.events:
            raise Difference("there are no events")
        for when, state in (("before", self.before), ("after", self.after)):
            self.where = f"a client that starts {when} the events"
            async with self.client(state, has_rows=True) as (client, _):
                await self.compare(client, state)
                things = {kind: client.store.things(kind) for kind in THINGS}
        for rows, answers in WAYS:
            self.where = f"a client with {rows}, answered {answers}"
            await self.stay(rows, answers == EACH, things)

    async def stay(self, rows, is_answered_at_once, things):
        """A client that takes the events; `things` are those of one that starts after them."""
        async with self.client(self.before, rows == ALL) as (client, server):
            asking = await self.ask_early(client, server) if rows == OLD else asyncio.sleep(0)
            server.state, server.asked = self.after, set()
            for number, event in enumerate(self.events):
                server.connection.tell(event)
                if is_answered_at_once:
                    await settle(client, server)
                if rows == NEW and number == 0:
                    await self.load(client, server)
            server.connection.release()
            await asking
            await settle(client, server)
            await self.compare(client, self.after)
            if rows == ALL:
                self.check_asked(server.asked)
            self.where += ", then loads what it lacks and comes back after a lost connection"
            await self.load(client, server)
            client.drop()
            await settle(client, server)
            await self.compare(client, self.after)
            for kind in THINGS:  # The votes, too, of messages that were recalled.
                self.same.equal(f"things: {kind}", client.store.things(kind), things[kind])

    @staticmethod
    async def ask_early(client, server):
        """Asks for every channel and its rows, and holds the answers, so that they are older than what comes next."""
        store, ids = client.store, client.store.channel_ids()
        with store.transaction():
            for id in ids:
                channel = store.channel(id)
                store.want(channel)
                store.save(channel)
        held = server.connection.held = []
        asking = asyncio.gather(*map(client.load, ids), *map(client.ask_channel, ids))
        for _ in range(TURNS):
            if len(held) == 2 * len(ids):
                return asking
            await asyncio.sleep(0)
        raise Difference("does not ask")

    @contextlib.asynccontextmanager
    async def client(self, state, has_rows):
        """A client that has just begun, with the rows of all its channels or with none."""
        server = Server(state)
        client = StoreClient("", self.user, "device", ":memory:")
        client.pause = 0
        with mock.patch("roost_client.websockets.connect", lambda *_, **__: Connection(server)):
            await client.start()
            try:
                await settle(client, server)
                if has_rows:
                    await self.load(client, server)
                yield client, server
            finally:
                await client.stop()

    @staticmethod
    async def load(client, server):
        for id in client.store.channel_ids():
            if id in server.state["channels"]:  # Else the server has more news for the client.
                await client.load(id, limit=100)

    async def compare(self, client, state):
        self.same.count += await compare(self.blocked, Eye(self.user, state), client)

    def check_asked(self, asked):
        """A channel of which all rows are kept is asked only after an event that does not say everything."""
        for command, id in asked:
            if command == "channel.get" and not any(needs_asking(event, id) for event in self.events):
                raise Difference(f"asks for the channel {id}, although the events say everything")


def needs_asking(event, channel):
    """Whether docs/keeping-a-copy.md says, for some case, to ask for the channel after this event."""
    name, body = event["event"], event["body"]
    if name in ("user.blocked", "user.unblocked", "user.profileChanged"):
        return True
    if name in ("channel.hidden", "channel.ended", "channel.cleared"):
        return any(place["channel"] == channel for place in body["channels"])
    if name == "channel.joined":
        return body["channel"] == channel
    return event.get("channel") == channel and (
        name in ("channel.purged", "readMark.moved", "row.removed") or body.get("isSilent", False))


def blocked_in(transcript):
    """Who blocked whom, before the events or with them."""
    for entry in transcript["clients"]:
        others = [one["user"] for one in entry["before"]["blocked"]["users"]]
        others += [event["body"]["user"] for event in entry["events"] if event["event"] == "user.blocked"]
        for other in others:
            yield entry["user"]["userID"], other["userID"]


async def play(transcript):
    """Plays a transcript for each of its users; returns how many values were compared."""
    comparisons, blocked = 0, set(blocked_in(transcript))
    for entry in transcript["clients"]:
        one = Play(entry, blocked)
        try:
            await one.run()
        except Exception as fault:
            what = fault if isinstance(fault, Difference) else "".join(traceback.format_exception(fault))
            raise Difference(f"{one.user}, {one.where}: {what}") from None
        comparisons += one.same.count
    return comparisons


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="the transcripts to play, such as recalls (default: all)")
    options = parser.parse_args()
    read = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    transcripts = {transcript["name"]: transcript for transcript in read}
    if unknown := [name for name in options.names if name not in transcripts]:
        parser.error(f"there is no transcript {'; '.join(unknown)}. There are: {'; '.join(transcripts)}")
    if not transcripts:
        parser.error(f"there are no transcripts in {FOLDER}")
    failures = 0
    for name in options.names or transcripts:
        try:
            print(f"ok - {name}: {asyncio.run(play(transcripts[name]))} comparisons", flush=True)
        except Difference as difference:
            print(f"FAIL - {name}: {difference}", flush=True)
            failures += 1
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
