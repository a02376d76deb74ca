#!/usr/bin/env python3
"""Random commands of several users against a real server; after each pause, every copy must equal what it returns.

It starts its own `roost serve --dev` (ROOST=PATH, or --roost PATH, else .build/release/roost). Users with one or two
devices each send commands (walk_commands.py), lose connections, are killed and go on with their files, and the server
is killed now and then. At each quiet point every value that a device keeps (roost_store.py) is compared with the answer
to a fresh query. Prints the seed, the steps and the number of comparisons; on a difference prints both values and
ends with exit code 1.
"""

import argparse
import asyncio
import contextlib
import os
import random
import sys
import time

from roost_client import Client, Refused
from roost_server import Server
from roost_store import StoreClient
from walk_commands import COMMANDS, USERS
from walk_compare import Difference, compare

LIMITS = [word for limit in ("sendsPerSecond=0", "channelSendsPerSecond=0", "commandsPerSecond=0")
          for word in ("--limit", limit)]
QUIET = 60  # Seconds after which a copy that is not complete counts as a difference.
LATE = 15  # Seconds that a read mark may take; less than a heartbeat, which would repair what was lost.


class Walk:
    def __init__(self, seed, steps, server):
        self.seed, self.steps, self.server, self.random = seed, steps, server, random.Random(seed)
        self.step, self.comparisons, self.done, self.refused = 0, 0, 0, 0
        self.numbers = iter(range(1, 1 << 30))
        self.blocked = set()  # (who blocked, who was blocked), ever.
        self.devices, self.eyes, self.tasks = {}, {}, {}

    async def run(self):
        for user in USERS:
            self.eyes[user] = eye = Client(self.server.url, user, "eye-" + user)
            eye.pause = 0.02
            await eye.start()
            for number in range(self.random.randint(1, 2)):
                self.devices[f"{user}-{number + 1}"] = None
        self.boss = Client(self.server.url, "boss", "boss-1", self.server.operator_token("boss"))
        self.boss.pause = 0.02
        await self.boss.start()
        for name in self.devices:
            await self.start(name)
        try:
            while self.step < self.steps:
                await self.burst(self.random.randint(5, 25))
                await self.compare_all()
        finally:
            for name in list(self.devices):
                await self.kill(name)
            for client in (*self.eyes.values(), self.boss):
                await client.stop()

    async def start(self, name):
        device = StoreClient(self.server.url, name.split("-")[0], name, f"{self.server.folder.name}/{name}.sqlite")
        device.pause = 0.02
        self.devices[name] = device
        await device.start()

    async def kill(self, name):
        for task in self.tasks.pop(name, []):
            task.cancel()
        if device := self.devices[name]:
            self.devices[name] = None
            await device.stop()

    async def burst(self, count):
        """Some commands, partly at the same time; connections, devices and the server fail in between."""
        for _ in range(count):
            self.step += 1
            name = self.random.choice(list(self.devices))
            chance = self.random.random()
            if chance < 0.02:
                self.server.kill()
                self.server.start()
            elif chance < 0.10:
                await self.kill(name)
            elif self.devices[name] is None:
                if chance < 0.5:
                    await self.start(name)
            elif chance < 0.17 and self.devices[name].is_live.is_set():
                self.devices[name].drop()
            else:
                task = asyncio.create_task(self.command(self.devices[name]))
                self.tasks.setdefault(name, []).append(task)
                if self.random.random() < 0.6:
                    await asyncio.wait([task], timeout=QUIET)
        for name, device in self.devices.items():
            if device is None:
                await self.start(name)
        await asyncio.gather(*(task for tasks in self.tasks.values() for task in tasks))
        self.tasks = {}

    async def command(self, device):
        command = None  # Many need something that the device may not have, such as a message of its own.
        while not command:
            command = self.random.choices(list(COMMANDS), list(COMMANDS.values()))[0](self, device)
        try:
            await asyncio.wait_for(command, QUIET)
            self.done += 1
        except Refused as refusal:
            # A ban of 300 ms may arrive when it is over. Otherwise the walk itself is wrong, or the server failed.
            if refusal.code in (6, 1002, 7007, 7008) and refusal.field != "bannedUntil":
                raise
            self.refused += 1

    async def compare_all(self):
        for name, device in self.devices.items():
            until = time.monotonic() + QUIET
            while True:
                try:
                    await self.settle(device, until)
                    self.comparisons += await compare(self.blocked, self.eyes[device.user], device)
                    break
                except Difference as difference:
                    # A read mark may still be on its way: nothing else says that it moved.
                    if time.monotonic() > until - QUIET + LATE:
                        raise Difference(f"seed {self.seed}, step {self.step}, device {name}: {difference}") from None
                    async with device.changed:
                        with contextlib.suppress(asyncio.TimeoutError):
                            await asyncio.wait_for(device.changed.wait(), 0.5)

    async def settle(self, device, until):
        """Waits until a device has all that the server has, and asks nothing more."""
        while True:
            heads = await self.eyes[device.user].ask("resume", channels=[])
            positions = {place["channel"]: place["seq"] for place in heads["channels"]}

            def is_complete():
                return (device.is_settled() and (device.own.position or 0) >= heads["userSeq"]
                        and all(id in device.channels and (device.channels[id].position or 0) >= seq
                                for id, seq in positions.items()))
            if is_complete():
                return
            for task in (device.running, device.asking):
                if task and task.done():
                    task.result()  # Why it has ended.
            async with device.changed:
                try:
                    await asyncio.wait_for(device.changed.wait_for(is_complete), 2)
                except asyncio.TimeoutError:
                    if time.monotonic() >= until:
                        raise Difference(f"never complete: {device.store.wanted}, heads {positions}, kept "
                                         f"{ {id: log.position for id, log in device.channels.items()} }") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, help="how many walks (default: 20; 100 if ROOST_LONG is set)")
    parser.add_argument("--steps", type=int, default=150, help="commands and failures per walk (default: 150)")
    parser.add_argument("--seed", type=int, help="the seed of the first walk (default: ROOST_SEED, else 1)")
    parser.add_argument("--roost", help="the server's binary")
    options = parser.parse_args()
    first = int(os.environ.get("ROOST_SEED", "1")) if options.seed is None else options.seed
    seeds = options.seeds or (100 if os.environ.get("ROOST_LONG") else 20)
    began, comparisons = time.monotonic(), 0
    for seed in range(first, first + seeds):
        random.seed(seed)  # The client's own choices, such as pauses.
        settings = [*LIMITS, "--limit", f"resumeRows={random.choice([12, 10000])}"]
        if random.random() < 0.5:  # Old rows are removed whenever the server starts.
            settings += ["--retain", "group=12", "--retain", "single=8"]
        with Server(*settings, binary=options.roost) as server:
            walk = Walk(seed, options.steps, server)
            try:
                asyncio.run(walk.run())
            except Difference as difference:
                sys.exit(f"not ok - {difference}")
        comparisons += walk.comparisons
        print(f"ok - seed {seed}: {walk.step} steps, {walk.done} commands done, {walk.refused} refused, "
              f"{walk.comparisons} comparisons", flush=True)
    print(f"{seeds} seeds, {seeds * options.steps} steps or more, {comparisons} comparisons, "
          f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
