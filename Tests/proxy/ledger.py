"""Clients that note what they send and receive, and what has to be true of that in the end."""
import asyncio, json, re, time, urllib.error, urllib.request

import websockets

LIMIT = 30


def address(port):
    """Where a server is: a port of this machine, or an address with a port."""
    return f"127.0.0.1:{port}" if isinstance(port, int) else port


def request(port, method, path, token, body=None, **headers):
    """The status, the headers and the body of an answer."""
    names = {"Authorization": f"Bearer {token}", "Roost-Device": "http"}
    names |= {name.replace("_", "-"): value for name, value in headers.items()}
    asked = urllib.request.Request(f"http://{address(port)}{path}", data=body, method=method, headers=names)
    try:
        with urllib.request.urlopen(asked, timeout=LIMIT) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
    except OSError:
        return 0, {}, b""


def is_acknowledged(frame):
    return frame is not None and "err" not in frame and "error" not in frame


class Client:
    """A device that connects again whenever its connection ends."""

    def __init__(self, port, user, token):
        self.port, self.user, self.token, self.texts, self.answers = port, user, token, [], {}
        self.socket, self.isLive = None, asyncio.Event()
        # The numbers of the rows that each connection has got.
        self.received = []
        # When each row first arrived.
        self.arrived = {}

    async def run(self):
        while True:
            try:
                async with websockets.connect(f"ws://{address(self.port)}/v1/connect", open_timeout=5) as self.socket:
                    await self.socket.send(json.dumps({"id": "hello", "cmd": "hello", "body": {
                        "version": 1, "token": self.token, "deviceID": self.user}}))
                    self.received.append([])
                    while True:
                        frame = json.loads(await self.socket.recv())
                        if frame.get("id") == "hello":
                            self.isLive.set()
                        elif "id" in frame and frame["id"] in self.answers:
                            # The answer to an earlier attempt may have come just before.
                            answer = self.answers[frame["id"]]
                            if not answer.done():
                                answer.set_result(frame)
                        if frame.get("event") == "message.sent":
                            self.received[-1].append(frame["seq"])
                            self.arrived.setdefault(frame["seq"], time.monotonic())
                            self.texts += re.findall(r'"text": "(text \d+)"', json.dumps(frame))
            except (OSError, websockets.WebSocketException, asyncio.TimeoutError):
                pass
            self.isLive.clear()
            for answer in self.answers.values():
                if not answer.done():
                    answer.set_result(None)
            await asyncio.sleep(0.1)

    async def attempt(self, number):
        """Sends a message once, and returns the answer; None if none comes."""
        await self.isLive.wait()
        answer = self.answers[f"t{number}"] = asyncio.get_running_loop().create_future()
        try:
            await self.socket.send(json.dumps({"id": f"t{number}", "cmd": "message.send", "body": {
                "channel": "club", "text": f"text {number}"}}))
            return await asyncio.wait_for(answer, 10)
        except (OSError, websockets.WebSocketException, asyncio.TimeoutError):
            return None
        finally:
            self.answers.pop(f"t{number}", None)

    async def send(self, number):
        """Sends a message until it is acknowledged."""
        while not is_acknowledged(await self.attempt(number)):
            await asyncio.sleep(0.1)


async def make_group(port, tokens):
    """Makes the users of these tokens, and a group of them all."""
    for user, token in tokens.items():
        body = json.dumps({"profile": {"name": user}}).encode()
        while request(port, "POST", "/v1/user.setProfile", token, body, Content_Type="application/json",
                      Idempotency_Key="profile")[0] != 200:
            await asyncio.sleep(0.2)
    owner, *members = tokens
    status, _, answer = request(port, "POST", "/v1/channel.create", tokens[owner], json.dumps(
        {"kind": "group", "channel": "club", "members": [{"userID": user} for user in members]}).encode(),
        Content_Type="application/json", Idempotency_Key="make")
    if status != 200:
        raise SystemExit(f"the group could not be made: {answer!r}")


def read_log(port, token):
    """The numbers and texts of all messages, from the newest page to the oldest."""
    rows, before = {}, None
    while True:
        body = {"channel": "club", "limit": 100} | ({"before": before} if before else {})
        _, _, answer = request(port, "POST", "/v1/message.list", token, json.dumps(body).encode(),
                                     Content_Type="application/json")
        page = json.loads(answer)
        for event in page["events"]:
            if event.get("event") == "message.sent":
                rows[event["seq"]] = event["body"]["text"]
        if not page.get("hasBefore") or page["from"] == before:
            return rows
        before = page["from"]


def judge(writers, rows):
    """What is wrong; nothing if all is well."""
    texts = [rows[seq] for seq in sorted(rows)]
    if len(set(texts)) != len(texts):
        yield f"{len(texts) - len(set(texts))} messages are doubled"
    for writer in writers:
        own = [int(text.rsplit("-", 1)[1]) for text in texts if text.startswith(f"text {writer.user}-")]
        if set(own) != set(range(writer.sent)):
            yield f"{writer.user}: {len(set(range(writer.sent)) - set(own))} acknowledged messages are lost"
        if own != sorted(own):
            yield f"{writer.user}: messages are out of order"
    for writer in writers:
        for received in writer.client.received:
            if received != list(range(received[0], received[0] + len(received))) if received else False:
                yield f"{writer.user}: a connection received rows out of order or with a hole: {received[:40]}"
