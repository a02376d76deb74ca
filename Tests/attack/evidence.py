"""Attacks on what came later: the audit log, invitations, the check of a database, and operators."""

import contextlib
import json
import pathlib
import threading
import time

import kit
from kit import HTTP, attack, together
from rights import NO_RATES

ATTACKS = []
FILES = ["audit.jsonl", "audit-users.jsonl", "audit-refused.jsonl"]


def lines(server, name):
    """The lines of a file of the audit log, with those before it was replaced."""
    found = []
    for number in ["", ".1", ".2", ".3", ".4"]:
        path = pathlib.Path(server.data, name + number)
        if path.exists():
            found += path.read_bytes().split(b"\n")[:-1]
    return found


@attack(
    ATTACKS,
    "X2",
    "line ends, quotes and NULs in 12 fields of requests; 150 refusals of a stranger in a minute, then a user's try to"
    " ban; bans of 100 users with ids of 64 bytes for 20 s",
    "not tried",
)
def audit(trial):
    """A user writes lines into the audit log, hides what others do, or makes it forget."""
    server = trial.server(*NO_RATES)
    server.know("ann", "mallory")
    hostile = 'a\\u000a{"event":"forged"}"'
    raw = 'x\t"},{"event":"forged"}'
    for fields in [
        {"Origin": raw},
        {"Roost-Device": raw},
        {"X-Forwarded-For": raw},
        {"Authorization": f"Bearer {raw}"},
        {"Roost-Guest": raw},
        {"Idempotency-Key": raw},
    ]:
        HTTP(server).exchange("POST", "/v1/unread.get", b"", fields)
        server.http("mallory").exchange("POST", "/v1/user.setAccess", b'{"userID":"ann","canChat":false}', fields)
    for body in [f'{{"loginName":"{hostile}","password":"12345678"}}', f'{{"code":"{hostile}"}}']:
        HTTP(server).exchange("POST", "/v1/account.logIn", body.encode())
    for command in ["member.ban", "member.kick", "channel.dismiss", "user.setAccess"]:
        server.http("mallory").exchange(
            "POST",
            f"/v1/{command}",
            f'{{"channel":"{hostile}","userID":"{hostile}","members":["{hostile}"]}}'.encode(),
            {"Idempotency-Key": "t-x"},
        )
    time.sleep(0.5)
    found = [line for name in FILES for line in lines(server, name)]
    unreadable = [line for line in found if not is_object(line)]
    forged = [line for line in found if is_object(line) and json.loads(line)["event"] == "forged"]
    trial.check(f"{len(unreadable)} lines cannot be read, {len(forged)} are forged", not unreadable and not forged)
    hidden(trial)
    forgotten(trial)
    trial.figure(f"{len(found)} lines, {len(unreadable)} unreadable, {len(forged)} forged")


def is_object(line):
    with contextlib.suppress(ValueError):
        return isinstance(json.loads(line), dict)
    return False


def hidden(trial):
    """A stranger fills the minute, and a user then does what is refused."""
    server = trial.server(*NO_RATES)
    server.know("ann", "mallory")
    # All of it in one minute of the clock.
    if time.time() % 60 > 45:
        time.sleep(61 - time.time() % 60)
    for _ in range(150):
        client = HTTP(server, source="198.18.1.1")
        client.connection = kit.http.client.HTTPConnection(kit.HOST, server.port)
        client.connection.sock = kit.connect(server.port, "198.18.1.1")
        client.connection.putrequest("POST", "/v1/unread.get")
        client.connection.putheader("Content-Length", "70000")
        client.connection.endheaders()
        client.connection.getresponse().read()
        client.close()
    refused = server.http("mallory").command("user.setAccess", {"userID": "ann", "canChat": False}).status
    time.sleep(0.5)
    seen = [line for line in lines(server, "audit-refused.jsonl") if b"user.setAccess" in line]
    trial.check(f"after 150 large bodies of a stranger, a user's refused ban ({refused}) is in no line", bool(seen))
    trial.figure(f"after 150 refusals of a stranger a user's try to ban is {'written' if seen else 'left out'}")


def forgotten(trial):
    """How soon a user's own acts, and a stranger's refusals, push out what was written before."""
    server = trial.server(*NO_RATES)
    users = [f"{n:03}".ljust(64, "x") for n in range(100)]
    together(10, lambda part: server.know(*users[part::10]))
    mallory = server.http("mallory")
    group = json.loads(mallory.command("channel.create", {"kind": "group", "channel": "g" * 64}).body)["channel"]
    before = size(server, "audit-users.jsonl")
    statuses = [
        mallory.command(name, {"channel": group, "members": users}).status
        for _ in range(35)
        for name in ("member.ban", "member.unban")
    ]
    mallory.result("channel.dismiss", {"channel": group})
    time.sleep(0.5)
    grown = size(server, "audit-users.jsonl") - before
    is_seen = any(b"channel.dismiss" in line for line in lines(server, "audit-users.jsonl"))
    hours = (50 << 20) / max(1, grown) / 60
    trial.check(
        f"one user's {statuses.count(200)} acts of a minute are {grown // 1000} kB, so that all five files are theirs"
        f" after {hours:.1f} hours",
        hours > 24,
    )
    before = size(server, "audit-refused.jsonl")
    for n in range(150):
        HTTP(server, "x" * 4000).exchange("POST", "/v1/unread.get", b"", {"Origin": "https://" + "o" * 250})
        HTTP(server).exchange(
            "POST",
            "/v1/account.logIn",
            json.dumps({"loginName": "l" * 250, "password": "x" * 8}),
            {"Origin": f"http://{kit.HOST}"},
        )
    time.sleep(0.5)
    grown = size(server, "audit-refused.jsonl") - before
    trial.figure(
        f"after 60 acts the end of a group is {'written' if is_seen else 'left out'}; one user's acts replace those of"
        f" others after {hours:.1f} hours, a stranger's refusals after "
        f"{(50 << 20) / max(1, grown) / 60:.0f} hours at {grown // 1000} kB a minute"
    )


def size(server, name):
    path = pathlib.Path(server.data, name)
    return path.stat().st_size if path.exists() else 0


@attack(
    ATTACKS,
    "X3",
    "a user who wants to be asked (contacts, nobody): groups in six ways by a stranger, by a blocked user, and by a"
    " false contact",
    "not tried",
)
def invitations(trial):
    """A user who wants to be asked becomes a member without an answer."""
    joined = {}
    for setting in ("contacts", "nobody"):
        server = trial.server(*NO_RATES)
        server.know("victim", "mallory", "friend", "blocked")
        victim = server.http("victim")
        victim.result("user.setSettings", {"invitesFrom": setting})
        victim.result("user.block", {"userID": "blocked"})
        for name in ("mallory", "blocked"):
            stranger = server.http(name)
            # Writing to somebody makes nobody a contact.
            stranger.command("message.send", {"channel": ":".join(sorted([name, "victim"])), "text": "a"})
            stranger.command("channel.create", {"kind": "single", "members": ["victim"]})
            ways = {
                "create": stranger.command("channel.create", {"kind": "group", "members": ["victim"]}),
                "create as admin": stranger.command(
                    "channel.create", {"kind": "group", "members": [{"userID": "victim", "role": "admin"}]}
                ),
                "create with profile": stranger.command(
                    "channel.create",
                    {"kind": "group", "members": [{"userID": "victim", "nickname": "v"}], "profile": {"title": "t"}},
                ),
            }
            group = json.loads(stranger.command("channel.create", {"kind": "group"}).body)["channel"]
            ways["invite"] = stranger.command("member.invite", {"channel": group, "members": ["victim"]})
            ways["invite as moderator"] = stranger.command(
                "member.invite",
                {"channel": group, "members": [{"userID": "victim", "role": "moderator"}], "joinMethod": "qrCode"},
            )
            ways["role"] = stranger.command(
                "member.setRole", {"channel": group, "userID": "victim", "role": "participant"}
            )
            ways["successor"] = stranger.command("channel.leave", {"channel": group, "successor": "victim"})
        channels = victim.result("channel.query", {"kinds": ["group"]})["channels"]
        joined[setting] = len(channels)
        trial.check(f"with {setting} the victim is in {len(channels)} groups", not channels)
        single = server.http("friend").command("channel.create", {"kind": "single", "members": ["victim"]}).status
        trial.check("nobody can start a 1-on-1", single == 200)
    trial.figure(f"groups without an answer: {joined}")


@attack(
    ATTACKS,
    "X4",
    "roost check beside 8 writers for some seconds, on a folder that is missing, empty, or has a link or a folder in"
    " place of the database; twice at once",
    "not tried",
    needs_namespace=False,
)
def checks(trial):
    """roost check disturbs a server, changes what it reads, or finds what is not damaged."""
    server = trial.server("--limit", "sendsPerSecond=100000", "--limit", "sendBurst=100000", *NO_RATES)
    server.know("ann", *[f"u{n}" for n in range(8)])
    stopped, failed = False, []

    def write(n):
        client = server.http(f"u{n}", timeout=30)
        client.command("channel.create", {"kind": "group", "channel": f"g{n}"})
        count = 0
        while not stopped:
            answer = client.command("message.send", {"channel": f"g{n}", "text": "some words"})
            failed.append(answer.status) if answer.status not in (200, 429) else None
            count += answer.status == 200
        return count

    threads = [threading.Thread(target=write, args=(n,), daemon=True) for n in range(8)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    results = [
        done.returncode
        for done in together(4, lambda n: server.run("check", "--data", server.data, *(["--files"] if n % 2 else [])))
    ]
    stopped = True
    for thread in threads:
        thread.join(30)
    trial.check(f"four checks beside writers end with {results}", results == [0] * 4)
    trial.check(f"writers get {set(failed)} meanwhile", not failed)
    codes = {}
    for name, make in {
        "missing": lambda p: None,
        "empty": lambda p: p.mkdir(),
        "a link to nothing": lambda p: (p.mkdir(), (p / "roost.sqlite").symlink_to("/nowhere")),
        "a folder": lambda p: (p / "roost.sqlite").mkdir(parents=True),
        "text": lambda p: (p.mkdir(), (p / "roost.sqlite").write_text("hello" * 2000)),
    }.items():
        path = pathlib.Path(server.folder, name.replace(" ", "-"))
        make(path)
        before = sorted(str(p) for p in path.rglob("*")) if path.exists() else None
        codes[name] = server.run("check", "--data", str(path)).returncode
        after = sorted(str(p) for p in path.rglob("*")) if path.exists() else None
        trial.check(
            f"a check of {name} ends with {codes[name]}, or leaves files", codes[name] in (1, 2) and before == after
        )
    trial.figure(f"beside writers {results}; " + ", ".join(f"{name} {number}" for name, number in codes.items()))
