"""Attacks by users whose uploads, downloads and requests are slow, many or large."""

import contextlib
import json
import os
import threading
import time

import kit
from kit import HTTP, attack, connect
from strangers import close_all, hold, open_of

ATTACKS = []


def start_get(server, path, source="198.18.1.1", token=None, receive_buffer=4096, fields=""):
    connection = connect(server.port, source, receive_buffer=receive_buffer)
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {kit.HOST}\r\n{authorization}{fields}\r\n".encode())
    return connection


def start_patch(server, path, token, size, first=b"", source="198.18.1.1"):
    connection = connect(server.port, source)
    connection.sendall(
        (
            f"PATCH {path} HTTP/1.1\r\nHost: {kit.HOST}\r\nAuthorization: Bearer {token}\r\nUpload-Offset: 0\r\n"
            f"Content-Type: application/offset+octet-stream\r\nContent-Length: {size}\r\n\r\n"
        ).encode()
        + first
    )
    return connection


@attack(
    ATTACKS,
    "H3",
    "300 downloads of 20 MB that are not read: by one link of 1, 20 and 200 addresses, and as ranges in a pipeline",
    "150 connections: +680 and +832 MB, held for 62 to 68 s; 1.7 to 5.7 MiB each",
)
def unread_downloads(trial):
    """Downloads that nobody reads take memory without a cap."""
    ways = {
        "one address": lambda server, link, n: start_get(server, link),
        "20 addresses": lambda server, link, n: start_get(server, link, f"198.18.2.{n % 20}"),
        "200 networks of IPv6": lambda server, link, n: start_get(server, link, f"2001:db8:{n % 200:x}::1"),
        "ranges in a pipeline": lambda server, link, n: pipeline(server, link, f"198.18.3.{n % 20}"),
    }
    grown, slowest = {}, 0
    for name, way in ways.items():
        # The memory of an earlier round would be used again.
        server = trial.server()
        ann = server.http("ann", timeout=60)
        link = ann.link(ann.upload(os.urandom(20_000_000)))
        pulse = trial.pulse(server)
        idle, before = pulse.during(2), server.memory()
        pulse.times.clear()
        connections = [way(server, link, n) for n in range(300)]
        time.sleep(3)
        slowest = max([slowest, *pulse.times["healthz"]])
        grown[name] = server.memory() - before
        trial.unharmed(f"downloads by {name}", idle, pulse.during(1.5))
        # 300 unbounded ones took 500 MB and more.
        trial.check(f"300 downloads by {name} take {grown[name]:.0f} MiB", grown[name] < 150)
        close_all(connections)
        good = HTTP(server, source="198.18.4.1").exchange("GET", link)
        trial.check("afterwards a download is not whole", len(good.body) == 20_000_000)
        server.kill()
    trial.figure(
        "300 connections: "
        + ", ".join(f"{name} {value:+.0f} MiB" for name, value in grown.items())
        + f"; meanwhile /healthz took up to {slowest:.0f} ms"
    )


def pipeline(server, link, source):
    connection = start_get(server, link, source, fields="Range: bytes=0-9999999\r\n")
    connection.sendall(f"GET {link} HTTP/1.1\r\nHost: {kit.HOST}\r\nRange: bytes=5-\r\n\r\n".encode() * 20)
    return connection


class Drip(threading.Thread):
    """Reads or writes a little again and again until the other side ends it; `count` is how many bytes."""

    def __init__(self, connection, step):
        super().__init__(daemon=True)
        self.connection, self.step, self.count, self.lasted = connection, step, 0, None
        self.began, self.pause = time.monotonic(), 0.25
        connection.settimeout(5)
        self.start()

    def run(self):
        try:
            while True:
                done = self.step(self.connection)
                if not done:
                    break
                self.count += done if isinstance(done, int) else len(done)
                time.sleep(self.pause)
        except (OSError, ValueError):
            pass
        self.lasted = time.monotonic() - self.began


@attack(
    ATTACKS,
    "M3",
    "SIGTERM while clients dribble: a download at 7 kB/s, an upload at 8 kB/s, 40 of each, unfinished heads and bodies,"
    " WebSockets that do not answer the close, downloads that wait for their turn",
    "still running after 45 s, twice; the successor refuses to start",
)
def stop(trial):
    """SIGTERM does not end the server while a client dribbles."""
    times = {}
    for name, count in [("one of each", 1), ("40 of each", 40)]:
        server = trial.server()
        ann = server.http("ann", timeout=60)
        file = ann.upload(os.urandom(8_000_000))
        drips = []
        for n in range(count):
            source = f"198.18.1.{n % 4}"
            drips.append(Drip(start_get(server, f"/v1/files/{file}", source, ann.token), lambda c: len(c.recv(1750))))
            path = ann.result("file.create", {"name": "a", "size": 8_000_000})["path"]
            drips.append(
                Drip(start_patch(server, path, ann.token, 8_000_000, source=source), lambda c: c.send(bytes(2000)))
            )
        for n, data in enumerate(
            [b"GET /v1/x HT", b"POST /v1/unread.get HTTP/1.1\r\nContent-Length: 9\r\n\r\n1", kit.UPGRADE] * count
        ):
            hold_open = hold(server, f"198.18.2.{n % 8}", data)
            trial.stack.callback(hold_open.close)
        sleepers = [server.socket(f"sleeper{n}", f"198.18.3.{n}") for n in range(count)]
        time.sleep(1)
        times[name] = server.stop(40)
        trial.check(f"40 s after SIGTERM the server still runs with {name}", times[name] is not None)
        trial.check(f"with {name} it takes {times[name]} s", times[name] is not None and times[name] <= 31)
        server.kill()
        close_all(sleeper.socket for sleeper in sleepers)
        server.start()
        trial.check("the successor does not serve", ann_reads(server, file))
    trial.figure("ended after " + ", ".join(f"{seconds:.1f} s ({name})" for name, seconds in times.items() if seconds))


def ann_reads(server, file):
    return HTTP(server, server.token("ann")).exchange("GET", f"/v1/files/{file}").status == 200


@attack(
    ATTACKS,
    "M5",
    "a ban, a deletion and a logout of all devices while two downloads of 48 MiB, by token and link, and an upload run "
    "at 1 MB/s",
    "after the ban 100 % of 24 MiB read, and an upload's last 4.9 MB stored",
)
def in_flight(trial):
    """A ban does not reach bytes in flight."""
    server = trial.server()
    boss = server.operator()
    size = 48 << 20
    for act, name, body in [
        ("ban", "user.setAccess", {"canChat": False}),
        ("deletion", "user.delete", {}),
        ("logout", "login.end", {}),
    ]:
        user = f"user-{act}"
        server.know(user)
        client = server.http(user, timeout=60, issued=int(time.time()) - 5)
        file = client.upload(os.urandom(size))
        path = client.result("file.create", {"name": "a", "size": size})["path"]
        reads = [
            start_get(server, f"/v1/files/{file}", token=client.token, receive_buffer=1 << 17),
            start_get(server, client.link(file), receive_buffer=1 << 17),
        ]
        drips = [Drip(c, lambda c: len(c.recv(250_000))) for c in reads]
        upload = Drip(start_patch(server, path, client.token, size), lambda c: c.send(bytes(250_000)))
        time.sleep(2)
        boss.result(name, {"userID": user, **body})
        time.sleep(3)
        # Now as fast as it can: what the server still sends is not held up by the reader.
        for drip in drips:
            drip.pause = 0
            drip.join(20)
        parts = [drip.count / size for drip in drips]
        for kind, part in zip(["token", "link"], parts):
            trial.check(f"after a {act} a download by {kind} brings {part:.0%}", part < 0.6)
        upload.join(10)
        trial.check(f"an upload goes on after a {act}: {upload.count / size:.0%}", upload.lasted is not None)
        close_all([*reads, upload.connection])
        answer = client.exchange(
            "PATCH", path, b"", {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
        )
        trial.check(f"after a {act} an upload is answered with {answer.status}", answer.status in (401, 403))
        trial.figure(
            f"{act}: {parts[0]:.0%} by token, {parts[1]:.0%} by link, {upload.count / size:.0%} of the upload sent"
        )


@attack(
    ATTACKS,
    "M9",
    "one user, 1,500 requests for 257 KB that are not read, from 10 addresses, in pipelines, of 12 users, "
    "and over 20 WebSockets",
    "1,208 of 1,500 held for 73 s, +171 MB, +454 MB in the kernel",
)
def unread_answers(trial):
    """Unread answers over HTTP."""
    server = trial.server(
        "--limit",
        "sendsPerSecond=1000",
        "--limit",
        "sendBurst=10000",
        "--limit",
        "channelSendsPerSecond=1000",
        "--limit",
        "channelSendBurst=10000",
    )
    ann = server.http("ann", timeout=30)
    server.know(*[f"u{n}" for n in range(12)])
    channel = ann.result("channel.create", {"kind": "group", "members": [f"u{n}" for n in range(12)]})
    channel = channel.get("channel", channel)
    channel = channel if isinstance(channel, str) else channel["channel"]
    for n in range(100):
        ann.result("message.send", {"channel": channel, "text": "x" * 4800})
    page = json.dumps({"channel": channel, "limit": 100})
    size = len(ann.command("message.list", json.loads(page)).body)
    pulse = trial.pulse(server)
    idle = pulse.during(1.5)

    def ask(user, source, turns=1):
        connection = connect(server.port, source, receive_buffer=4096)
        request = (
            f"POST /v1/message.list HTTP/1.1\r\nHost: {kit.HOST}\r\nAuthorization: Bearer {server.token(user)}\r\n"
            f"Content-Length: {len(page)}\r\n\r\n{page}"
        ).encode()
        connection.sendall(request * turns)
        return connection

    ways = {
        "one user": lambda n: ask("ann", f"198.18.1.{n % 10}"),
        "one user in pipelines of 20": lambda n: ask("ann", f"198.18.1.{n % 10}", 20),
        "12 users": lambda n: ask(f"u{n % 12}", f"198.18.1.{n % 10}"),
    }
    for name, way in ways.items():
        before = server.memory()
        connections = [way(n) for n in range(1500 if name != "one user in pipelines of 20" else 300)]
        time.sleep(2)
        grown = server.memory() - before
        trial.unharmed(name, idle, pulse.during(1.5))
        trial.check(f"{name}: unread answers take {grown:.0f} MiB", grown < (120 if name != "12 users" else 500))
        trial.figure(f"{name}: {open_of(connections)} of {len(connections)} open, {grown:+.0f} MiB")
        close_all(connections)
        time.sleep(1)
    before = server.memory()
    sockets = [server.socket("u1", "198.18.3.1", f"d{n}") for n in range(20)]
    for socket in sockets:
        request = json.dumps({"id": "a", "cmd": "message.list", "body": json.loads(page)}).encode()
        with contextlib.suppress(OSError):
            socket.socket.settimeout(0.5)
            socket.socket.sendall(kit.frame(request) * 60)
    time.sleep(2)
    grown = server.memory() - before
    trial.unharmed("20 WebSockets", idle, pulse.during(1.5))
    trial.check(f"unread answers of 20 WebSockets take {grown:.0f} MiB", grown < 200)
    trial.figure(f"20 WebSockets of one user: {grown:+.0f} MiB; answers of {size // 1000} KB")


@attack(
    ATTACKS,
    "L1",
    "a link made before a logout of all devices, asked for with GET, HEAD and a range",
    "opens the file for the rest of its ten minutes",
)
def old_links(trial):
    """Links made before a logout of all devices open files for the rest of their ten minutes."""
    server = trial.server()
    ann = server.http("ann", issued=int(time.time()) - 5)
    file = ann.upload(b"once mine")
    link = ann.link(file)
    time.sleep(1.1)
    server.operator().result("login.end", {"userID": "ann"})
    stranger = HTTP(server, source="198.18.1.1")
    statuses = [stranger.exchange("GET", link, headers=fields).status for fields in [{}, {"Range": "bytes=0-3"}]]
    statuses.append(stranger.exchange("HEAD", link).status)
    time.sleep(1.1)
    new = server.http("ann")
    statuses.append(stranger.exchange("GET", link).status)
    again = stranger.exchange("GET", new.link(file)).status
    trial.check("an old link opens a file", all(status == 401 for status in statuses))
    trial.check("a new link does not", again == 200)
    trial.figure(f"old link {sorted(set(statuses))}, new link {again}")


@attack(
    ATTACKS,
    "L2",
    "uploads named and typed as styles and scripts in nine spellings, asked for by token, link, range and HEAD",
    "text/css is applied by the page's own policy",
)
def styles(trial):
    """An uploaded style sheet is applied by the page's own policy."""
    server = trial.server()
    ann = server.http("ann")
    served = set()
    for kind in [
        "text/css",
        "TEXT/CSS",
        "text/css; charset=utf-8",
        "text/x-css",
        "text/javascript",
        "application/ecmascript",
        "application/json",
        "text/html",
        "image/svg+xml",
        "text/xsl",
        "application/wasm",
        "text/vtt",
    ]:
        link = ann.link(ann.upload(b"body{background:red}", "a.css", kind))
        for method, fields in [("GET", {}), ("GET", {"Range": "bytes=0-3"}), ("HEAD", {})]:
            headers = ann.exchange(method, link, headers=fields).headers
            served.add(headers["content-type"])
            bad = any(word in headers["content-type"].lower() for word in ("css", "script", "html", "svg", "xsl"))
            trial.check(
                f"{kind} is served as {headers['content-type']}",
                not bad
                or "attachment" in headers["content-disposition"]
                and "css" not in headers["content-type"]
                and "script" not in headers["content-type"].lower(),
            )
            trial.check(f"{kind} is served without nosniff", headers["x-content-type-options"] == "nosniff")
            trial.check(f"{kind} is served without a sandbox", "sandbox" in headers["content-security-policy"])
    trial.figure("served as " + ", ".join(sorted(served)))


@attack(
    ATTACKS,
    "H3b",
    "two users at one address each begin 8 downloads by token and 8 by link and read 2 kB/s; others at that address,"
    " and at another one, then download",
    "a reader of 8 kB/s is served for ever; others were not tried",
)
def slow_neighbours(trial):
    """Two slow users keep everybody else at their address from downloading."""
    server = trial.server()
    drips = []
    for user in ("mallory", "trudy"):
        client = server.http(user, timeout=60)
        file = client.upload(os.urandom(20_000_000))
        link = client.link(file)
        for n in range(16):
            path, token = (link, None) if n % 2 else (f"/v1/files/{file}", client.token)
            drips.append(Drip(start_get(server, path, "198.18.1.1", token), lambda c: len(c.recv(500))))
    time.sleep(2)
    answers = {}
    for name, source in [("the same address", "198.18.1.1"), ("another address", "198.18.2.1")]:
        ann = server.http("ann", source, timeout=40)
        file = ann.upload(b"a small one")
        began = time.monotonic()
        answers[name] = ann.exchange("GET", f"/v1/files/{file}").status, time.monotonic() - began
    alive = sum(drip.lasted is None for drip in drips)
    close_all(drip.connection for drip in drips)
    for name, (status, seconds) in answers.items():
        trial.check(f"at {name} a download is answered with {status} after {seconds:.1f} s", status == 200)
    trial.figure(
        f"{alive} of {len(drips)} slow downloads go on after 25 s; "
        + ", ".join(f"{name}: {status} after {seconds:.1f} s" for name, (status, seconds) in answers.items())
    )
