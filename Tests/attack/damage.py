"""Full disks, and databases that were lost or damaged."""

import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import tempfile

import kit
from kit import Failure, Unavailable, attack, code, together

ATTACKS = []
FAST = ["sendsPerSecond=100000", "sendBurst=100000", "channelSendsPerSecond=100000", "channelSendBurst=100000"]


def small_disk(trial, megabytes):
    """A folder with a file system of this size of its own, unmounted in the end."""
    folder = tempfile.mkdtemp(prefix="roost-attack.")
    trial.stack.callback(shutil.rmtree, folder, ignore_errors=True)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "none", folder], capture_output=True
    )
    if done.returncode:
        raise Unavailable(f"mount: {done.stderr.decode().strip()}")
    trial.stack.callback(subprocess.run, ["umount", "-l", folder], capture_output=True)
    return folder


def free(folder):
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize / (1 << 20)


def upload_until_refused(server, user, size, source):
    """Uploads files until one is refused; the files, the status and the error's code."""
    client, files = server.http(user, source, timeout=60), []
    for _ in range(100):
        answer = client.command("file.create", {"name": "a", "size": size})
        if answer.status != 200:
            return files, answer.status, code(answer)
        file = json.loads(answer.body)
        try:
            # Not the same bytes twice, as those would be stored once.
            answer = client.patch(file["path"], os.urandom(size))
        except OSError:
            return [*files, file["fileID"]], 0, 0
        files.append(file["fileID"])
        if answer.status != 204:
            return files, answer.status, code(answer)
    return files, 204, 0


@attack(
    ATTACKS,
    "H2",
    "60 MB disk: one user, then 20 at once, upload until refused; then another program fills what is left, and 84 "
    "logins, reads, sends and deletions follow; kill -9 and a restart in between",
    "every send and every hello of a known user 7007, DELETE of the upload 503; a restart does not help",
)
def full_disk(trial):
    """One user's uploads fill the disk, and nobody can log in, send or delete."""
    folder = small_disk(trial, 60)
    server = trial.server(folder=folder)
    server.know("ann", "bob", "mallory", *[f"m{n}" for n in range(20)])
    ann = server.http("ann", timeout=30)
    ann.result("channel.create", {"kind": "single", "members": ["bob"]})
    files, status, error = upload_until_refused(server, "mallory", 7_000_000, "198.18.1.1")
    trial.check(f"uploads on a full disk are answered with {status}, {error}", (status, error) == (503, 7007))
    left = free(folder)
    together(20, lambda n: upload_until_refused(server, f"m{n}", 1_000_000, f"198.18.1.{n}"))
    left_many = free(folder)
    trial.check(f"uploads of 20 users leave {left_many:.1f} of 60 MB", left_many > 1)
    works = {
        "send": ann.command("message.send", {"channel": "ann:bob", "text": "a"}).status,
        "hello": "closed" if not says_hello(server, "bob", "old") else 200,
    }
    trial.check(f"while uploads fill the disk: {works}", set(works.values()) == {200})
    fill(folder)
    sends = [code(ann.command("message.send", {"channel": "ann:bob", "text": "x" * 7000})) for _ in range(14)]
    hellos = [says_hello(server, "bob", f"device{n}") for n in range(50)]
    reads = [ann.command("message.list", {"channel": "ann:bob"}).status for _ in range(20)]
    trial.check(f"on a full disk {hellos.count(False)} of 50 logins of a known user fail", all(hellos))
    trial.check(f"on a full disk reads are answered with {set(reads)}", set(reads) == {200})
    trial.check(f"on a full disk sends are answered with {set(sends)}", set(sends) <= {0, 7007})
    half = len(files) // 2
    before, again = delete(server, files[:half]), fill(folder)
    server.kill()
    server.start()
    trial.check("after a restart on a full disk a known user cannot log in", says_hello(server, "ann", "phone"))
    after = delete(server, files[half:])
    trial.check(f"on a full disk DELETE is answered with {before}", before == {204})
    trial.check(
        f"on a disk that is full after kill -9 and a restart ({again:.1f} MB were filled again) DELETE is answered with"
        f" {after}",
        after == {204},
    )
    ann = server.http("ann", timeout=30)
    is_well = kit.until(lambda: ann.command("message.send", {"channel": "ann:bob", "text": "b"}).status == 200)
    trial.check("after deletions nobody can send", is_well)
    new = says_hello(server, "newcomer", "phone")
    trial.check("after deletions a new user cannot log in", new)
    trial.figure(
        f"one user leaves {left:.1f} MB, 20 leave {left_many:.1f}; all full: logins {hellos.count(True)} of 50, reads"
        f" {set(reads)}, sends {sorted(set(sends))}, DELETE {before}, after a restart {after}; then sends again:"
        f" {is_well}"
    )


def fill(folder):
    """Another program takes what is left; how many MB."""
    before = free(folder)
    with open(os.path.join(folder, "other"), "ab", buffering=0) as other:
        for size in (1 << 16, 1 << 12):
            try:
                while True:
                    other.write(bytes(size))
            except OSError:
                pass
    return before


def delete(server, files):
    client = server.http("mallory", timeout=30)
    return {client.exchange("DELETE", f"/v1/files/{file}").status for file in files}


def says_hello(server, user, device):
    try:
        server.socket(user, device=device).close()
        return True
    except (OSError, Failure):
        return False


def filled(trial, count):
    """A server with so many messages in one channel."""
    server = trial.server(*sum((["--limit", limit] for limit in FAST), []))
    server.know("ann", "bob")
    ann = server.http("ann", timeout=60)
    ann.result("channel.create", {"kind": "single", "members": ["bob"]})
    for n in range(count // 20):
        ann.result(
            "message.sendMany",
            {
                "channels": ["ann:bob"],
                "messages": [{"type": "text", "text": f"message {n * 20 + m} of many"} for m in range(20)],
            },
        )
    return server


def starts(server, *options):
    """Whether the server starts; it is stopped again by the caller."""
    try:
        server.start(*options)
        return True
    except Failure:
        return False


def rows(server):
    """How many messages of the channel can be read; a broken answer is an error."""
    ann, count, after = server.http("ann", timeout=30), 0, 0
    while True:
        answer = ann.command("message.list", {"channel": "ann:bob", "after": after, "limit": 100})
        if answer.status != 200:
            return count, code(answer)
        page = json.loads(answer.body)
        if not page["events"]:
            return count, 0
        count += sum(event["event"] == "message.sent" for event in page["events"])
        after = page["events"][-1]["seq"]


@attack(
    ATTACKS,
    "H5",
    "1,500 messages; the main file alone after SIGTERM; the WAL gone or cut after kill -9; database of zero length,"
    " gone, cut by a byte or a page, an older copy; 5 % and 30 % of the pages damaged",
    "0 of 1,500 rows without the WAL, silently; an empty server; it starts and takes sends",
    needs_namespace=False,
)
def damaged(trial):
    """Lost or damaged parts of the database are served as if nothing had happened."""
    server = filled(trial, 1500)
    keep = server.folder + "/keep"
    middle = server.folder + "/middle"
    server.stop()
    shutil.copytree(server.data, middle)
    os.remove(middle + "/lock")
    server.start()
    for _ in range(20):
        server.http("ann").result("message.send", {"channel": "ann:bob", "text": "one of the last"})
    before = epoch(server)
    server.kill()
    shutil.copytree(server.data, keep)
    original, figures = server.data, {}

    def trying(name, change):
        shutil.rmtree(original)
        shutil.copytree(keep, original)
        change(pathlib.Path(original))
        if not starts(server):
            figures[name] = "refuses to start"
            return
        count, error = rows(server)
        is_same = epoch(server) == before
        ok = server.run("check", "--data", original).returncode
        sends = server.http("ann").command("message.send", {"channel": "ann:bob", "text": "after"}).status
        server.kill()
        figures[name] = f"{count:,} rows" + ("" if is_same else ", new epoch") + (", check 1" if ok == 1 else "")
        trial.check(
            f"{name}: {count} of 1,520 acknowledged rows, error {error}; it starts, takes sends ({sends}), roost check "
            f"ends with {ok}, and the epoch is the {'same' if is_same else 'next'}",
            count == 1520 or ok == 1 or not is_same,
        )

    for name, change in losses(server, middle).items():
        trying(name, change)
    trial.figure("; ".join(f"{name}: {found}" for name, found in figures.items()))


def losses(server, middle):
    """What can happen to a data folder of a server that was killed, as functions of the folder."""
    database = "roost.sqlite"

    def clean(folder):
        server.start()
        server.stop()
        for name in ["roost.sqlite-wal", "roost.sqlite-shm", "epoch", "running", "lock"]:
            (folder / name).unlink(missing_ok=True)

    def older(folder):
        for name in ["roost.sqlite-wal", "roost.sqlite-shm"]:
            (folder / name).unlink(missing_ok=True)
        shutil.copy(f"{middle}/{database}", folder / database)

    def stopped(change):
        def both(folder):
            server.start()
            server.stop()
            change(folder / database)

        return both

    def cut(path, bytes):
        os.truncate(path, path.stat().st_size - bytes)

    return {
        "the main file alone after SIGTERM": clean,
        "WAL gone after kill -9": lambda f: (f / "roost.sqlite-wal").unlink(),
        "WAL cut to half": lambda f: cut(f / "roost.sqlite-wal", (f / "roost.sqlite-wal").stat().st_size // 2),
        "an older copy of the database": older,
        "zero length": stopped(lambda f: os.truncate(f, 0)),
        "gone": stopped(lambda f: f.unlink()),
        "one byte cut off": stopped(lambda f: cut(f, 1)),
        "one page cut off": stopped(lambda f: cut(f, 4096)),
        "5 % of the pages damaged": stopped(lambda f: scribble(f, 5)),
        "30 % of the pages damaged": stopped(lambda f: scribble(f, 30)),
        "a header of zeros": stopped(lambda f: write_at(f, 0, bytes(100))),
    }


def write_at(path, offset, data):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(data)


def scribble(path, percent):
    chosen = random.Random(7)
    for page in range(1, path.stat().st_size // 4096):
        if chosen.randrange(100) < percent:
            write_at(path, page * 4096 + chosen.randrange(4000), chosen.randbytes(64))


@attack(
    ATTACKS,
    "M7",
    "20 of 200 stored messages with one wrong byte each (a quote, a brace, NUL, 0xFF, a letter, the checksum), a cut"
    " row, an empty row; read in pages, by resume and by roost check",
    "frames that no client can parse, each time; resume never gets past it",
    needs_namespace=False,
)
def broken_rows(trial):
    """A damaged stored event is sent on as broken JSON."""
    server = filled(trial, 200)
    server.know("bob")
    server.stop()
    database = sqlite3.connect(server.data + "/roost.sqlite")
    chosen = random.Random(3)
    seqs = [seq for (seq,) in database.execute("SELECT seq FROM channel_log ORDER BY seq")][5:190:9]
    for n, seq in enumerate(seqs):
        (frame,) = database.execute("SELECT frame FROM channel_log WHERE seq = ?", (seq,)).fetchone()
        frame = bytearray(frame)
        at = chosen.randrange(6, len(frame))
        if n % 8 < 5:
            frame[at] = b'"}\x00\xffq'[n % 8] if frame[at] != b'"}\x00\xffq'[n % 8] else frame[at] ^ 1
        elif n % 8 == 5:
            frame[2] ^= 1
        elif n % 8 == 6:
            frame = frame[:at]
        else:
            frame = bytearray()
        database.execute("UPDATE channel_log SET frame = ? WHERE seq = ?", (bytes(frame), seq))
    database.execute("UPDATE user_log SET frame = substr(frame, 1, 30) WHERE user_id = 'bob'")
    database.commit()
    database.close()
    server.start()
    bob = server.socket("bob")
    events, error = [], None
    try:
        for answer in [
            bob.ask("message.list", {"channel": "ann:bob", "limit": 100, "after": after}) for after in (0, 100)
        ]:
            events += answer["result"]["events"]
        resumed = bob.ask(
            "resume", {"channels": [{"channel": "ann:bob", "seq": 0}], "userSeq": 0, "epoch": epoch(server)}
        )
        events_resumed = [e for e in resumed.get("result", {}).get("events", []) if e.get("channel") == "ann:bob"]
    except (ValueError, OSError, KeyError) as failure:
        error, events_resumed = repr(failure), []
    removed = [event["seq"] for event in events if event["event"] == "row.removed"]
    trial.check(f"an answer cannot be read: {error}", error is None)
    trial.check(f"{len(removed)} of {len(seqs)} damaged rows are removed rows", removed == seqs)
    trial.check(f"{len(events)} of 200 rows are listed", len(events) == 200)
    trial.check(f"{len(events_resumed)} of 200 rows are resumed", len(events_resumed) == 200)
    checked = server.run("check", "--data", server.data)
    found = len(checked.stdout.splitlines())
    trial.check(
        f"roost check finds {found} of {len(seqs) + 1} and ends with {checked.returncode}",
        checked.returncode == 1 and found >= len(seqs) + 1,
    )
    logged = server.log.read_text().count("damage")
    trial.check("the log does not name the damage", logged > 0)
    trial.figure(
        f"{len(removed)} of {len(seqs)} damaged rows are row.removed, {len(events)} listed, {len(events_resumed)}"
        f" resumed, roost check finds {found}, {logged} log lines"
    )


def epoch(server):
    socket = kit.Socket(server)
    answer = socket.ask("hello", {"version": 1, "token": server.token("bob"), "deviceID": "e"})
    socket.close()
    return answer["result"]["epoch"]
