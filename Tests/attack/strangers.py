"""Attacks by strangers who can only reach the port."""

import contextlib
import json
import secrets
import statistics
import threading
import time

import kit
from kit import HTTP, attack, code, connect, together

ATTACKS = []


def guess(server, source, login=None):
    """A login with a wrong password; the error's code."""
    client = HTTP(server, source=source, timeout=60)
    answer = client.exchange(
        "POST",
        "/v1/account.logIn",
        json.dumps({"loginName": login or "n" + secrets.token_hex(4), "password": "wrong horse battery"}),
    )
    client.close()
    return code(answer)


class Flood:
    """Threads that do the same until they are stopped."""

    def __init__(self, trial, count, body):
        self.stopped, self.results = threading.Event(), []
        self.threads = [threading.Thread(target=self.work, args=(index, body), daemon=True) for index in range(count)]
        trial.stack.callback(self.stop)
        for thread in self.threads:
            thread.start()

    def work(self, index, body):
        turn = 0
        while not self.stopped.is_set():
            try:
                self.results.append(body(index, turn))
            except OSError:
                self.results.append(None)
            turn += 1

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(60)


@attack(
    ATTACKS,
    "H1",
    "wrong passwords without end: 45 at once from one address, then from 60 addresses of IPv4 and IPv6",
    "/healthz 10 → 4,200 ms (45 at once), 12 s (120), 33 s (240)",
)
def hash_passwords(trial):
    """Wrong passwords stop all of HTTP, without any account."""
    server = trial.server()
    server.register("owner", "correct horse battery")
    # From now on the owner's network is known.
    kit.login(server, "owner", "correct horse battery", "198.18.3.1")
    pulse = trial.pulse(server)
    idle = pulse.during(2)
    flood = Flood(trial, 45, lambda index, turn: guess(server, "198.18.1.1"))
    one = pulse.during(6)
    flood.stop()
    trial.unharmed("45 at once from one address", idle, one)
    sources = [f"198.18.2.{n}" for n in range(30)] + [f"2001:db8:{n:x}::1" for n in range(30)]
    flood = Flood(trial, 60, lambda index, turn: guess(server, sources[index]))
    many = pulse.during(6)
    owner = [kit.login(server, "owner", "correct horse battery", "198.18.3.1")[0] for _ in range(10)]
    flood.stop()
    trial.unharmed("60 at once from 60 addresses", idle, many)
    tried, refused = len(flood.results), sum(result == 1004 for result in flood.results)
    trial.check("afterwards the owner cannot log in", kit.login(server, "owner", "correct horse battery")[0] == 200)
    trial.figure(
        f"/healthz {idle['healthz']:.0f} → {one['healthz']:.0f} and {many['healthz']:.0f} ms, HTTP commands"
        f" {idle['http']:.0f} → {one['http']:.0f} and {many['http']:.0f} ms, WebSocket {idle['websocket']:.0f} →"
        f" {many['websocket']:.0f} ms; {refused:,} of {tried:,} refused with 1004; the owner, at home, came in"
        f" {owner.count(200)} of 10 times meanwhile"
    )


def hold(server, source, data=b""):
    """A connection that has sent some bytes, None if it was refused."""
    try:
        connection = connect(server.port, source)
        connection.sendall(data)
        return connection
    except OSError:
        return None


def open_of(connections):
    """How many of these the server has not closed."""
    count = 0
    for connection in connections:
        if connection is None:
            continue
        connection.setblocking(False)
        with contextlib.suppress(OSError):
            try:
                while connection.recv(1 << 20):
                    pass
            except BlockingIOError:
                count += 1
    return count


def close_all(connections):
    for connection in connections:
        if connection:
            connection.close()


REST = f"GET /healthz HTTP/1.1\r\nHost: {kit.HOST}\r\n\r\n".encode()


@attack(
    ATTACKS,
    "H4",
    "1,000 silent, 1,000 resting and 1,000 upgraded sockets of one address, 300 of one IPv6 /64; then a "
    "server with 256 descriptors, against 40 addresses",
    "3,000 of 3,000 taken from one address, 11 KiB each; at the limit newcomers hang and a core spins at 82 to 100 %",
)
def sockets(trial):
    """Nothing limits sockets per address, and at the limit of descriptors newcomers hang."""
    server = trial.server()
    before = server.memory()
    taken = []
    for kind, data in [("silent", b""), ("resting", REST), ("upgraded", kit.UPGRADE)]:
        connections = [hold(server, "198.18.1.1", data) for _ in range(1000)]
        kit.until(lambda: open_of(connections) <= 64, 3)
        taken.append(open_of(connections))
        trial.check(f"an address has {taken[-1]} {kind} sockets", taken[-1] <= 64)
        close_all(connections)
    connections = [hold(server, f"2001:db8:7::{n + 1:x}", REST) for n in range(300)]
    time.sleep(0.3)
    taken.append(open_of(connections))
    trial.check(f"a /64 has {taken[-1]} sockets", taken[-1] <= 64)
    close_all(connections)
    grown = server.memory() - before
    few = trial.server(descriptors=(256, 256))
    friend = few.socket("friend")
    connections = [hold(few, f"198.18.4.{n % 40}", [b"", REST, kit.UPGRADE][n % 3]) for n in range(600)]
    time.sleep(0.5)
    used, began = few.descriptor_count(), few.cpu()
    served = sum(is_served(few, f"198.18.5.{n}") for n in range(20))
    time.sleep(3)
    cpu = (few.cpu() - began) / 3
    trial.check("at the limit of descriptors newcomers are not served", served == 20)
    trial.check("at the limit of descriptors who is inside is not served", "result" in friend.ask("unread.get"))
    trial.check(f"at the limit of descriptors the server takes {cpu:.0%} of a core", cpu < 0.5)
    close_all(connections)
    raised = trial.server(descriptors=(256, 4096))
    limits = [line for line in open(f"/proc/{raised.process.pid}/limits") if line.startswith("Max open files")][
        0
    ].split()
    trial.check("the soft limit is not raised to the hard one", limits[3] == limits[4])
    trial.figure(
        f"of an address {taken[0]} silent, {taken[1]} resting, {taken[2]} upgraded, of a /64 {taken[3]}; "
        f"{grown:+.0f} MiB; at {used} of 256 descriptors {served} of 20 newcomers served, {cpu:.0%} of a core; "
        f"soft limit 256 → {limits[3]}"
    )


@attack(
    ATTACKS,
    "H4b",
    "a user, then a user who is banned: resting HTTP connections of 5 IPv6 networks, 220 of each, one request "
    "each, against 1,024 descriptors",
    "not tried",
)
def resting(trial):
    """One user with a token, or one who is banned, holds all sockets."""
    for user in ("mallory", "banned"):
        server = trial.server(descriptors=(1024, 1024))
        token = server.token(user)
        HTTP(server, token).command("unread.get")
        if user == "banned":
            server.operator().result("user.setAccess", {"userID": user, "canChat": False})
        friend = server.socket("friend")
        request = (
            f"POST /v1/unread.get HTTP/1.1\r\nHost: {kit.HOST}\r\nAuthorization: Bearer {token}\r\n"
            "Content-Length: 0\r\n\r\n"
        ).encode()
        connections = [hold(server, f"2001:db8:{n // 220:x}::1", request) for n in range(1100)]
        time.sleep(1)
        held = open_of(connections)
        served = sum(is_served(server, f"198.18.5.{n}") for n in range(20))
        trial.check(
            f"{20 - served} of 20 newcomers are not served while a {user} user holds {held} sockets", served == 20
        )
        trial.check(
            f"who is inside is not served while a {user} user holds sockets", "result" in friend.ask("unread.get")
        )
        trial.figure(f"{user}: {held} sockets held, {served} of 20 newcomers served")
        close_all(connections)


def is_served(server, source, user="guest"):
    """Whether a new connection gets an answer."""
    try:
        return HTTP(server, server.token(user), source, timeout=5).command("unread.get").status == 200
    except (OSError, kit.http.client.HTTPException):
        return False


@attack(
    ATTACKS,
    "M1",
    "11 wrong passwords each of 11 addresses for one login name; the same of one /48; then the owner from "
    "a network of the last logins, and a backend; POST of pages of other origins, by four spellings of the path",
    "the owner gets 1004 for 896 s, the backend 429; any web page can do it",
)
def lock_out(trial):
    """Ten wrong guesses by anybody lock an account for 15 minutes, for the app and for the backend."""
    server = trial.server()
    password = "correct horse battery"
    server.register("owner", password, userID="owner")
    server.register("other", password)
    trial.check("the owner cannot log in at all", kit.login(server, "owner", password, "198.18.9.9")[0] == 200)
    trial.check("the owner cannot log in by IPv6", kit.login(server, "owner", password, "2001:db8:9:9::1")[0] == 200)
    guesses = [guess(server, f"198.18.1.{n % 11}", ["owner", " OWNER ", "Owner"][n % 3]) for n in range(121)]
    shut = kit.login(server, "owner", password, "198.18.8.8")
    home = kit.login(server, "owner", password, "198.18.9.9")
    trial.check(f"the owner is refused with {home[1]} at home", home[0] == 200)
    six = [guess(server, f"2001:db8:1:{n:x}::1", "owner") for n in range(40)]
    away = kit.login(server, "owner", password, "2001:db8:9:9:1::7")
    trial.check(f"the owner is refused with {away[1]} in another half of the home network", away[0] == 200)
    # The backend names the address of the person.
    backend = server.key()
    answer = backend.command(
        "account.authenticate", {"loginName": "owner", "password": password, "address": "198.18.9.9"}
    )
    trial.check(f"the backend is refused with {code(answer)}", answer.status == 200)
    trial.check("somebody else is refused", kit.login(server, "other", password, "198.18.8.8")[0] == 200)
    body = json.dumps({"loginName": "other", "password": password})
    pages = {}
    for name, fields in [
        ("Origin", {"Origin": "https://evil.example"}),
        ("null", {"Origin": "null"}),
        ("same-site", {"Origin": f"http://{kit.HOST}.evil.example", "Sec-Fetch-Site": "same-site"}),
    ]:
        for path in ["/v1/account.logIn", "//v1/account.logIn", "/v1/./account.logIn", "/v1/account%2ElogIn"]:
            answer = HTTP(server, source="198.18.7.1").exchange("POST", path, body, fields)
            pages[name, path] = answer.status
            trial.check(f"a page with {name} logs in by {path}", answer.status != 200)
    trial.figure(
        f"{guesses.count(1)} guesses tried, {guesses.count(1004)} refused, a new network shut out for "
        f"{shut[2] / 1000:.0f} s; the owner at home, in IPv6 and by the backend 200; by /64s of one /48 "
        f"{six.count(1)} of 40 tried; pages of other origins {sorted(set(pages.values()))}"
    )


@attack(
    ATTACKS,
    "M6",
    "without or with a bad token, bodies for eight paths below /v1/files, at once and at 2 kB/s, for 15 s",
    "401 at once, yet 40 s and more at 2 kB/s; 1,074 MB swallowed in 0.6 s",
)
def bodies(trial):
    """Without a token, a body for /v1/files is neither cut nor refused."""
    server = trial.server()
    requests = [
        ("PATCH", "/v1/files/" + "a" * 32, ""),
        ("POST", "/v1/files", ""),
        ("POST", "/v1/files?x=1", ""),
        ("PATCH", "/v1/files/x/y", ""),
        ("POST", "/v1/files/" + "a" * 32, ""),
        ("POST", "/v1/files/", ""),
        ("PATCH", "/v1/files/" + "a" * 32, "Authorization: Bearer a.b.c\r\n"),
        ("PATCH", "/v1/files/" + "a" * 32, "Tus-Resumable: 0.2.2\r\n"),
        ("POST", "/v1/files", "Content-Encoding: gzip\r\n"),
        ("POST", "/v1/files", "Transfer-Encoding: chunked\r\n"),
        ("POST", "/v1/account.logIn", ""),
        ("PUT", "/v1/files/" + "a" * 32, ""),
        ("POST", "/", ""),
    ]

    def fast(request):
        connection = start_body(server, request)
        sent, end = 0, time.monotonic() + 15
        piece = bytes(1 << 16) if "chunked" not in request[2] else b"10000\r\n" + bytes(1 << 16) + b"\r\n"
        try:
            while time.monotonic() < end and sent < 1 << 30:
                sent += (
                    connection.send(piece) if "chunked" not in request[2] else (connection.sendall(piece) or len(piece))
                )
        except OSError:
            pass
        connection.close()
        return sent / 1e6

    def slow(request):
        connection = start_body(server, request)
        began = time.monotonic()
        try:
            while time.monotonic() - began < 15:
                connection.sendall(bytes(400) if "chunked" not in request[2] else b"190\r\n" + bytes(400) + b"\r\n")
                time.sleep(0.2)
        except OSError:
            pass
        connection.close()
        return time.monotonic() - began

    lives = together(len(requests), lambda index: slow(requests[index]))
    swallowed = [fast(request) for request in requests]
    for request, life, size in zip(requests, lives, swallowed):
        name = " ".join(request).strip()
        trial.check(f"{name}: open for {life} s at 2 kB/s", isinstance(life, float) and life < 13)
        trial.check(f"{name}: {size:.0f} MB swallowed", size < 20)
    trial.figure(
        f"cut after {min(lives):.1f} to {max(lives):.1f} s; {min(swallowed):.1f} to {max(swallowed):.0f} MB taken"
    )


def start_body(server, request):
    method, path, fields = request
    length = "" if "chunked" in fields else f"Content-Length: {1 << 30}\r\n"
    connection = connect(server.port, "198.18.1.1")
    connection.sendall(
        (
            f"{method} {path} HTTP/1.1\r\nHost: {kit.HOST}\r\nUpload-Length: {1 << 30}\r\nUpload-Offset: 0\r\n"
            f"Content-Type: application/offset+octet-stream\r\n{length}{fields}\r\n"
        ).encode()
    )
    return connection


@attack(
    ATTACKS,
    "M10",
    "1,000 sockets of 20 addresses, each with the head of a frame of 64 KiB or 1 GiB and 60 KiB of it, at "
    "once and in drips",
    "79 to 96 KiB for each for 10 s",
)
def large_frames(trial):
    """Before the login a socket can cost 96 KiB."""
    server = trial.server()
    pulse = trial.pulse(server)
    idle = pulse.during(1)
    before = server.memory()
    # A length just allowed is the most that a stranger may make the server keep.
    data = [kit.frame(bytes(60_000), length=length)[:60_000] for length in (65_000, 1 << 30)] + [
        kit.frame(bytes(8_000), length=8_190),
        kit.UPGRADE[:20] + b"X: " + bytes(15_000),
    ]
    connections = []
    for n in range(1000):
        connection = hold(server, f"198.18.1.{n % 20}", b"" if n % 4 == 3 else kit.UPGRADE)
        connections.append(connection)
    time.sleep(0.5)
    for n, connection in enumerate(connections):
        try:
            connection.sendall(data[n % 4])
        except (OSError, AttributeError):
            pass
    time.sleep(0.5)
    held = max(1, open_of(connections))
    grown = (server.memory() - before) * 1024 / 1000
    trial.check(f"a socket before the login costs {grown:.0f} KiB", grown < 40)
    trial.unharmed("large frames", idle, pulse.during(1))
    trial.figure(f"{held} of 1,000 still open after 0.5 s, {grown:.0f} KiB for each")
    close_all(connections)


@attack(
    ATTACKS,
    "L4",
    "one address: 3 s of links with a wrong signature, another 3 s of HEAD of an upload by a user",
    "4,569 a second by one user at 92 % of a core; others' p50 1.9 → 3.2 ms",
)
def wrong_links(trial):
    """Links with a wrong signature and HEAD of an upload are not counted."""
    server = trial.server()
    ann = server.http("ann")
    file = ann.result("file.create", {"name": "a", "size": 10})["fileID"]
    link = ann.link(ann.upload(b"right"))
    wrong = [
        f"/v1/files/{secrets.token_hex(16)}?user=ann&until={int(time.time() * 1000) + 500000}&signature={'0' * 64}",
        link[:-2] + "00",
        link.replace("user=ann", "user=bob"),
    ]
    results, heads = {}, {}
    client, mixed = HTTP(server, source="198.18.1.1"), ["GET", "HEAD"]
    end = time.monotonic() + 3
    while time.monotonic() < end:
        turn = sum(results.values())
        status = client.exchange(mixed[turn % 2], wrong[turn % 3]).status
        results[status] = results.get(status, 0) + 1
    good = client.exchange("GET", link)
    trial.check("a wrong link opens a file", 200 not in results)
    trial.check("wrong links are not refused after 100", results.get(429, 0) == sum(results.values()) - 100)
    trial.check("a right link is refused for the wrong ones", good.status == 200)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        status = ann.exchange("HEAD", f"/v1/files/{file}").status
        heads[status] = heads.get(status, 0) + 1
    trial.check(f"HEAD of an upload: {heads.get(200)} in 3 s", heads.get(200, 0) <= 500)
    trial.figure(f"wrong links: {results}; HEAD: {heads}")


@attack(
    ATTACKS,
    "L11",
    "60 wrong passwords through a proxy that sets X-Forwarded-For, with and without --behind-proxy",
    "50 guesses shut all password logins, without a warning",
)
def proxies(trial):
    """One address behind a proxy without --behind-proxy is everybody."""
    for options in [(), ("--behind-proxy",)]:
        server = trial.server(*options)
        server.register("owner", "correct horse battery")
        client = HTTP(server, source="10.66.0.1")
        for n in range(60):
            client.exchange(
                "POST",
                "/v1/account.logIn",
                json.dumps({"loginName": f"n{n}", "password": "wrong horse"}),
                {"X-Forwarded-For": "198.18.6.6" if n % 2 else "2001:db8:66::1"},
            )
        answer = client.exchange(
            "POST",
            "/v1/account.logIn",
            json.dumps({"loginName": "owner", "password": "correct horse battery"}),
            {"X-Forwarded-For": "198.18.6.7"},
        )
        if options:
            trial.check("with --behind-proxy another client is refused", answer.status == 200)
        else:
            warned = "behind-proxy" in server.log.read_text()
            trial.check("without --behind-proxy no warning is logged", warned)
            trial.figure(f"without --behind-proxy {answer.status}, a warning in the log: {warned}")
    trial.figure(f"with it {answer.status}")


@attack(
    ATTACKS,
    "H6",
    "64 sockets of one address, then 600 of 10, ask 200 times each for the page's largest file, in a pipeline, and read"
    " nothing; the same one request each",
    "not tried",
)
def unread_page(trial):
    """Strangers who do not read the files of the page take memory and the event loop."""
    figures = []
    for name, count, addresses, turns in [
        ("one address", 64, 1, 200),
        ("10 addresses", 600, 10, 200),
        ("10 addresses, one request each", 600, 10, 1),
    ]:
        server = trial.server()
        pulse = trial.pulse(server)
        idle, before = pulse.during(2), server.memory()
        pulse.times.clear()
        request = f"GET /web/app/app.js HTTP/1.1\r\nHost: {kit.HOST}\r\n\r\n".encode() * turns
        connections = [ask_and_rest(server, f"198.18.1.{n % addresses}", request) for n in range(count)]
        time.sleep(1)
        during = pulse.during(4)
        grown = server.memory() - before
        trial.check(f"{name}: {count} sockets of strangers take {grown:.0f} MiB", grown < 100)
        trial.unharmed(name, idle, during)
        figures.append(f"{name} {grown:+.0f} MiB, /healthz {idle['healthz']:.0f} → {during['healthz']:.0f} ms")
        close_all(connections)
        pulse.stop()
        server.kill()
    trial.figure("; ".join(figures))


def ask_and_rest(server, source, data):
    """A connection with a small receive buffer that has sent as much of these bytes as was taken at once."""
    connection = connect(server.port, source, receive_buffer=4096)
    connection.settimeout(0.2)
    with contextlib.suppress(OSError):
        connection.sendall(data)
    return connection


@attack(
    ATTACKS,
    "X5",
    "wrong passwords one after the other, of 12 login names that exist and of names that do not, in random order, each"
    " from an address of its own: 120 of either",
    "not tried",
)
def login_names(trial):
    """How long a refusal takes says whether there is a login name."""
    server = trial.server()
    known = [f"owner{n}" for n in range(12)]
    for name in known:
        server.register(name, "correct horse battery")
    names = [(name, True) for name in known * 10] + [("n" + secrets.token_hex(4), False) for _ in range(120)]
    secrets.SystemRandom().shuffle(names)
    times, codes = {True: [], False: []}, set()
    for index, (name, is_known) in enumerate(names):
        began = time.monotonic()
        codes.add(guess(server, f"198.18.{10 + index // 200}.{1 + index % 200}", name))
        times[is_known].append((time.monotonic() - began) * 1000)
    trial.check(f"the answers are {codes}", len(codes) == 1)
    # How often a name that exists takes longer than one that does not: half of the time if nothing can be told, and with
    # so many tries 0.35 to 0.65 in all but one of 10,000 runs.
    longer = sum(one > other for one in times[True] for other in times[False]) / 120**2
    trial.check(f"names that exist take longer in {longer:.2f} of the comparisons", 0.35 < longer < 0.65)
    medians = [statistics.median(times[is_known]) for is_known in (True, False)]
    trial.figure(
        f"median {medians[0]:.1f} ms for names that exist, {medians[1]:.1f} for others; the former take longer in"
        f" {longer:.2f} of all comparisons; one answer for both"
    )


@attack(
    ATTACKS,
    "X6",
    "WebSockets that are opened and dropped without a login, as fast as 8 threads can, from one address for 10 s",
    "not tried",
)
def open_and_drop(trial):
    """Connecting without an end keeps the server busy within the limit of sockets."""
    server = trial.server()
    pulse = trial.pulse(server)
    idle = pulse.during(2)
    began = time.monotonic()
    flood = Flood(trial, 8, lambda index, turn: open_one(server, "198.18.1.1"))
    during = pulse.during(10)
    logins = [timed_login(server, n) for n in range(10)]
    flood.stop()
    seconds = time.monotonic() - began
    trial.unharmed("while others connect and drop", idle, during)
    opened, refused = flood.results.count(101), flood.results.count(429)
    # Up to 64 may have been closed by the limit of strangers before they read their answer.
    trial.check(f"{opened} were opened in {seconds:.0f} s", 0 < opened <= 256 + 26 * seconds + 10)
    trial.check(f"none of {len(flood.results)} was refused", refused > 0)
    trial.check("somebody else could not log in", all(logins))
    trial.figure(
        f"{len(flood.results)} tries in {seconds:.0f} s, {opened} opened, {refused} got 429; /healthz"
        f" {idle['healthz']:.1f} → {during['healthz']:.1f} ms, WebSocket {idle['websocket']:.1f} →"
        f" {during['websocket']:.1f}; 10 logins of others took at most {max(filter(None, logins), default=0) * 1000:.0f} ms"
    )


def open_one(server, source):
    """The status of an upgrade; the connection is dropped."""
    try:
        kit.Socket(server, source).close()
    except ConnectionError as refusal:
        words = str(refusal).split()
        return int(words[1]) if words[0].startswith("HTTP/") else None
    return 101


def timed_login(server, number):
    """How long another user's login takes, in seconds; None if it fails."""
    began = time.monotonic()
    try:
        server.socket(f"user{number}").close()
    except (OSError, kit.Failure):
        return None
    return time.monotonic() - began
