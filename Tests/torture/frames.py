#!/usr/bin/env python3
"""Violates RFC 6455 and Roost's protocol against a real server, over real sockets.

First a table: each kind of bad frame must be answered with the right close code. Then
mutated frames, 20,000 by default (--frames N), 1,000,000 with ROOST_LONG=1: the server must
continue, close with a code of the protocol or answer with an error, its memory must not grow
without limit, and a healthy client must get all of its answers. The seed is ROOST_SEED or
--seed N. Needs only ROOST, the server's binary. The answers of the server are recorded for
dev/schema in the file that ROOST_FRAMES names.
"""
import argparse, base64, json, os, random, select, signal, socket, struct, subprocess, sys, tempfile, time

# A close without a code, 0, follows a half-close with no close frame before it.
KNOWN_CODES = {0, 1000, 1002, 1003, 1007, 1008, 1009, 1012, 4008, 4401, 4403, 4429}
failures = 0
# Masks and keys, which determine how a broken frame is read.
masks = random.Random()
recording = open(os.environ["ROOST_FRAMES"], "w", encoding="utf-8") if "ROOST_FRAMES" in os.environ else None


def check(name, condition, detail=""):
    global failures
    if condition:
        print(f"ok - {name}")
    else:
        failures += 1
        print(f"FAIL - {name} {detail}")
    sys.stdout.flush()


def frame(payload, opcode=1, fin=True, mask=True, rsv=0, length=None, form=None):
    """A frame; `form` is 126 or 127 for a length in 16 or 64 bits although fewer suffice."""
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    size = len(payload) if length is None else length
    bit = 0x80 if mask else 0
    if form is None and size < 126:
        head += bytes([bit | size])
    elif form != 127 and size < 65536:
        head += bytes([bit | 126]) + struct.pack("!H", size)
    else:
        head += bytes([bit | 127]) + struct.pack("!Q", size)
    if not mask:
        return head + payload
    key = masks.randbytes(4)
    return head + key + bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))


class Connection:
    """A WebSocket client that does not enforce the protocol."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=15)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(masks.randbytes(16)).decode()
        self.socket.sendall(
            f"GET /v1/connect HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buffer = b""
        self.is_silent = False
        while b"\r\n\r\n" not in self.buffer:
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError("closed during the upgrade")
            self.buffer += data
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0] + b" ":
            raise ConnectionError(head.decode(errors="replace"))

    def send(self, data):
        self.socket.sendall(data)

    def command(self, id, cmd, body):
        self.send(frame(json.dumps({"id": id, "cmd": cmd, "body": body}).encode()))

    def hello(self, user):
        self.command("h", "hello", {"version": 1, "guest": {"userID": user}, "deviceID": "torture"})
        return self.answer("h")

    def read(self, timeout=15):
        """One frame as (opcode, payload), or None if the connection is closed or silent; `is_silent` is true if silent."""
        end = time.monotonic() + timeout
        while True:
            if len(self.buffer) >= 2:
                size, at = self.buffer[1] & 0x7F, 2
                if size == 126 and len(self.buffer) >= 4:
                    size, at = struct.unpack("!H", self.buffer[2:4])[0], 4
                elif size == 127 and len(self.buffer) >= 10:
                    size, at = struct.unpack("!Q", self.buffer[2:10])[0], 10
                elif size >= 126:
                    at = 1 << 62
                if len(self.buffer) >= at + size:
                    found = self.buffer[0] & 0x0F, self.buffer[at:at + size]
                    self.buffer = self.buffer[at + size:]
                    if recording and found[0] == 1:
                        recording.write(f'{{"connection":"{id(self)}","from":"server","frame":{found[1].decode()}}}\n')
                    return found
            left = end - time.monotonic()
            if left <= 0:
                self.is_silent = True
                return None
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                self.is_silent = True
                return None
            except OSError:
                return None
            if not data:
                return None
            self.buffer += data

    def answer(self, id, timeout=15):
        while True:
            found = self.read(timeout)
            if found is None or found[0] == 8:
                return None
            if found[0] == 1:
                answer = json.loads(found[1])
                if answer.get("id") == id:
                    return answer

    def close_code(self, timeout=15):
        """The close code that the server sends; 0 for a close without one, None if the connection ends without."""
        while True:
            found = self.read(timeout)
            if found is None:
                return None
            if found[0] == 8:
                return struct.unpack("!H", found[1][:2])[0] if len(found[1]) >= 2 else 0

    def close(self):
        self.socket.close()


def table(port):
    text = b'{"id":"1","cmd":"unread.get","body":{}}'
    big = json.dumps({"id": "1", "cmd": "message.send", "body": {"channel": "lobby", "text": "x" * 70000}}).encode()
    rows = [
        ("an unmasked frame", [frame(text, mask=False)], {1002}),
        ("reserved bit 1", [frame(text, rsv=4)], {1002}),
        ("reserved bit 2", [frame(text, rsv=2)], {1002}),
        ("reserved bit 3", [frame(text, rsv=1)], {1002}),
        ("a ping with a reserved bit", [frame(b"", opcode=9, rsv=4)], {1002}),
        ("a continuation out of the blue", [frame(text, opcode=0)], {1002}),
        ("a new message inside a fragmented one", [frame(b"x" * 300, fin=False), frame(text)], {1002}),
        ("a fragmented ping", [frame(b"", opcode=9, fin=False)], {1002}),
        ("a fragmented close", [frame(b"\x03\xe8", opcode=8, fin=False)], {1002}),
        ("a ping of 126 bytes", [frame(b"x" * 126, opcode=9)], {1002}),
        ("a close of 126 bytes", [frame(b"\x03\xe8" + b"x" * 124, opcode=8)], {1002}),
        ("a close body of one byte", [frame(b"\x03", opcode=8)], {1002}),
        ("a close reason that is not UTF-8", [frame(b"\x03\xe8\xff\xfe", opcode=8)], {1002, 1007}),
        ("a binary frame", [frame(b"\x00\x01", opcode=2)], {1003}),
        ("text that is not UTF-8", [frame(b'{"id":"\xff\xfe"}')], {1007}),
        ("an overlong UTF-8 form", [frame(b"\xc0\xaf")], {1007}),
        ("a UTF-8 surrogate", [frame(b"\xed\xa0\x80")], {1007}),
        ("UTF-8 above U+10FFFF", [frame(b"\xf4\x90\x80\x80")], {1007}),
        ("a truncated UTF-8 sequence", [frame(b"\xe2\x82")], {1007}),
        ("UTF-8 broken across fragments", [frame(b"\xe2" + b"a" * 300, fin=False), frame(b"\x82", opcode=0)], {1007}),
        ("a frame of more than 64 KiB", [frame(big)], {1009}),
        ("a length of 2^63 - 1", [frame(b"", length=0x7FFFFFFFFFFFFFFF)], {1009}),
        ("a length of 2^63", [frame(b"", length=1 << 63)], {1002}),
        ("a length of 2^64 - 1", [frame(b"", length=0xFFFFFFFFFFFFFFFF)], {1002}),
        ("a small length in 16 bits", [frame(text, form=126)], {1002}),
        ("a small length in 64 bits", [frame(text, form=127)], {1002}),
        ("a length of 300 in 64 bits", [frame(b"x" * 300, form=127)], {1002}),
        ("a length of 1 GiB and nothing more", [frame(b"", length=1 << 30)], {1009}),
        ("fragments beyond 64 KiB together",
         [frame(b"x" * 30000, fin=False)] + [frame(b"x" * 30000, opcode=0, fin=False)] * 2, {1009}),
        ("17 fragments", [frame(b"x", fin=False)] + [frame(b"x", opcode=0, fin=False)] * 17, {1008, 1002}),
        ("20 pings at once", [frame(b"", opcode=9)] * 20, {1008}),
        ("three unreadable frames in a row", [frame(b"{"), frame(b"[]"), frame(b"nonsense")], {1008}),
    ]
    rows += [(f"opcode {code}", [frame(text, opcode=code)], {1002}) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)]
    rows += [(f"close code {code}", [frame(struct.pack("!H", code), opcode=8)], {1002})
             for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 65535)]
    rows += [(f"close code {code} is answered in kind", [frame(struct.pack("!H", code), opcode=8)], {code})
             for code in (1000, 1001, 1011, 3000, 4999)]
    for name, frames, codes in rows:
        connection = Connection(port)
        welcome = connection.hello("tina")
        try:
            connection.send(b"".join(frames))
        except OSError:
            pass
        code = connection.close_code()
        check(f"{name} is closed with {'/'.join(map(str, sorted(codes)))}",
              welcome and "result" in welcome and code in codes, f"got {code}")
        connection.close()

    before = [
        ("a command before hello", frame(text), {4401}),
        ("a frame of more than 8 KiB before welcome", frame(b"x" * 9000), {1009}),
        ("a wrong token", frame(json.dumps({"id": "h", "cmd": "hello", "body": {
            "version": 1, "token": "a.b.c", "deviceID": "d"}}).encode()), {4401}),
        ("hello without anybody", frame(json.dumps({"id": "h", "cmd": "hello", "body": {
            "version": 1, "deviceID": "d"}}).encode()), {4401}),
    ]
    for name, data, codes in before:
        connection = Connection(port)
        connection.send(data)
        code = connection.close_code()
        check(f"{name} is closed with {'/'.join(map(str, sorted(codes)))}", code in codes, f"got {code}")
        connection.close()

    connection = Connection(port)
    connection.hello("tina")
    connection.send(frame(text[:10], fin=False) + frame(b"hi", opcode=9) + frame(text[10:], opcode=0))
    pong = connection.read()
    check("a ping between fragments is answered and the message arrives",
          pong == (10, b"hi") and "result" in (connection.answer("1") or {}), f"got {pong}")
    for byte in frame(b'{"id":"2","cmd":"unread.get","body":{}}'):
        connection.send(bytes([byte]))
    check("a frame in single bytes arrives", "result" in (connection.answer("2") or {}))
    deep = b'{"id":"3","cmd":"unread.get","body":' + b"[" * 20000 + b"]" * 20000 + b"}"
    connection.send(frame(deep))
    wide = json.dumps({"id": "4", "cmd": "unread.get", "body": {f"k{i}": 1 for i in range(3000)}}).encode()
    connection.send(frame(wide))
    for id, name in (("3", "20,000 levels"), ("4", "3,000 keys")):
        error = (connection.answer(id) or {}).get("error", {})
        check(f"JSON of {name} is an error with its id, not an end", error.get("code") == 6, f"got {error}")
    for value, code in ((b'"cut \\ud83d"', 1001), (b'"x","text":"y"', 6)):
        for _ in range(4):
            connection.send(frame(b'{"id":"6","cmd":"message.send","body":{"channel":"lobby","text":' + value + b"}}"))
        errors = [(connection.answer("6") or {}).get("error", {}).get("code") for _ in range(4)]
        check(f"the text {value.decode()} is error {code} however often it comes", errors == [code] * 4, f"got {errors}")
    connection.send(frame(b'{"id":"5","cmd":"unread.get","body":{}}'))
    check("the connection goes on after it", "result" in (connection.answer("5") or {}))
    connection.close()


def headers(port):
    def raw(data, timeout=15):
        """The server's answer to this, and whether it ends the connection."""
        with socket.create_connection(("127.0.0.1", port), timeout=timeout) as sock:
            got = b""
            try:
                sock.sendall(data)
                while len(got) < 4096:
                    more = sock.recv(4096)
                    if not more:
                        return got, True
                    got += more
            except TimeoutError:
                return got, False
            except OSError:
                return got, True
            return got, False

    head = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: "
    # One byte too many: all of it is read, so that no reset discards the answer.
    answer, has_ended = raw(head.ljust(16 * 1024 + 1, b"a"))
    check("a head of 16 KiB and a byte is refused with 431", b" 431 " in answer[:40] and has_ended, answer[:80])
    answer, has_ended = raw(head + b"a" * 40000 + b"\r\n\r\n")
    check("a header block of 40 KB ends the connection, unanswered or refused",
          has_ended and (answer == b"" or b" 431 " in answer[:40] or b" 400 " in answer[:40]), answer[:80])
    origin = (b"GET /v1/connect HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\nOrigin: %s\r\n\r\n")
    answer, _ = raw(origin % (port, b"https://evil.example"))
    check("a foreign Origin is refused with 403", b" 403 " in answer[:40], answer[:80])
    with socket.create_connection(("127.0.0.1", port), timeout=15) as sock:
        is_cut = False
        end = time.monotonic() + 60
        try:
            sock.sendall(b"GET /healthz HTTP/1.1\r\n")
            while not is_cut and time.monotonic() < end:
                readable, _, _ = select.select([sock], [], [], 0.5)
                if readable:
                    is_cut = not sock.recv(4096)
                else:
                    sock.sendall(b"X")
        except OSError:
            is_cut = True
        check("a drip of headers is cut", is_cut)


def rss(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def mutate(rng, seeds):
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        kind = rng.randrange(6)
        at = rng.randrange(len(data)) if data else 0
        if kind == 0 and data:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and data:
            data[at] = rng.randrange(256)
        elif kind == 2:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 9)))
        elif kind == 3 and data:
            del data[at:at + rng.randrange(1, 9)]
        elif kind == 4:
            other = rng.choice(seeds)
            data[at:] = other[rng.randrange(len(other)):]
        elif kind == 5 and data:
            data[at:at] = data[at:at + 16] * rng.randrange(1, 5)
    return bytes(data)


def mutations(port, server, count, seed):
    rng = random.Random(seed)
    # The memory for connections, channels and names is allocated in the first run; the second is compared with it.
    first = rush(port, server, count // 2, rng, seed)
    second = rush(port, server, count - count // 2, rng, seed)
    check("the same again takes no more than half as much memory on top",
          first is not None and second is not None and second <= first * 1.5,
          f"{first} -> {second} kB, seed {seed}")


def rush(port, server, count, rng, seed):
    """Mutated frames, and a healthy client; returns the server's resident kB afterwards, None if it has exited."""

    def command(cmd, body, id="m1"):
        return json.dumps({"id": id, "cmd": cmd, "body": body}).encode()

    texts = [
        command("message.send", {"channel": "lobby", "text": "hello \u00e9\U0001F600"}),
        command("message.send", {"channel": "lobby", "text": "@tom", "mentions": [{"userID": "tom", "start": 0, "length": 4}], "after": "m0"}),
        command("message.list", {"channel": "lobby", "before": 12, "limit": 5}),
        command("resume", {"epoch": "x", "userSeq": 1, "channels": [{"channel": "lobby", "seq": 1}]}),
        command("session.renew", {"token": "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"}),
        command("channel.create", {"kind": "group", "members": ["tom"], "title": "T"}),
        command("readMark.set", {"channel": "tina:tom", "seq": 4}),
        command("channel.list", {"limit": 3}), command("channel.listOpen", {"keyword": "a%_"}),
        command("typing.start", {"channel": "lobby"}), command("member.invite", {"channel": "club", "members": ["tom"]}),
        command("user.get", {"userIDs": ["tom", "tina"]}), command("channel.hide", {}), command("channel.end", {"channel": "tina:tom"}),
    ]
    healthy = Connection(port)
    healthy.hello("tom")
    slowest = 0.0
    healthy_lost = 0
    hung = 0
    codes = {}
    sent = 0
    start_rss = rss(server.pid)
    start = time.monotonic()
    while sent < count:
        attacker = Connection(port)
        if attacker.hello("tina") is None:
            check("the attacker can still say hello", False, f"seed {seed}")
            return None
        burst = []
        for _ in range(25):
            if rng.random() < 0.6:
                burst.append(frame(mutate(rng, texts)))
            else:
                burst.append(mutate(rng, [frame(text) for text in texts[:4]]))
            sent += 1
        try:
            attacker.send(b"".join(burst) + frame(struct.pack("!H", 1000), opcode=8))
            attacker.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        code = attacker.close_code()
        codes[code] = codes.get(code, 0) + 1
        hung += attacker.is_silent
        attacker.close()
        before = time.monotonic()
        healthy.command("x", "unread.get", {})
        if healthy.answer("x") is None:
            healthy_lost += 1
            healthy = Connection(port)
            healthy.hello("tom")
        slowest = max(slowest, time.monotonic() - before)
    seconds = time.monotonic() - start
    strange = {code: times for code, times in codes.items() if code is not None and code not in KNOWN_CODES}
    # A process that has ended and has not been waited for still has its folder in /proc.
    is_alive = server.poll() is None
    check(f"{sent} mutated frames are survived", is_alive and not strange, f"codes {strange}, seed {seed}")
    check("each connection that brought them is ended", hung == 0, f"{hung} were left open, seed {seed}")
    check("the healthy client beside them lost nothing", healthy_lost == 0, f"{healthy_lost} times, seed {seed}")
    if not is_alive:
        return None
    end_rss = rss(server.pid)
    print(f"# {sent} frames in {seconds:.1f} s, close codes {codes}, slowest healthy answer {slowest * 1000:.0f} ms, "
          f"RSS {start_rss // 1024} -> {end_rss // 1024} MiB, seed {seed}")
    return end_rss


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1_000_000 if os.environ.get("ROOST_LONG") == "1" else 20_000)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ROOST_SEED", 20260101)))
    options = parser.parse_args()
    masks.seed(options.seed)
    binary = os.environ.get("ROOST")
    if not binary:
        sys.exit("Set ROOST to the server's binary, for example .build/debug/roost")
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [binary, "serve", "--dev", "--port", "0", "--data", data, "--log-level", "critical"],
            stdout=subprocess.PIPE, text=True)
        try:
            line = server.stdout.readline()
            port = int(line.strip().rsplit(":", 1)[1])
            table(port)
            headers(port)
            mutations(port, server, options.frames, options.seed)
            check("the server is still alive", server.poll() is None, f"exit {server.returncode}")
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(timeout=40)
            except subprocess.TimeoutExpired:
                pass
            check("and stops cleanly", server.returncode == 0, f"exit {server.returncode}")
        finally:
            server.kill()
    sys.exit(1 if failures else 0)


main()
