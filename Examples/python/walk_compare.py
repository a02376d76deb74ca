"""Compares everything that a device keeps with fresh answers of the server."""

import json

from roost_apply import NEWS

# What a copy keeps: not what no table of docs/keeping-a-copy.md lists, such as `updatedAt` and `joinedAt`.
FIELDS = ("kind", "title", "memberCount", "seq", "count", "unread", "mentions", "readSeq", "role", "lastMessage",
          "lastActivityAt", "profile", "preference", "isMarkedUnread", "isHidden")
DEFAULTS = {"title": None, "mentions": 0, "lastMessage": None, "profile": {}, "preference": {"isMuted": False},
            "isMarkedUnread": False, "isHidden": False}
MEMBER = {"name": None, "imageURL": None, "role": None, "readSeq": None, "hasNickname": False, "hasChannelImage": False}


class Difference(Exception):
    """What is kept differs from what was fetched."""


class Comparison:
    def __init__(self):
        self.count = 0

    def equal(self, what, kept, fetched):
        self.count += 1
        if kept != fetched:
            show = lambda value: json.dumps(value, ensure_ascii=False, sort_keys=True)
            raise Difference(f"{what}\n  kept    {show(kept)}\n  fetched {show(fetched)}")


async def listed(eye, command, key, **body):
    return [one async for page in eye.pages(command, **body) for one in page[key]]


async def compare(blocked, eye, device):
    """Compares one device; returns how many values were compared. `blocked` has (who blocked, who was blocked), ever."""
    store, same = device.store, Comparison()
    heads = await eye.ask("resume", channels=[])
    channels = {channel["channel"]: channel for channel in await listed(eye, "channel.query", "channels", limit=100)}
    same.equal("own log: position", store.fact("userSeq") or 0, heads["userSeq"])
    same.equal("channels: positions", {id: store.channel(id)["position"] for id in store.channel_ids()},
               {place["channel"]: place["seq"] for place in heads["channels"]})
    same.equal("channels: ids", store.channel_ids(), sorted(channels))
    for id, fetched in channels.items():
        kept = store.channel(id)
        for field in FIELDS:
            same.equal(f"channel {id}: {field}", kept["shot"].get(field, DEFAULTS.get(field)),
                       fetched.get(field, DEFAULTS.get(field)))
        listing = [] if fetched["kind"] in NEWS else await listed(eye, "member.list", "members", channel=id)
        members(blocked, device, id, listing, same)
        await rows(eye, store, id, kept["first"], same)
    await overview(eye, store, same)
    after = await eye.ask("resume", channels=[])
    same.equal("the log moved meanwhile", heads["userSeq"], after["userSeq"])
    return same.count


def members(blocked, device, id, fetched, same):
    kept = device.store.members(id)
    same.equal(f"channel {id}: members", list(kept), [member["userID"] for member in fetched])
    for member in fetched:
        user = member["userID"]
        for field, default in MEMBER.items():
            # The user who is blocked is not told: the other's mark in the 1-on-1 stays what it was.
            if field == "readSeq" and ":" in id and (user, device.user) in blocked:
                continue
            # `member.invited` and `member.joined` do not say whether the name is a nickname.
            if field in ("hasNickname", "hasChannelImage") and kept[user].get("isUnsure"):
                continue
            same.equal(f"channel {id}: member {user}: {field}", kept[user].get(field, default), member.get(field, default))


async def rows(eye, store, id, first, same):
    """The rows that show, from the first one kept on, and the votes among them."""
    fetched, page = [], {"hasAfter": True, "to": first - 1}
    while page["hasAfter"]:
        page = await eye.ask("message.list", channel=id, after=page["to"], limit=100, onlyShown=True)
        fetched += page["events"]
    kept = store.rows(id, "shown")
    same.equal(f"channel {id}: rows from {first}", [row["seq"] for row in kept], [row["seq"] for row in fetched])
    for one, other in zip(kept, fetched):
        same.equal(f"channel {id}: row {one['seq']}", plain(one), plain(other))
    seqs = {row["seq"] for row in kept}
    votes = {vote: state for vote, state in store.things("vote").items()
             if state["channel"] == id and state["seq"] in seqs}
    if votes:
        answer = await eye.ask("vote.get", channel=id, messageIDs=list(votes))
        for state in answer["votes"]:
            kept = votes[state["event"]["body"]["messageID"]]
            for field in ("revision", "phase", "tally"):
                same.equal(f"channel {id}: vote {kept['seq']}: {field}", kept[field], state[field])


def plain(row):
    """A row without the head of its reactions, which is the time of a query."""
    if reactions := row["body"].get("reactions"):
        row = row | {"body": row["body"] | {"reactions": reactions["kinds"]}}
    return row if row["body"].get("reactions", True) else row | {
        "body": {key: value for key, value in row["body"].items() if key != "reactions"}}


async def overview(eye, store, same):
    """The list in its order, unread counts and their sums, invitations, blocked users, schedules."""
    shots = {id: store.channel(id)["shot"] for id in store.channel_ids()}
    listing = [channel["channel"] for channel in await listed(eye, "channel.list", "channels", limit=100)]
    same.equal("channel.list: which", sorted(id for id, shot in shots.items() if not shot["isHidden"]), sorted(listing))
    order = [shots[id]["lastActivityAt"] for id in listing]
    same.equal("channel.list: order", sorted(order, reverse=True), order)

    unread = await eye.ask("unread.get")
    muted = {id for id, shot in shots.items() if shot.get("preference", {}).get("isMuted")}
    kept = {id: (shot["unread"], shot["mentions"], id in muted, shot["isMarkedUnread"]) for id, shot in shots.items()
            if shot["unread"] or shot["isMarkedUnread"]}
    same.equal("unread.get: channels", kept, {one["channel"]: (
        one["unread"], one.get("mentions", 0), one.get("isMuted", False), one.get("isMarkedUnread", False))
        for one in unread["channels"]})
    for name, value in (("total", sum(shot["unread"] for id, shot in shots.items() if id not in muted)),
                        ("muted", sum(shot["unread"] for id, shot in shots.items() if id in muted)),
                        ("mentions", sum(shot["mentions"] for shot in shots.values()))):
        same.equal(f"unread.get: {name}", value, unread.get(name, 0))

    invited = [channel["channel"] for channel in await listed(eye, "channel.query", "channels", roles=["invited"])]
    same.equal("invitations", list(store.things("invitation")), invited)
    blocked = await listed(eye, "user.listBlocked", "users")
    same.equal("blocked users", list(store.things("blocked")), [one["user"]["userID"] for one in blocked])
    schedules = {one["scheduleID"]: one for one in await listed(eye, "schedule.list", "schedules")}
    same.equal("schedules", store.things("schedule"), schedules)
