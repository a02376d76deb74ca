"""Adds sends that survive to 3_list.py: what was typed is sent once and in order, whatever is killed in between.

    python3 4_sends.py ann lobby [ws://127.0.0.1:7878 [ann.outbox]]

- A line is written to a file, the outbox, together with its transID, before it is sent. It leaves the file when there is
  an answer. So a client that is killed sends it again, under the same transID, and it happens once.
- A send that follows one without an answer names that one in `after`. So the order stays even if one of them is lost.

`sent N` and `refused N` tell how a line ended. At the end of the input it waits until the outbox is empty.
"""

import asyncio, importlib, json, os, secrets, sys, time

lists = importlib.import_module("3_list")


class Client(lists.Client):
    def __init__(self, me, channel, url="ws://127.0.0.1:7878", path=None):
        super().__init__(me, channel, url)
        self.path = path or me + ".outbox"
        self.outbox = []                                    # what has no answer yet, in order
        if os.path.exists(self.path):
            with open(self.path) as file:
                self.outbox = [json.loads(line) for line in file]
        self.changed, self.is_ending = asyncio.Event(), False

    def save(self):
        """Replaces the file by a whole new one: it is never half written."""
        with open(self.path + ".new", "w") as file:
            file.writelines(json.dumps(send) + "\n" for send in self.outbox)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)
        self.changed.set()

    async def typed(self, line):
        if line.startswith("/read "):
            return await super().typed(line)
        trans_id = "%012x%016x" % (time.time_ns() // 1_000_000, secrets.randbits(64))
        self.outbox.append({"id": trans_id, "body": {"channel": self.channel, "text": line}})
        self.save()

    async def send_all(self):
        """Sends what is in the outbox until the input has ended and it is empty."""
        while self.outbox or not self.is_ending:
            self.changed.clear()
            if not self.outbox:
                await self.changed.wait()
                continue
            await self.is_live.wait()
            sends, before = list(self.outbox), {}           # the send before it in the same channel
            for send in sends:
                send["after"] = before.get(send["body"]["channel"])
                before[send["body"]["channel"]] = send["id"]
            # All at once: the answers come while the next ones are on their way.
            ends = await asyncio.gather(*(self.send(send) for send in sends))
            done = {send["id"] for send, end in zip(sends, ends) if end == 0}
            self.outbox = [send for send in self.outbox if send["id"] not in done]
            self.save()
            await asyncio.sleep(max(ends))

    async def send(self, send):
        """Returns how long to wait before sending it again, in seconds; 0 if it has an answer for good."""
        answer = self.waiting[send["id"]] = asyncio.get_running_loop().create_future()
        body = send["body"] | ({"after": send["after"]} if send["after"] else {})
        try:
            await self.socket.send(json.dumps({"id": send["id"], "cmd": "message.send", "body": body}))
            frame = await answer
        except (OSError, lists.first.websockets.WebSocketException):
            return 0.01                                     # after the next connect
        if "result" in frame:
            print("sent", send["body"]["text"], flush=True)
            return 0
        error = frame["error"]
        if error["code"] == 7004 or error["retryable"]:     # 7004: the one before was lost, or has to wait itself
            return error.get("retryAfterMs", 10 if error["code"] == 7004 else 1000) / 1000
        print("refused", send["body"]["text"], error["message"], flush=True)
        return 0

    async def run(self):
        staying, sending = asyncio.create_task(self.stay_connected()), asyncio.create_task(self.send_all())
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            await self.typed(line)
        self.is_ending = True
        self.changed.set()
        await sending
        staying.cancel()


if __name__ == "__main__":
    asyncio.run(Client(*sys.argv[1:]).run())
