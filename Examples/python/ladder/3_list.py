"""Adds the list of channels with unread counts to 2_positions.py; this file has only what is new.

    python3 3_list.py ann lobby [ws://127.0.0.1:7878]

- On each connection it reads the list, with the row (`seq`) that each answer includes.
- A message changes the counts by the rule of the chapter *Unread* (`count`).
- What can change them in another way makes it read this one channel again (`reread`): see docs/keeping-a-copy.md.

It prints a line `= CHANNEL UNREAD TITLE` whenever one changes. `/read CHANNEL` marks a channel as read. An open channel,
such as the one that is named on the command line, has no counts and is not in the list.
"""

import asyncio, importlib, sys

first = importlib.import_module("2_positions")
UNSURE = {"message.recalled", "channel.purged", "message.deleted", "channel.cleared", "channel.ended", "channel.hidden",
          "readMark.moved", "row.removed", "channel.profileChanged"}


class Client(first.Client):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.channels, self.stale = {}, set()               # by id, as the server gives them, with `read`

    def show(self, id):
        channel = self.channels[id]
        members = ", ".join(member["name"] for member in channel["members"] if member["userID"] != self.me)
        line = f"= {id} {channel['unread']} {channel.get('title') or members}"
        if channel.get("shown") != line:
            channel["shown"] = line
            print(line, flush=True)

    def keep(self, channel):
        """Keeps what the server says about a channel; an answer that is older than the rows taken is asked for again."""
        id = channel["channel"]
        if channel["kind"] == "open" or id not in self.position:
            return
        if channel["seq"] < self.position.get(id, 0):
            return self.stale.add(id)
        channel |= {"read": channel["count"] - channel["unread"], "shown": self.channels.get(id, {}).get("shown")}
        self.channels[id] = channel
        self.show(id)

    def take(self, event):
        super().take(event)
        if event["event"] == "readMark.moved":              # of no log: it may be from another device of this user
            self.doubt(event)

    def apply(self, event):
        super().apply(event)
        id = event.get("channel") or event["body"].get("channel")
        if event["event"] in ("channel.left", "channel.dismissed"):
            self.channels.pop(id, None)
            print("=", id, "gone", flush=True)
        elif event["event"] in UNSURE or event["event"] == "channel.joined" or event["event"].startswith("member."):
            self.doubt(event)
        elif id in self.channels and event["event"] in ("message.sent", "message.announced"):
            self.count(self.channels[id], event)

    def count(self, channel, event):
        """The rule of the chapter *Unread*, for a row that the channel does not include yet."""
        if event["seq"] <= channel["seq"]:
            return
        channel["seq"] = event["seq"]
        if event["body"]["count"] > channel["count"]:       # otherwise this type of message does not count
            channel["count"] = event["body"]["count"]
            if event.get("senderID") != self.me:
                channel["unread"] = channel["count"] - channel["read"]
            elif channel["unread"] == 0:
                channel["read"] = channel["count"]
            else:
                channel["read"] += 1
        self.show(channel["channel"])

    def doubt(self, event):
        places = event["body"].get("channels") or [{"channel": event.get("channel") or event["body"]["channel"]}]
        self.stale |= {place["channel"] for place in places}
        asyncio.create_task(self.reread())

    async def reread(self):
        while self.stale:
            try:
                self.keep(await self.ask("channel.get", {"channel": self.stale.pop()}))
            except RuntimeError:
                pass                                        # the channel is gone
            except (OSError, first.websockets.WebSocketException):
                return                                      # the next connection reads all channels

    async def connected(self):
        await super().connected()
        page = {"next": None}
        while "next" in page:
            cursor = {"cursor": page["next"]} if page["next"] else {}
            page = await self.ask("channel.query", {"limit": 30, "withMembers": True} | cursor)
            for channel in page["channels"]:
                self.keep(channel)
        await self.reread()

    async def typed(self, line):
        if line.startswith("/read "):
            await self.ask("readMark.set", {"channel": line.split()[1]})
        else:
            await super().typed(line)


if __name__ == "__main__":
    asyncio.run(Client(*sys.argv[1:]).run())
