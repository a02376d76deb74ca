"""A client of Roost in Python, written only from Protocol/catalogue.md; it needs only `websockets`.

It keeps every log in its order and without holes, closes gaps, comes back by itself after a lost connection, and sends
again, under the same id, what was not answered. What it takes it gives to hooks (`took` and the methods after it), which
do nothing here; roost_store.py keeps a copy with them.
"""

import asyncio
import contextlib
import json
import random
import secrets
import time

import websockets


class Refused(Exception):
    """The server refused a command: `code` is the reason, `field` names an invalid field (6)."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error['name']}: {error['message']}")
        self.code, self.field = error["code"], error.get("field")
        self.retry_after = error.get("retryAfterMs", 1000) / 1000 if error["retryable"] else None


class Log:
    """The rows of one log, and rows that arrived out of order."""

    def __init__(self, position=None):
        self.position, self.rows, self.held = position, [], {}

    def take(self, number, event):
        """Accepts a row by the rule of the protocol; returns the rows that are in order now."""
        if self.position is None or number > self.position + 1:
            self.held[number] = event
            return []
        if number == self.position + 1:
            self.held[number] = event
        return self.advance()

    def advance(self, to=0):
        """Moves the position up to `to`, if nothing before it is missing; returns the rows that are in order now."""
        self.position = max(self.position or 0, to)
        self.held = {number: event for number, event in self.held.items() if number > self.position}
        taken = []
        while event := self.held.pop(self.position + 1, None):
            self.position += 1
            taken.append(event)
        self.rows += taken
        return taken


class Client:
    """One device of one user."""

    def __init__(self, url, user, device, token=None):
        self.url, self.user, self.device, self.token = url, user, device, token
        self.own, self.channels = Log(), {}
        self.epoch, self.socket = None, None
        self.waiting, self.ephemeral, self.changed = {}, [], asyncio.Condition()
        self.running, self.is_live, self.counter = None, asyncio.Event(), 0
        self.pause = 0.5  # Seconds, doubled with each attempt that fails.

    async def start(self):
        """Connects, and stays connected until `stop`."""
        self.running = asyncio.create_task(self.run())
        await asyncio.wait([self.running, asyncio.create_task(self.is_live.wait())], return_when="FIRST_COMPLETED")
        if self.running.done():
            self.running.result()

    async def stop(self):
        self.running.cancel()

    def drop(self):
        """Drops the connection without notice, as a network failure does."""
        self.is_live.clear()
        self.socket.transport.abort()

    async def run(self):
        failures = 0
        while True:
            try:
                async with websockets.connect(self.url + "/v1/connect", max_size=4 << 20) as self.socket:
                    receiving = asyncio.create_task(self.receive())
                    try:
                        await self.log_in()
                        failures = 0
                        await receiving
                    finally:
                        receiving.cancel()
            except (OSError, websockets.WebSocketException):
                if self.socket and self.socket.close_code in (1002, 1008, 4401, 4403):
                    raise
            self.is_live.clear()
            failures += 1
            await asyncio.sleep(random.uniform(0, min(30, self.pause * 2**failures)))

    async def log_in(self):
        who = {"token": self.token} if self.token else {"guest": {"userID": self.user, "name": self.user.title()}}
        epoch = (await self.request("hello", {"version": 1, "deviceID": self.device, **who}))["epoch"]
        if self.epoch != epoch:
            if self.epoch is not None:
                self.own, self.channels = Log(), {}
            self.began(epoch)
        self.epoch = epoch
        await self.catch_up()
        self.is_live.set()
        async with self.changed:
            self.changed.notify_all()

    async def receive(self):
        try:
            async for text in self.socket:
                frame = json.loads(text)
                if "event" in frame:
                    self.hear(frame)
                    async with self.changed:
                        self.changed.notify_all()
                elif (answer := self.waiting.pop(frame.get("id"), None)) and not answer.done():
                    answer.set_result(frame)
        finally:  # Those who wait ask again, in their order.
            for answer in self.waiting.values():
                if not answer.done():
                    answer.set_exception(ConnectionError("the connection was lost"))
            self.waiting.clear()

    async def request(self, command, body, id=None):
        self.counter += 1
        id = id or f"r{self.counter}"
        answer = self.waiting[id] = asyncio.get_running_loop().create_future()
        try:
            await self.socket.send(json.dumps({"id": id, "cmd": command, "body": body}))
            frame = await answer
        except websockets.ConnectionClosed:
            raise ConnectionError("the connection was lost") from None
        finally:
            self.waiting.pop(id, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # So that nobody misses it if sending has failed, too.
        if "error" in frame:
            raise Refused(frame["error"])
        return frame["result"]

    # Hooks: what happens to the logs, in order. Each is called after the positions here have changed.

    def began(self, epoch):
        """The database is a new one, or the first: nothing that was kept is valid."""

    def took(self, row):
        """A row of a log is the next one; the position moves to it."""

    def heard(self, event):
        """An ephemeral event, of no log."""

    def was_reset(self, reset):
        """A log cannot be continued and starts at another position."""

    def completed(self, page, whole):
        """The last page of `resume`: the logs named in `whole` are complete up to the numbers in it."""

    async def ask(self, command, id=None, **body):
        """Executes a command; repeats it if the connection is lost or the server requests it."""
        while True:
            await self.is_live.wait()
            try:
                return await self.request(command, body, id)
            except ConnectionError:
                self.is_live.clear()
            except Refused as refused:
                if refused.retry_after is None:
                    raise
                await asyncio.sleep(refused.retry_after)

    async def do(self, command, id=None, **body):
        """Executes a command that writes, exactly once, however often it has to be sent."""
        return await self.ask(command, id or "%012x%016x" % (time.time_ns() // 1_000_000, secrets.randbits(64)), **body)

    async def catch_up(self, only=None):
        """`resume`, page by page, with the positions of all logs, or of those that have a gap."""
        is_last = False
        while not is_last:
            named = set(self.channels) if only is None else only & self.channels.keys()
            body = {"channels": [{"channel": id, "seq": self.channels[id].position} for id in named]}
            if self.own.position is not None:
                body |= {"epoch": self.epoch, "userSeq": self.own.position, "onlyNamed": only is not None}
            is_last = self.take_page(await self.request("resume", body), named)

    def take_page(self, page, named):
        """Applies a page of `resume`; returns whether all logs are complete."""
        for event in page["events"]:
            if log := self.channels.get(event.get("channel")):
                self.give(log.advance(event["seq"] - 1))  # A page has no gaps: what it leaves out does not exist for us.
            self.hear(event)
        if page["userSeq"] < (self.own.position or 0):
            return False  # Live rows are newer than the page, which may name channels that are gone: ask again.
        for reset in page["resets"]:
            if "channel" not in reset:
                self.own = Log(reset["seq"])
            elif reset["reason"] == "gone":
                self.channels.pop(reset["channel"], None)
            else:
                self.channels[reset["channel"]] = Log(reset["seq"])
            self.was_reset(reset)
        if page["hasMore"]:
            return False
        # A channel that this page told of has a position already, and was not named: its rows are still missing.
        new = {head["channel"] for head in page["channels"]} - self.channels.keys()
        self.completed(page, named | new)
        self.follow(self.own.advance(page["userSeq"]))
        for head in page["channels"]:
            if head["channel"] in named | new:
                self.give(self.channels.setdefault(head["channel"], Log()).advance(head["seq"]))
        return all(head["channel"] not in self.channels or self.channels[head["channel"]].position >= head["seq"]
                   for head in page["channels"])

    def hear(self, event):
        """Handles every event: live ones and those of `resume`."""
        if "userSeq" in event:
            if self.own.position is None:
                self.own.advance(event["userSeq"] - 1)
            self.follow(self.own.take(event["userSeq"], event))
        elif "seq" in event:
            if log := self.channels.get(event["channel"]):
                self.give(log.take(event["seq"], event))
        else:
            self.ephemeral.append(event)
            self.heard(event)
            if event["event"] == "positions":
                self.compare(event["body"])
        gaps = {id for id, log in self.channels.items() if log.held}
        if self.is_live.is_set() and (gaps or self.own.held):
            asyncio.create_task(self.close_gaps(gaps))

    def give(self, rows):
        for row in rows:
            self.took(row)

    def follow(self, rows):
        """Gives rows of the user's log, and applies what they change in other logs."""
        for row in rows:
            self.took(row)
            body = row["body"]
            if row["event"] == "channel.joined":
                self.channels.setdefault(body["channel"], Log(body["fromSeq"]))
            elif row["event"] in ("channel.left", "channel.dismissed"):
                self.channels.pop(body["channel"], None)
            elif row["event"] in ("channel.ended", "channel.cleared"):
                for place in body["channels"]:
                    if log := self.channels.get(place["channel"]):
                        self.give(log.advance(place["seq"]))

    def compare(self, heads):
        """Handles a heartbeat: it names the newest rows, so that a lost last event is detected."""
        behind = {place["channel"] for place in heads["channels"] if place["channel"] in self.channels
                  and self.channels[place["channel"]].position < place["seq"]}
        if behind or heads["userSeq"] > (self.own.position or 0):
            asyncio.create_task(self.close_gaps(behind))

    async def close_gaps(self, ids):
        with contextlib.suppress(ConnectionError):  # The next connection begins with `resume`.
            await self.catch_up(ids)

    async def pages(self, command, **body):
        """Returns all elements that a command lists, page by page."""
        page = await self.ask(command, **body)
        yield page
        while cursor := page.get("next"):
            page = await self.ask(command, **body, cursor=cursor)
            yield page

    async def until(self, condition):
        """Waits until a condition holds; checks after every event."""
        async with self.changed:
            await asyncio.wait_for(self.changed.wait_for(condition), 60)
