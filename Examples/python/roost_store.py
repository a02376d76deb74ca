"""A copy of a user's channels on one device, kept by docs/keeping-a-copy.md; it needs only `websockets` and sqlite3.

`Store` is the copy: a file with positions, channels, members, rows and facts about the user. Each event changes it in
one transaction together with the position, so a process may be killed at any moment and go on with the same file.
`StoreClient` is a client that keeps a store: it gives it every event, and asks the server what the store cannot know.
"""

import asyncio
import contextlib
import json
import sqlite3

from roost_apply import NEWS, Rows
from roost_client import Client, Log, Refused

TABLES = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS channels (channel TEXT PRIMARY KEY, position INTEGER, value TEXT);
CREATE TABLE IF NOT EXISTS members (channel TEXT, userID TEXT, value TEXT, PRIMARY KEY (channel, userID));
CREATE TABLE IF NOT EXISTS rows (channel TEXT, seq INTEGER, counts INTEGER, mentions INTEGER, last INTEGER,
                                 shown INTEGER, value TEXT, PRIMARY KEY (channel, seq));
CREATE TABLE IF NOT EXISTS deleted (channel TEXT, seq INTEGER, PRIMARY KEY (channel, seq));
CREATE TABLE IF NOT EXISTS things (kind TEXT, id TEXT, value TEXT, PRIMARY KEY (kind, id));
"""
CHANNEL_GONE = (1105, 1107, 1117)


class Store(Rows):
    """The copy. `wanted` are the channels of which something has to be asked: `channel` or only the `marks`."""

    def __init__(self, path, user):
        self.user, self.wanted, self.touched = user, {}, {}
        self.db = sqlite3.connect(path, isolation_level=None)
        # Without waiting for the disk at each event: after a power failure the file is older, but whole.
        self.db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;" + TABLES)
        for id in self.channel_ids():
            channel = self.channel(id)
            if channel["want"] is not None:
                self.wanted[id] = "channel"

    def close(self):
        self.db.close()

    @contextlib.contextmanager
    def transaction(self):
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            self.db.execute("ROLLBACK")
            raise

    # Facts about the user: the epoch, the position in the own log, and things by kind.

    def fact(self, name, default=None):
        row = self.db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else default

    def set_fact(self, name, value):
        self.db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, json.dumps(value)))

    def things(self, kind):
        """Open invitations by channel, blocked users and names by user, schedules and votes by their ids."""
        found = self.db.execute("SELECT id, value FROM things WHERE kind = ? ORDER BY id", (kind,))
        return {id: json.loads(value) for id, value in found}

    def put_thing(self, kind, id, value):
        self.db.execute("DELETE FROM things WHERE kind = ? AND id = ?", (kind, id))
        if value is not None:
            self.db.execute("INSERT INTO things VALUES (?, ?, ?)", (kind, id, json.dumps(value)))

    # Channels.

    def channel_ids(self):
        return [id for id, in self.db.execute("SELECT channel FROM channels ORDER BY channel")]

    def channel(self, id):
        """What is kept of a channel, or None. `shot` is the channel as the server would return it, without members."""
        row = self.db.execute("SELECT position, value FROM channels WHERE channel = ?", (id,)).fetchone()
        return row and json.loads(row[1]) | {"id": id, "position": row[0]}

    def save(self, channel):
        value = {key: value for key, value in channel.items() if key not in ("id", "position")}
        self.db.execute("INSERT OR REPLACE INTO channels VALUES (?, ?, ?)",
                        (channel["id"], channel["position"], json.dumps(value)))

    def open(self, id, position):
        """Begins a channel at a position, if it is new: its rows are kept from `first` on."""
        channel = self.channel(id)
        if channel is None:
            channel = {"id": id, "position": position, "first": position + 1, "floor": 0, "hiddenTo": -1,
                       "want": None, "guessed": False, "shot": None}
            self.want(channel)
        return channel

    def forget(self, id):
        for table in ("channels", "members", "rows", "deleted"):
            self.db.execute(f"DELETE FROM {table} WHERE channel = ?", (id,))
        for vote, value in self.things("vote").items():
            if value["channel"] == id:
                self.put_thing("vote", vote, None)
        self.wanted.pop(id, None)

    def forget_all(self, epoch):
        with self.transaction():
            for id in self.channel_ids():
                self.forget(id)
            self.db.execute("DELETE FROM things")
            self.db.execute("DELETE FROM facts")
            self.set_fact("epoch", epoch)

    def want(self, channel):
        """Asks for the channel: an answer counts if it includes the newest row of now."""
        channel["want"] = max(channel["want"] or 0, channel["position"], (channel["shot"] or {}).get("seq", 0))
        self.wanted[channel["id"]] = "channel"

    def touch(self, id):
        """Notes that something changed that has no row in the channel's log, so that no older answer undoes it."""
        self.touched[id] = self.touched.get(id, 0) + 1

    # What the client receives.

    def take(self, row, is_live):
        """Applies the next row of a log."""
        with self.transaction():
            if "userSeq" in row:
                self.take_own(row)
                self.set_fact("userSeq", row["userSeq"])
            elif channel := self.channel(row["channel"]):
                self.take_row(channel, row, is_live)
                self.save(channel)

    def hear(self, event):
        """Applies an ephemeral event."""
        if event["event"] == "readMark.moved":
            with self.transaction():
                self.move_marks(event["channel"], event["body"]["marks"])

    def move_marks(self, id, marks):
        channel = self.channel(id)
        if channel is None:
            return
        self.touch(id)
        for mark in marks:
            user, seq = mark["userID"], mark["seq"]
            self.raise_mark(id, user, seq)
            if user == self.user and channel["shot"] and seq > channel["shot"]["readSeq"]:
                channel["shot"]["readSeq"] = seq
                self.count_unread(channel)
            # Marks come in no order with rows. Did that user send before the mark moved, or after it, which moves it on?
            if self.rows(id, "seq > ? AND json_extract(value, '$.senderID') = ?", seq, user):
                self.want(channel)
        self.save(channel)

    def reset(self, reset):
        with self.transaction():
            if "channel" not in reset:  # Too old: what its rows would have told is asked for.
                self.set_fact("userSeq", reset["seq"])
                self.set_fact("isUserKnown", False)
                for id in self.channel_ids():
                    self.drop_rows(id)
            elif reset["reason"] == "gone":
                self.forget(reset["channel"])
            else:
                self.drop_rows(reset["channel"], reset["seq"])

    def drop_rows(self, id, position=None):
        channel = self.channel(id)
        channel["position"] = channel["position"] if position is None else position
        channel["first"] = channel["position"] + 1
        for table in ("rows", "members"):
            self.db.execute(f"DELETE FROM {table} WHERE channel = ?", (id,))
        self.want(channel)
        self.save(channel)

    def complete(self, page, asked, whole):
        """Applies the last page of `resume`: positions, and the user's own marks, which may have moved unseen."""
        with self.transaction():
            heads = {place["channel"]: place["seq"] for place in page["channels"]}
            for id in heads.keys() & whole:
                channel = self.open(id, heads[id])
                channel["position"] = max(channel["position"], heads[id])
                self.save(channel)
            self.set_fact("userSeq", max(self.fact("userSeq", 0), page["userSeq"]))
            marks = {mark["channel"]: mark for mark in page["marks"]}
            for id in self.channel_ids():
                channel = self.channel(id)
                if id in whole and (mark := marks.get(id)) and channel["shot"]:
                    self.take_mark(channel, mark, self.touched.get(id) == asked.get(id) and heads.get(id))
                elif channel["guessed"]:
                    self.want(channel)
                channel["guessed"] = False
                self.save(channel)

    def take_mark(self, channel, mark, head):
        """Applies an own mark as of the row `head`. If the copy is not at this row, it asks."""
        shot = channel["shot"]
        if head == channel["position"] == shot["seq"]:
            shot |= {"readSeq": mark["seq"], "unread": mark["unread"], "mentions": mark.get("mentions", 0),
                     "isMarkedUnread": mark.get("isMarkedUnread", False), "count": mark["count"]}
        else:
            self.want(channel)

    def take_channel(self, answer, asked):
        """Applies an answer to `channel.get`; it stays wanted if the answer is too old."""
        id = answer["channel"]
        with self.transaction():
            channel = self.channel(id)
            if channel is None:
                return self.wanted.pop(id, None)
            if answer["seq"] < max(channel["position"], (channel["shot"] or {}).get("seq", 0)):
                return
            if self.touched.get(id) == asked:
                channel["want"] = None
                self.wanted.pop(id, None)
            kept = {"title": None, "count": 0, "unread": 0, "mentions": 0, "lastMessage": None, "profile": {},
                    "preference": {"isMuted": False}, "isMarkedUnread": False, "isHidden": False}
            channel["shot"] = kept | {key: value for key, value in answer.items() if key not in ("members", "channel")}
            if channel["shot"]["isHidden"]:
                channel["hiddenTo"] = max(channel["hiddenTo"], answer["seq"])
            if purged := answer.get("purgedTo"):
                self.purge(channel, purged)
            self.db.execute("DELETE FROM members WHERE channel = ?", (id,))
            for member in answer["members"]:
                self.put_member(id, member)
            self.save(channel)

    def take_reads(self, id, members):
        """Applies an answer to `member.listReads`."""
        with self.transaction():
            for mark in members:
                self.raise_mark(id, mark["userID"], mark["seq"])

    def take_page(self, page, id):
        """Keeps a page of rows that show, which lies directly before those that are kept."""
        with self.transaction():
            channel = self.channel(id)
            if channel is None or page["to"] < channel["first"] - 1:
                return
            for row in page["events"]:
                if row["seq"] < channel["first"]:
                    self.put_row(channel, row)
            channel["first"] = max(min(page["from"], channel["first"]), channel["floor"] + 1)
            # What changed since the page was read is kept here already, and not part of the page.
            for row in self.rows(id, "seq > ?", page["seq"]):
                self.change_rows(channel, row)
            self.save(channel)

    def take_votes(self, states):
        with self.transaction():
            for state in states:
                self.put_vote(state["event"], state)

    def take_user(self, invited, blocked, schedules):
        with self.transaction():
            for kind, found in (("invitation", invited), ("blocked", blocked), ("schedule", schedules)):
                self.db.execute("DELETE FROM things WHERE kind = ?", (kind,))
                for id, value in found.items():
                    self.put_thing(kind, id, value)
            self.set_fact("isUserKnown", True)


class StoreClient(Client):
    """A client that keeps a store."""

    def __init__(self, url, user, device, path, token=None):
        super().__init__(url, user, device, token)
        self.store = store = Store(path, user)
        self.epoch, self.asking, self.replaying = store.fact("epoch"), None, 0
        self.own = Log(store.fact("userSeq"))
        self.channels = {id: Log(store.channel(id)["position"]) for id in store.channel_ids()}

    async def stop(self):
        """Ends at once, as a process that is killed: what is not in the file is lost."""
        tasks = [task for task in (self.running, self.asking) if task]
        for task in tasks:
            task.cancel()
        if self.socket:
            self.socket.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.store.close()

    def began(self, epoch):
        self.store.forget_all(epoch)

    def took(self, row):
        self.store.take(row, is_live=not self.replaying)
        self.ask_soon()

    def heard(self, event):
        self.store.hear(event)
        self.ask_soon()

    def was_reset(self, reset):
        self.store.reset(reset)

    def completed(self, page, whole):
        self.store.complete(page, self.touched_before, whole)

    async def catch_up(self, only=None):
        self.replaying += 1
        try:
            await super().catch_up(only)
        finally:
            self.replaying -= 1
        if only is None:  # Marks of others have moved unseen.
            for id in self.store.channel_ids():
                self.store.wanted.setdefault(id, "marks")
        self.ask_soon()

    async def request(self, command, body, id=None):
        if command == "resume":
            self.touched_before = dict(self.store.touched)
        return await super().request(command, body, id)

    async def mark_read(self, channel, **where):
        answer = await self.ask("readMark.set", channel=channel, **where)
        with self.store.transaction():
            self.store.move_marks(channel, [answer["mark"]])
        self.ask_soon()

    async def load(self, channel, limit=20):
        """Loads a page of a conversation before the rows that are kept."""
        before = self.store.channel(channel)["first"]
        page = await self.ask("message.list", channel=channel, before=before, limit=limit, onlyShown=True)
        self.store.take_page(page, channel)
        votes = [row["body"]["messageID"] for row in page["events"] if "vote" in row["body"]]
        if votes:
            with contextlib.suppress(Refused):  # All of them are gone meanwhile.
                self.store.take_votes((await self.ask("vote.get", channel=channel, messageIDs=votes))["votes"])

    # Asking instead of guessing.

    def ask_soon(self):
        if self.asking is None and (self.store.wanted or not self.store.fact("isUserKnown")):
            self.asking = asyncio.create_task(self.ask_all())

    def is_settled(self):
        held = self.own.held or any(log.held for log in self.channels.values())
        return self.is_live.is_set() and not (held or self.replaying or self.store.wanted or self.asking)

    async def ask_all(self):
        while self.store.wanted or not self.store.fact("isUserKnown"):
            if not self.store.fact("isUserKnown"):
                await self.ask_user()
            for id in list(self.store.wanted):
                try:
                    what = self.store.wanted.get(id)
                    await (self.ask_channel(id) if what == "channel" else self.ask_reads(id))
                except Refused as refused:
                    if refused.code not in CHANNEL_GONE:
                        raise
                    self.store.wanted.pop(id, None)  # The user's own log says, or will say, why.
        self.asking = None
        async with self.changed:
            self.changed.notify_all()

    async def ask_channel(self, id):
        asked = self.store.touched.get(id)
        self.store.take_channel(await self.ask("channel.get", channel=id), asked)

    async def ask_reads(self, id):
        self.store.wanted.pop(id, None)  # First: a row that comes meanwhile may ask once more.
        if ((self.store.channel(id) or {}).get("shot") or {}).get("kind") in NEWS:
            return  # Who has read news is not disclosed.
        async for page in self.pages("member.listReads", channel=id):
            self.store.take_reads(id, page["members"])

    async def ask_user(self):
        position = self.own.position
        invited = {channel["channel"]: {"title": channel.get("title")} async for page
                   in self.pages("channel.query", roles=["invited"]) for channel in page["channels"]}
        blocked = {entry["user"]["userID"]: entry["user"] async for page
                   in self.pages("user.listBlocked") for entry in page["users"]}
        schedules = {schedule["scheduleID"]: schedule async for page
                     in self.pages("schedule.list") for schedule in page["schedules"]}
        if position == self.own.position:
            self.store.take_user(invited, blocked, schedules)
