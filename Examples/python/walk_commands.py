"""The commands of walk.py: each function makes one for a device, or returns None if there is nothing to do it with."""

import time

USERS = ("ann", "bob", "cat", "dan")


def pick(walk, things):
    things = list(things)
    return walk.random.choice(things) if things else None


def chance(walk, share):
    return walk.random.random() < share


def channel(walk, device, kinds=("group", "single", "self")):
    return pick(walk, (id for id in device.channels if (shot := (device.store.channel(id) or {}).get("shot"))
                       and shot["kind"] in kinds))


def others(walk, device, most):
    return walk.random.sample([user for user in USERS if user != device.user], walk.random.randint(1, most))


def message(walk, device, condition=lambda row: True):
    """A channel and a message in it, of those that the device keeps."""
    if (id := channel(walk, device)) is None:
        return None, None
    row = pick(walk, (row for row in device.store.rows(id, "shown") if "messageID" in row["body"]
                      and "recall" not in row["body"] and row["event"] != "vote.closed" and condition(row)))
    return (id, row) if row else (None, None)


def member(walk, device, id):
    return pick(walk, (user for user in device.store.members(id) if user != device.user))


def text(walk):
    return f"text {next(walk.numbers)}"


def picture(walk):
    return f"https://example.com/{next(walk.numbers)}"


def create_group(walk, device):
    members = [pick(walk, [user, {"userID": user, "role": "invited"}, {"userID": user, "role": "moderator"},
                           {"userID": user, "nickname": f"{user} {next(walk.numbers)}"}])
               for user in others(walk, device, 3)]
    profile = pick(walk, [{}, {"canJoin": True}, {"history": "sinceJoin", "canJoin": True},
                          {"history": "last", "historyRows": 3, "canJoin": True}, {"moderatorsMayRecall": False}])
    return device.do("channel.create", kind="group", channel=f"g{next(walk.numbers)}", title=text(walk),
                     members=members, profile=profile)


def create_single(walk, device):
    return device.do("channel.create", kind="single", members=[pick(walk, USERS)])


def send(walk, device):
    if (id := channel(walk, device)) is None:
        return None
    body = {"channel": id, "text": text(walk)}
    if chance(walk, 0.2) and (user := member(walk, device, id)):
        body |= {"mentions": [{"userID": user, "start": 0, "length": 4}]}
    if chance(walk, 0.3) and (row := pick(walk, device.store.rows(id, "last"))):
        body |= {"replyTo": row["body"]["messageID"]}
    return device.do("message.send", **body)


def send_other_type(walk, device):
    id, row = message(walk, device)
    if row is None:
        return None
    body = pick(walk, [{"type": "sticker", "text": "pack,1,2"}, {"type": "customQuiet", "text": "q"},
                       {"type": "customUncounted", "text": "u"}, {"type": "custom", "attributes": 1, "text": "c"},
                       *({"type": "custom", "attributes": bits, "text": "c"} for bits in (2, 17, 33, 49)),
                       {"type": "screenshotTaken", "replyTo": row["body"]["messageID"]},
                       {"type": "callReceived", "call": {"callID": "c-1", "kind": "video"}},
                       {"type": "location", "location": {"latitude": 1.5, "longitude": 2.5}}])
    return device.do("message.send", channel=id, **body)


def send_many(walk, device):
    ids = {channel(walk, device) for _ in range(3)} - {None}
    return device.do("message.sendMany", channels=sorted(ids),
                     messages=[{"text": text(walk)}, {"text": text(walk)}]) if ids else None


def forward(walk, device):
    id, row = message(walk, device, lambda row: row["body"].get("type") == "text")
    return row and device.do("message.forward", channel=id, messageIDs=[row["body"]["messageID"]],
                             channels=[channel(walk, device)])


def announce(walk, device):
    id = channel(walk, device, ("group", "single"))
    return id and walk.boss.do("message.announce", channel=id, text=text(walk))


def react(walk, device):
    if chance(walk, 0.4):
        own = lambda row: [kind for kind in row["body"].get("reactions", {}).get("kinds", []) if kind["isMine"]]
        id, row = message(walk, device, own)
        return row and device.do("reaction.remove", channel=id, messageID=row["body"]["messageID"],
                                 emoji=own(row)[0]["emoji"])
    id, row = message(walk, device)
    return row and device.do("reaction.add", channel=id, messageID=row["body"]["messageID"],
                             emoji=pick(walk, ["👍", "❤️", "❤", "🎂"]))


def recall(walk, device):
    is_own = chance(walk, 0.7)
    id, row = message(walk, device, lambda row: not is_own or row.get("senderID") == device.user)
    if row is None:
        return None
    ids = {row["body"]["messageID"]}
    if chance(walk, 0.3) and (more := pick(walk, device.store.rows(id, "last"))):
        ids.add(more["body"]["messageID"])
    return device.do("message.recall", channel=id, messageIDs=sorted(ids), isSilent=chance(walk, 0.5))


def recall_newest(walk, device):
    """The last message of a channel, silently: the one before takes its place."""
    id = channel(walk, device)
    rows = device.store.rows(id, "last") if id else []
    return rows and device.do("message.recall", channel=id, messageIDs=[rows[-1]["body"]["messageID"]],
                              isSilent=chance(walk, 0.7)) or None


def delete(walk, device):
    id, row = message(walk, device)
    return row and device.do("message.delete", scope="messages", channel=id, messageIDs=[row["body"]["messageID"]])


def delete_newest(walk, device):
    id = channel(walk, device)
    rows = device.store.rows(id, "last") if id else []
    return rows and device.do("message.delete", scope="messages", channel=id,
                              messageIDs=[row["body"]["messageID"] for row in rows[-2:]]) or None


def clear(walk, device):
    id = channel(walk, device)
    return id and device.do("message.delete", scope="channel", channel=id)


def clear_everything(walk, device):
    return device.do("message.delete", scope="everything") if chance(walk, 0.3) else None


def hide(walk, device):
    if chance(walk, 0.1):
        return device.do("channel.hide")
    id = channel(walk, device)
    return id and device.do("channel.hide", channel=id)


def end(walk, device):
    if chance(walk, 0.05):
        return device.do("channel.end")
    id = channel(walk, device, ("single", "self"))
    return id and device.do("channel.end", channel=id)


def mark_read(walk, device):
    if chance(walk, 0.1):
        return device.ask("readMark.setAll")
    id = channel(walk, device)
    row = id and pick(walk, device.store.rows(id, "shown"))
    if row and chance(walk, 0.5):
        return device.mark_read(id, seq=row["seq"])
    return id and device.mark_read(id)


def mark_unread(walk, device):
    id = channel(walk, device)
    return id and device.do("readMark.unset", channel=id)


def invite(walk, device):
    id = channel(walk, device, ("group",))
    members = [pick(walk, [user, user, {"userID": user, "role": "invited"},
                           {"userID": user, "nickname": f"{user} {next(walk.numbers)}"}])
               for user in others(walk, device, 2)]
    return id and device.do("member.invite", channel=id, members=members)


def answer(walk, device):
    id = pick(walk, device.store.things("invitation"))
    return id and device.do("member.answer", channel=id, isAccepted=chance(walk, 0.7))


def join(walk, device):
    """A group that others know: perhaps one that the user has left."""
    other = pick(walk, (one for one in walk.devices.values() if one and one.user != device.user))
    id = other and channel(walk, other, ("group",))
    return id and id not in device.channels and device.do("member.join", channel=id) or None


def leave(walk, device):
    id = channel(walk, device, ("group",))
    if id is None:
        return None
    successor = member(walk, device, id)
    is_admin = device.store.channel(id)["shot"]["role"] == "admin"
    return device.do("channel.leave", channel=id, **({"successor": successor} if is_admin and successor else {}))


def kick(walk, device):
    id = channel(walk, device, ("group",))
    user = id and member(walk, device, id)
    return user and device.do("member.kick", channel=id, members=[user])


def ban(walk, device):
    id = channel(walk, device, ("group",))
    now = int(time.time() * 1000)
    until = pick(walk, [{}, {"bannedUntil": now + 300}, {"bannedUntil": now + 60_000}])
    return id and device.do("member.ban", channel=id, members=others(walk, device, 1), **until)


def unban(walk, device):
    id = channel(walk, device, ("group",))
    return id and device.do("member.unban", channel=id, members=others(walk, device, 1))


def set_role(walk, device):
    id = channel(walk, device, ("group",))
    user = id and pick(walk, device.store.members(id))
    return user and device.do("member.setRole", channel=id, userID=user,
                              role=pick(walk, ["participant", "moderator", "admin"]))


def set_profile(walk, device):
    profile = pick(walk, [{"title": text(walk)}, {"title": ""}, {"avatar": text(walk)}, {"avatar": ""},
                          {"customAttributes": walk.random.randint(0, 2)}, {"canJoin": True}, {"canJoin": False},
                          {"history": "all"}, {"history": "last", "historyRows": 2}, {"history": "sinceJoin"},
                          {"editors": "moderators"}, {"editors": "participants"}, {"background": text(walk)},
                          {"moderatorsMayRecall": True}, {"title": text(walk), "noticesForwards": chance(walk, 0.5)}])
    id = channel(walk, device)
    return id and device.do("channel.setProfile", channel=id, profile=profile)


def set_preference(walk, device):
    id = channel(walk, device)
    change = pick(walk, [{"isMuted": True}, {"isMuted": False}, {"nickname": text(walk)}, {"nickname": ""},
                         {"imageURL": picture(walk)}, {"imageURL": ""}, {"ringtone": "bell"}])
    return id and device.do("channel.setPreference", channel=id, **change)


def set_name(walk, device):
    profile = pick(walk, [{"name": text(walk)}, {"imageURL": picture(walk)}, {"imageURL": ""}])
    return device.do("user.setProfile", profile=profile)


def block(walk, device):
    user = others(walk, device, 1)[0]
    walk.blocked.add((device.user, user))
    return device.do("user.block", userID=user)


def unblock(walk, device):
    user = pick(walk, device.store.things("blocked"))
    return user and device.do("user.unblock", userID=user)


def create_vote(walk, device):
    id = channel(walk, device)
    vote = {"options": [{"text": "yes"}, {"text": "no"}], "canChange": chance(walk, 0.7),
            "results": pick(walk, ["live", "live", "atEnd"]), "isSecret": chance(walk, 0.2)}
    return id and device.do("vote.create", channel=id, subject=text(walk), vote=vote)


def cast(walk, device):
    id, row = message(walk, device, lambda row: "vote" in row["body"])
    if row is None:
        return None
    if chance(walk, 0.2):
        return device.do("vote.close", channel=id, messageID=row["body"]["messageID"])
    return device.do("vote.cast", channel=id, messageID=row["body"]["messageID"], options=[walk.random.randint(0, 1)])


def schedule(walk, device):
    if (id := pick(walk, device.store.things("schedule"))) and chance(walk, 0.5):
        return device.do("schedule.cancel", scheduleID=id)
    id = channel(walk, device)
    return id and device.do("schedule.create", channels=[id], messages=[{"text": text(walk)}],
                            sendAt=int(time.time() * 1000) + 3_600_000)


def dismiss(walk, device):
    id = channel(walk, device, ("group",))
    return id and chance(walk, 0.3) and device.do("channel.dismiss", channel=id) or None


def load(walk, device):
    id = channel(walk, device)
    return id and device.load(id, limit=walk.random.randint(1, 8))


COMMANDS = {
    create_group: 5, create_single: 4, send: 30, send_other_type: 8, send_many: 3, forward: 2, announce: 2, react: 8,
    recall: 5, recall_newest: 4, delete: 5, delete_newest: 3, clear: 2, clear_everything: 1, hide: 4, end: 3,
    mark_read: 9, mark_unread: 3, invite: 5, answer: 5, join: 5, leave: 2, kick: 3, ban: 3, unban: 2, set_role: 3,
    set_profile: 4, set_preference: 5, set_name: 3, block: 2, unblock: 2, create_vote: 3, cast: 4, schedule: 2,
    dismiss: 1, load: 5,
}
