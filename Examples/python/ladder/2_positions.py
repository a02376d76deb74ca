"""Adds positions to 1_first.py: no row is missed and none comes twice, even if the connection is lost.

    python3 2_positions.py ann lobby [ws://127.0.0.1:7878]

- Every row goes through one rule (`take`): known, the next one, or beyond a gap.
- After a gap and after a lost connection, `resume` brings what is missing (`catch_up`).
- It follows the user's own log, which says when channels come, go and are cleared (`apply`).

Not yet: a line that is typed just when the connection breaks may be lost; it is printed with "perhaps not sent".
"""

import asyncio, json, random, secrets, sys, time, websockets

OWN = ""                                                    # the user's own log, beside the ids of channels


class Client:
    def __init__(self, me, channel, url="ws://127.0.0.1:7878"):
        self.me, self.channel, self.url = me, channel, url
        self.waiting, self.position = {}, {}                # positions outlive a connection
        self.epoch, self.socket, self.is_behind, self.is_live = None, None, False, asyncio.Event()

    async def ask(self, command, body, id=None):
        id = id or secrets.token_hex(4)
        answer = self.waiting[id] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"id": id, "cmd": command, "body": body}))
        frame = await answer
        if "error" in frame:
            raise RuntimeError(frame["error"]["message"])
        return frame["result"]

    def take(self, event):
        """The rule for every row: take the next one, drop what is known, and after a gap ask for what is missing."""
        log = OWN if "userSeq" in event else event.get("channel")
        number = event.get("userSeq") or event.get("seq")
        if number and number == self.position.get(log, -1) + 1:
            self.position[log] = number
            self.apply(event)
        elif number and number > self.position.get(log, -1):
            self.is_behind = True

    def skip(self, log, number):
        self.position[log] = max(self.position.get(log, 0), number)

    def apply(self, event):
        """What a row means. Here it prints messages; the rest is for the positions."""
        body = event["body"]
        if event["event"] == "message.sent" and "recall" not in body:
            print(event["channel"], event["seq"], body["senderName"] + ":", body["text"], flush=True)
        elif event["event"] == "channel.joined":
            self.position.setdefault(body["channel"], body["fromSeq"])
        elif event["event"] in ("channel.left", "channel.dismissed"):
            self.position.pop(body["channel"], None)
        elif event["event"] in ("channel.ended", "channel.cleared"):
            for place in body["channels"]:
                self.skip(place["channel"], place["seq"])

    async def catch_up(self):
        """`resume`, page by page, until nothing is missing."""
        self.is_behind = True
        while self.is_behind:
            self.is_behind = False
            named = {log: seq for log, seq in self.position.items() if log != OWN}
            body = {"channels": [{"channel": log, "seq": seq} for log, seq in named.items()]}
            if OWN in self.position:
                body |= {"epoch": self.epoch, "userSeq": self.position[OWN]}
            self.take_page(await self.ask("resume", body), named)

    def take_page(self, page, named):
        for event in page["events"]:
            if event.get("channel") in self.position:       # a page has no gaps: what it leaves out does not exist
                self.skip(event["channel"], event["seq"] - 1)
            self.take(event)
        if page["hasMore"] or self.position.get(OWN, 0) > page["userSeq"]:
            self.is_behind = True                           # the next page; or live rows are newer than this page
            return
        for reset in page["resets"]:                        # a log that cannot be continued, or is gone
            self.position.pop(reset.get("channel", OWN), None)
            if reset["reason"] != "gone":
                self.skip(reset.get("channel", OWN), reset["seq"])
        self.skip(OWN, page["userSeq"])
        for head in page["channels"]:                       # the newest row of every channel
            if head["channel"] in named or head["channel"] not in self.position:
                self.skip(head["channel"], head["seq"])
            self.is_behind |= self.position[head["channel"]] < head["seq"]

    async def receive(self):
        try:
            async for text in self.socket:
                frame = json.loads(text)
                if "event" in frame:
                    self.take(frame)
                    if self.is_behind and self.is_live.is_set():
                        self.is_live.clear()
                        asyncio.create_task(self.close_gap())
                elif frame.get("id") in self.waiting:
                    self.waiting.pop(frame["id"]).set_result(frame)
        finally:
            self.is_live.clear()
            for answer in self.waiting.values():
                answer.cancelled() or answer.set_exception(ConnectionError("the connection was lost"))
            self.waiting.clear()

    async def close_gap(self):
        try:
            await self.catch_up()
            self.is_live.set()
        except (OSError, websockets.WebSocketException):
            pass                                            # the next connection begins with catching up

    async def connected(self):
        """What to do on each connection before it is live."""
        guest = {"userID": self.me}
        welcome = await self.ask("hello", {"version": 1, "guest": guest, "deviceID": "python-" + self.me})
        if self.epoch != welcome["epoch"]:                  # the first one, or the database was restored from a backup
            self.position.clear()
        self.epoch = welcome["epoch"]
        await self.catch_up()
        if self.channel not in self.position:
            self.skip(self.channel, (await self.ask("channel.join", {"channel": self.channel}))["seq"])

    async def stay_connected(self):
        failures = 0
        while True:
            try:
                async with websockets.connect(self.url + "/v1/connect", max_size=4 << 20) as self.socket:
                    receiving = asyncio.create_task(self.receive())
                    await self.connected()
                    failures = 0
                    self.is_live.set()
                    print("live", flush=True)
                    await receiving
            except (OSError, websockets.WebSocketException):
                failures += 1
            await asyncio.sleep(random.uniform(0, min(30, 0.5 * 2**failures)))

    async def typed(self, line):
        try:
            trans_id = "%012x%016x" % (time.time_ns() // 1_000_000, secrets.randbits(64))
            await self.ask("message.send", {"channel": self.channel, "text": line}, trans_id)
        except (OSError, websockets.WebSocketException):
            print("perhaps not sent:", line, flush=True)

    async def run(self):
        staying = asyncio.create_task(self.stay_connected())
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            await self.is_live.wait()
            await self.typed(line)
        staying.cancel()


if __name__ == "__main__":
    asyncio.run(Client(*sys.argv[1:]).run())
