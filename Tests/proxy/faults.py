#!/usr/bin/env python3
"""Two servers whose NATS loses, doubles, swaps and delays what it carries, breaks its connections, or is gone, and one that
its PostgreSQL does not answer.

Needs ROOST, the binary, PostgreSQL and nats-server. With --seconds N, NATS is gone for N seconds (2).
"""
import argparse, asyncio, json, pathlib, random, shutil, subprocess, tempfile, time, urllib.parse

from ledger import Client, is_acknowledged, judge, make_group, read_log, request
from proxy import LIMIT, ROOST, Server, check, finish, free_port

# What happens to some of the messages; otherwise something happens to the connections.
SPOILT = {"lost", "doubled", "swapped", "late"}
ROOT = pathlib.Path(__file__).resolve().parents[2]
NATS = shutil.which("nats-server") or "/usr/sbin/nats-server"
MESSAGES = 60


class Relay:
    """Stands between servers and what they need."""

    def __init__(self, target):
        self.target, self.port, self.connections = target, None, set()

    async def start(self):
        listener = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = listener.sockets[0].getsockname()[1]

    def cut(self):
        for connection in list(self.connections):
            connection.transport.abort()

    async def accept(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return writer.transport.abort()
        ends = {writer, far_writer}
        self.connections |= ends
        tasks = [asyncio.create_task(self.forward(reader, far_writer)),
                 asyncio.create_task(self.deliver(far_reader, writer))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        self.connections -= ends
        for end in ends:
            end.transport.abort()

    async def forward(self, reader, writer):
        try:
            while data := await reader.read(1 << 16):
                await self.may_pass()
                writer.write(data)
        except OSError:
            pass

    deliver = forward

    async def may_pass(self):
        pass


class SilentRelay(Relay):
    """Lets nothing pass for a while, and everything later; no end of a connection is noticed meanwhile."""

    def __init__(self, target):
        super().__init__(target)
        self.isOpen = asyncio.Event()
        self.isOpen.set()

    async def may_pass(self):
        await self.isOpen.wait()


class SpoilingRelay(Relay):
    """Lets nothing of what NATS delivers through as it is."""

    def __init__(self, target):
        super().__init__(target)
        self.fault, self.faults, self.passed, self.chance = None, 0, 0, random.Random(34)

    async def deliver(self, reader, writer):
        try:
            while line := await reader.readline():
                if line.split(b" ")[0] not in (b"MSG", b"HMSG"):
                    writer.write(line)
                    continue
                self.spoil(line + await reader.readexactly(int(line.split()[-1]) + 2), writer)
        except (OSError, asyncio.IncompleteReadError):
            pass

    def spoil(self, message, writer):
        isMeant = self.fault in SPOILT and self.chance.random() < 0.4
        self.faults += isMeant
        self.passed += not isMeant
        if not isMeant:
            writer.write(message)
        elif self.fault == "doubled":
            writer.write(message + message)
        elif self.fault in ("swapped", "late"):
            # Later ones overtake it.
            wait = self.chance.random() * (0.2 if self.fault == "late" else 0.02)
            asyncio.get_running_loop().call_later(wait, lambda: writer.is_closing() or writer.write(message))


class Writer:
    """A user at one of the servers."""

    def __init__(self, port, user, token):
        self.client, self.port, self.user, self.sent, self.rows = Client(port, user, token), port, user, 0, {}
        self.refusals = 0

    async def write(self, count):
        for _ in range(count):
            begun = time.monotonic()
            while not is_acknowledged(answer := await self.client.attempt(f"{self.user}-{self.sent}")):
                self.refusals += answer is not None
                await asyncio.sleep(0.1)
            self.rows[answer["result"]["seq"]] = begun
            self.sent += 1
            await asyncio.sleep(0.02)


class Stage:
    def __init__(self, folder, seconds):
        self.folder, self.seconds, self.servers, self.nats = folder, seconds, [], None
        self.nats_port = free_port()
        self.relay, self.wire = SpoilingRelay(self.nats_port), None

    def start_nats(self):
        self.nats = subprocess.Popen([NATS, "-a", "127.0.0.1", "-p", str(self.nats_port)], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)

    def stop_nats(self):
        self.nats.kill()
        self.nats.wait()

    async def start(self):
        self.database = subprocess.run([ROOT / "dev/postgres", "start", f"{self.folder}/postgres", "--fsync", "off"],
                                       check=True, text=True, capture_output=True).stdout.strip()
        self.start_nats()
        await self.relay.start()
        place = urllib.parse.urlsplit(self.database)
        self.wire = SilentRelay(place.port)
        await self.wire.start()
        # The second server has PostgreSQL behind the relay.
        databases = [self.database, self.database.replace(f":{place.port}/", f":{self.wire.port}/")]
        options = ["--bus", f"nats://127.0.0.1:{self.relay.port}", "--files",
                   f"{self.folder}/files", "--files-shared", "--log-level", "error"]
        options += [word for name in ("sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond")
                    for word in ("--limit", f"{name}=0")]
        for number in (1, 2):
            folder = pathlib.Path(f"{self.folder}/node{number}")
            (folder / "data").mkdir(parents=True, mode=0o700)
            if number == 2:
                shutil.copy(f"{self.folder}/node1/data/secret", folder / "data/secret")
            self.servers.append(
                await asyncio.to_thread(Server, str(folder), "--database", databases[number - 1], *options))

    async def until_bus(self, wanted):
        for server in self.servers:
            while json.loads((await asyncio.to_thread(request, server.port, "GET", "/readyz", ""))[2]).get("bus") != wanted:
                await asyncio.sleep(0.05)

    def token(self, user):
        return subprocess.run([ROOST, "token", "--data", f"{self.folder}/node1/data", "--user", user], check=True,
                              text=True, capture_output=True).stdout.strip()

    async def round(self, fault, writers):
        """All write, while something is wrong; then everybody has to have everything."""
        self.relay.fault, self.relay.faults, self.relay.passed = fault, 0, 0
        before = {writer.user: set(writer.rows) for writer in writers}
        # While NATS is gone, they write as long. Who writes reads what is missing; so in the end only one server writes.
        count = int(MESSAGES * max(1, self.seconds / 2)) if fault == "gone" else MESSAGES
        fewer = count // 3 if fault else 0
        writing = [asyncio.create_task(writer.write(count if writer.port == self.servers[0].port else fewer))
                   for writer in writers]
        if fault == "gone":
            self.stop_nats()
            await asyncio.sleep(self.seconds)
            self.start_nats()
        while fault == "broken" and not all(task.done() for task in writing):
            self.relay.cut()
            self.relay.faults += 1
            await asyncio.sleep(0.3)
        await asyncio.gather(*writing)
        try:
            await asyncio.wait_for(self.until_all_have(writers), LIMIT)
        except asyncio.TimeoutError:
            return False
        delays = sorted(reader.client.arrived.get(row, float("inf")) - begun for writer in writers
                        for row, begun in writer.rows.items() if row not in before[writer.user]
                        for reader in writers if reader.port != writer.port)
        print(f"# {fault or 'no fault'}: {self.relay.faults} faults; at the other server after {delays[len(delays) // 2] * 1000:.0f} ms, "
              f"p99 {delays[len(delays) * 99 // 100] * 1000:.0f} ms, at most {delays[-1] * 1000:.0f} ms", flush=True)
        self.relay.fault = None
        # One commit may have messages of both writers; signs of life are one a second.
        came_over_bus = fault is not None or self.relay.passed >= MESSAGES / 2
        return delays[-1] < float("inf") and came_over_bus and (fault in (None, "gone") or self.relay.faults > 2)

    async def silence(self, times, writers):
        """All write, while PostgreSQL does not answer the second server until it has refused what its users send."""
        first, second = ([writer for writer in writers if writer.port == server.port] for server in self.servers)
        for writer in writers:
            writer.refusals = 0
        self.wire.isOpen.clear()
        writing = [asyncio.create_task(writer.write(MESSAGES // 3)) for writer in second]
        begun = time.monotonic()
        await asyncio.wait_for(asyncio.gather(*(writer.write(MESSAGES // 3) for writer in first)), LIMIT)
        while not all(writer.refusals >= times for writer in second) and time.monotonic() < begun + LIMIT:
            await asyncio.sleep(0.02)
        was_refused = all(writer.refusals >= times for writer in second)
        print(f"# silence: refused {times} times after {time.monotonic() - begun:.1f} s", flush=True)
        self.wire.isOpen.set()
        await asyncio.wait_for(asyncio.gather(*writing), LIMIT)
        # Who had to connect again gets what is sent from then on.
        await asyncio.wait_for(asyncio.gather(*(writer.write(3) for writer in writers)), LIMIT)
        await asyncio.wait_for(self.until_all_have(writers), LIMIT)
        return was_refused

    async def until_all_have(self, writers):
        newest = max(row for writer in writers for row in writer.rows)
        while not all(received and received[-1][-1:] >= [newest] for received in
                      (writer.client.received for writer in writers)):
            await asyncio.sleep(0.02)

    def stop(self):
        logs = [server.stop() for server in self.servers]
        self.stop_nats()
        subprocess.run([ROOT / "dev/postgres", "remove", f"{self.folder}/postgres"], check=False)
        return logs


ROUNDS = {
    None: "a NATS without faults",
    "lost": "messages of the bus that are lost",
    "doubled": "messages of the bus that arrive twice",
    "swapped": "messages of the bus that overtake each other",
    "late": "messages of the bus that come up to 200 ms late",
    "broken": "connections to NATS that break all the time",
    "gone": "a NATS that is gone and comes back",
}


async def play(stage):
    try:
        await stage.start()
        await rounds(stage)
    finally:
        logs = await asyncio.to_thread(stage.stop)
        # Whatever is still connected.
        stage.relay.cut()
        await asyncio.sleep(0.1)
    check("no row was missing without being noticed", not any("please report" in log for log in logs),
          [log[-500:] for log in logs])


async def rounds(stage):
    await asyncio.wait_for(stage.until_bus("up"), LIMIT)
    users = [f"user{number}" for number in range(4)]
    tokens = {user: stage.token(user) for user in users}
    await make_group(stage.servers[0].port, tokens)
    writers = [Writer(stage.servers[number % 2].port, user, tokens[user]) for number, user in enumerate(users)]
    connections = [asyncio.create_task(writer.client.run()) for writer in writers]
    for writer in writers:
        await asyncio.wait_for(writer.client.isLive.wait(), LIMIT)
    for fault, words in ROUNDS.items():
        check(f"with {words}, users at both servers get everything", await stage.round(fault, writers))
    await asyncio.wait_for(stage.until_bus("up"), LIMIT)
    check("afterwards the servers hear each other again", True)
    check("nobody was disconnected", all(len(writer.client.received) == 1 for writer in writers),
          [len(writer.client.received) for writer in writers])
    logs = [pathlib.Path(f"{stage.folder}/node{number}/log").read_text() for number in (1, 2)]
    check("no server has found anything wrong", not any(logs), [log[-500:] for log in logs])
    check("if PostgreSQL does not answer, what waits is refused, others go on, and what it has stored all the same is there",
          await stage.silence(1, writers))
    check("if it does not answer for long, all goes on when it does", await stage.silence(10, writers))
    wrong = list(judge(writers, await asyncio.to_thread(read_log, stage.servers[0].port, tokens[users[0]])))
    check("what was acknowledged is in the log once, in the order of its sender, and each connection got it in the order of "
          "the log", not wrong, wrong)
    for connection in connections:
        connection.cancel()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2, metavar="N")
    with tempfile.TemporaryDirectory(prefix="roost-bus.") as folder:
        pathlib.Path(folder).chmod(0o755)
        asyncio.run(play(Stage(folder, parser.parse_args().seconds)))
    finish()


if __name__ == "__main__":
    main()
