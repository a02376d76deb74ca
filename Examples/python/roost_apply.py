"""What each event changes in the copy of roost_store.py: the tables of docs/keeping-a-copy.md, line by line."""

import json

# From the lists of events and of message types in Protocol/catalogue.md.
SHOWN = {"message.sent", "message.announced", "vote.closed", "news.created", "member.invited", "member.joined",
         "member.left", "member.kicked", "member.banned", "member.roleChanged", "member.profileChanged",
         "channel.profileChanged"}
NOTICES = {"screenshotTaken", "messageCopied", "messagesForwarded", "messageSaved"}
CALLS = {"callReceived", "callCancelled", "callRecorded"}
UNCOUNTED = NOTICES | CALLS | {"customQuiet", "customUncounted"}
NEVER_LAST = CALLS | {"customQuiet", "publicNews", "corporateNews", "voteSticker", "voteImage", "voteVideo",
                      "voteVoice", "voteContact", "voteLocation", "voteDocument"}
NEWS = {"publicNews", "corporateNews"}
DEFAULTS = {"customAttributes": 0, "avatar": "", "background": "", "canJoin": False, "editors": "participants",
            "history": "all", "minMembers": 1, "moderatorsMayRecall": True, "noticesForwards": False}
SHELL = ("messageID", "type", "text", "senderName", "senderImageURL", "count", "attributes", "isEncrypted")
EMPTY_ANSWER = ("messageID", "seq", "senderID", "senderName", "type", "sentAt")


def is_message(row):
    return row["event"] in ("message.sent", "message.announced")


def counts(row):
    """Whether the row counts as unread, if it is from somebody else."""
    if not is_message(row):
        return False
    body = row["body"]
    return bool(body["attributes"] & 16) if body.get("type") == "custom" else body.get("type") not in UNCOUNTED


def can_be_last(row):
    if not is_message(row):
        return False
    body = row["body"]
    return bool(body["attributes"] & 32) if body.get("type") == "custom" else body.get("type") not in NEVER_LAST


def is_only_number(row):
    return row["event"] == "row.removed" or row["body"].get("recall", {}).get("isSilent", False)


def shell(row, recall):
    """The row of a message after its recall."""
    body = {key: value for key, value in row["body"].items() if key in SHELL}
    return row | {"body": body | {"text": "", "recall": recall}}


def without_snapshot(row):
    """The row of an answer after the message that it answers has lost its content."""
    answered = row["body"]["replyTo"]
    empty = {key: value for key, value in answered.items() if key in EMPTY_ANSWER} | {"text": "", "isRecalled": True}
    return row | {"body": row["body"] | {"replyTo": empty}}


class Rows:
    """The part of the store that applies events; `channel` is what `Store.channel` gave, and is saved by the caller."""

    # Rows.

    def rows(self, id, condition="1", *values):
        found = self.db.execute(f"SELECT value FROM rows WHERE channel = ? AND {condition} ORDER BY seq", (id, *values))
        return [json.loads(value) for value, in found]

    def put_row(self, channel, row):
        """Keeps a row, unless it is only a number or the user must not see it."""
        id, seq = channel["id"], row["seq"]
        is_deleted = self.db.execute("SELECT 1 FROM deleted WHERE channel = ? AND seq = ?", (id, seq)).fetchone()
        if seq <= channel["floor"] or is_deleted or is_only_number(row):
            return self.delete_rows(channel, seq, seq)
        counted = counts(row) and row.get("senderID") != self.user and "recall" not in row["body"]
        mentioned = counted and any(one["userID"] == self.user for one in row["body"].get("mentions", []))
        self.db.execute("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (id, seq, counted, mentioned, can_be_last(row), row["event"] in SHOWN, json.dumps(row)))

    def delete_rows(self, channel, first, last):
        """Deletes rows with the votes among them."""
        between = (channel["id"], first, last)
        self.db.execute("DELETE FROM rows WHERE channel = ? AND seq BETWEEN ? AND ?", between)
        self.db.execute("""DELETE FROM things WHERE kind = 'vote' AND json_extract(value, '$.channel') = ?
                           AND json_extract(value, '$.seq') BETWEEN ? AND ?""", between)

    def change_message(self, channel, seq, change):
        """Changes a kept message, in the rows and as the channel's last message."""
        for row in self.rows(channel["id"], "seq = ?", seq):
            self.put_row(channel, change(row))
        last = (channel["shot"] or {}).get("lastMessage")
        if last and last["seq"] == seq:
            channel["shot"]["lastMessage"] = change(last)

    def empty_answers(self, channel, is_answered):
        """Takes the content from the snapshots of messages for which the condition holds."""
        last = (channel["shot"] or {}).get("lastMessage")
        for row in self.rows(channel["id"], "last") + ([last] if last else []):
            if (answered := row["body"].get("replyTo")) and is_answered(answered):
                self.change_message(channel, row["seq"], without_snapshot)

    # One row of a channel's log.

    def take_row(self, channel, row, is_live):
        if row["seq"] != channel["position"] + 1:  # What lies between does not exist for the user.
            self.want(channel)
        channel["position"] = row["seq"]
        self.put_row(channel, row)
        self.change_rows(channel, row)
        if vote := row["body"].get("vote"):
            counts_now = {"counts": [0] * len(vote["options"])} if vote["results"] == "live" else {}
            self.put_vote(row, {"revision": 0, "phase": "open", "tally": {"voters": 0} | counts_now})
        shot = channel["shot"]
        if shot is None or row["seq"] <= shot["seq"]:
            return
        before, shot["seq"] = shot["seq"], row["seq"]
        if "sentAt" in row:
            shot["lastActivityAt"] = max(shot["lastActivityAt"], row["sentAt"])
        else:
            self.want(channel)  # The channel's place in the list.
        if is_message(row) or row["event"] == "row.removed":
            shot["count"] = max(shot["count"], row["body"].get("count", 0))
        if is_message(row):
            self.add_message(channel, row)
        elif row["event"] == "message.recalled":
            self.count_recalled(channel, row)
        elif row["event"] == "channel.purged":
            self.count_unread(channel)
        self.move_mark_by_row(channel, row, before, is_live)
        self.change_channel(channel, row)
        self.change_members(channel, row)

    def change_rows(self, channel, row):
        """What a row changes in rows before it; doing it twice changes nothing more."""
        body = row["body"]
        if row["event"] == "message.recalled":
            recall = {key: body[key] for key in ("isSilent", "byName", "byRole") if key in body} | {"at": row["sentAt"]}
            if "senderID" in row:
                recall["byUserID"] = row["senderID"]
            for message in body["messages"]:
                self.change_message(channel, message["seq"], lambda kept: shell(kept, recall))
                self.empty_answers(channel, lambda answered: answered["messageID"] == message["messageID"])
                self.put_thing("vote", message["messageID"], None)
        elif row["event"] in ("reaction.added", "reaction.removed"):
            for kept in self.rows(channel["id"], "seq = ?", body["seq"]):  # A last message has no reactions.
                self.put_row(channel, self.reacted(kept, row))
        elif row["event"] in ("vote.cast", "vote.closed"):
            vote = self.things("vote").get(body["messageID"])
            if vote and body["revision"] > vote["revision"]:
                phase = "closed" if row["event"] == "vote.closed" else vote["phase"]
                self.put_thing("vote", body["messageID"], vote | {
                    "revision": body["revision"], "tally": body["tally"], "phase": phase})
        elif row["event"] == "channel.purged":
            self.purge(channel, body["upTo"])

    def put_vote(self, row, state):
        """Keeps the state of a vote, unless the user must not see its message."""
        kept = self.things("vote").get(row["body"]["messageID"], {"revision": -1})
        if state["revision"] >= kept["revision"] and self.rows(row["channel"], "seq = ?", row["seq"]):
            self.put_thing("vote", row["body"]["messageID"], {
                "channel": row["channel"], "seq": row["seq"], "revision": state["revision"], "phase": state["phase"],
                "tally": state["tally"]})

    def reacted(self, kept, row):
        """A message with the new count of an emoji."""
        body, reactions = row["body"], kept["body"].get("reactions", {"head": 0, "kinds": []})
        if row["seq"] <= reactions["head"] or "recall" in kept["body"]:
            return kept
        kinds = [dict(kind) for kind in reactions["kinds"]]
        plain = lambda emoji: emoji.replace("\ufe0f", "")
        kind = next((kind for kind in kinds if plain(kind["emoji"]) == plain(body["emoji"])), None)
        if kind is None:
            kinds.append(kind := {"emoji": body["emoji"], "isMine": False})
        kind["count"] = body["count"]
        if row["senderID"] == self.user:
            kind["isMine"] = row["event"] == "reaction.added"
        kinds = [kind for kind in kinds if kind["count"]]
        return kept | {"body": kept["body"] | {"reactions": {"head": row["seq"], "kinds": kinds}}}

    def purge(self, channel, up_to):
        self.delete_rows(channel, 0, up_to)
        channel["first"] = max(channel["first"], up_to + 1)
        self.empty_answers(channel, lambda answered: answered["seq"] <= up_to)
        for user, _ in self.members(channel["id"]).items():
            self.raise_mark(channel["id"], user, up_to)
        if shot := channel["shot"]:
            shot["readSeq"] = max(shot["readSeq"], up_to)
            if shot["lastMessage"] and shot["lastMessage"]["seq"] <= up_to:
                shot["lastMessage"] = None

    # The channel: last message, counts, settings.

    def add_message(self, channel, row):
        shot = channel["shot"]
        if row["body"].get("recall", {}).get("isSilent"):
            return
        if can_be_last(row):
            shot["lastMessage"] = row
        if can_be_last(row) or row["body"].get("type") in NEWS:
            shot["isHidden"] = shot["isHidden"] and row["seq"] <= channel["hiddenTo"]
        if counts(row) and row.get("senderID") != self.user and "recall" not in row["body"]:
            shot["unread"] += 1
            shot["mentions"] += any(one["userID"] == self.user for one in row["body"].get("mentions", []))

    def count_recalled(self, channel, row):
        shot, body = channel["shot"], row["body"]
        if any(message["wasCounted"] and message.get("senderID") != self.user and message["seq"] > shot["readSeq"]
               for message in body["messages"]):
            self.count_unread(channel)
        last = shot["lastMessage"]
        if body["isSilent"]:
            if last and last["body"].get("recall", {}).get("isSilent"):
                self.find_last(channel)
            if channel["hiddenTo"] >= 0 or last is None or body["messages"][-1]["seq"] >= last["seq"]:
                self.want(channel)  # It may be hidden again, up to a row that is not known here.

    def count_unread(self, channel):
        """Counts what is unread in the rows above the mark; asks if some of them are missing."""
        shot = channel["shot"]
        if shot is None:
            return
        if shot["readSeq"] >= shot["seq"]:
            shot["unread"], shot["mentions"] = 0, 0
        elif channel["first"] <= shot["readSeq"] + 1 and channel["position"] >= shot["seq"]:
            shot["unread"], shot["mentions"] = self.db.execute(
                "SELECT coalesce(sum(counts), 0), coalesce(sum(mentions), 0) FROM rows WHERE channel = ? AND seq > ?",
                (channel["id"], shot["readSeq"])).fetchone()
        else:
            self.want(channel)

    def find_last(self, channel):
        """Finds the last message in the rows; asks if there is none and older rows are missing."""
        rows = self.db.execute("SELECT value FROM rows WHERE channel = ? AND last ORDER BY seq DESC LIMIT 1",
                               (channel["id"],)).fetchone()
        last = rows and json.loads(rows[0])
        if last:
            last["body"].pop("reactions", None)
        if channel["position"] < channel["shot"]["seq"] or (last is None and channel["first"] > channel["floor"] + 1):
            return self.want(channel)
        channel["shot"]["lastMessage"] = last

    def move_mark_by_row(self, channel, row, before, is_live):
        """A row may move the mark of the user who caused it; nothing else says so."""
        sender, seq, name = row.get("senderID"), row["seq"], row["event"]
        if sender is None or name not in ("message.sent", "member.invited", "message.recalled"):
            return
        shot = channel["shot"]
        if sender != self.user:
            mark = self.members(channel["id"]).get(sender, {}).get("readSeq")
            if is_live and mark == before:
                self.raise_mark(channel["id"], sender, seq)
            elif name == "message.sent" or not is_live:  # Whether anything was unread is only known to the server.
                self.wanted.setdefault(channel["id"], "marks")
        elif not is_live:
            channel["guessed"] = True  # A mark may have moved before this row, unseen: `resume` ends with the marks.
        elif shot["readSeq"] == before or (name == "message.sent" and shot["unread"] == 0):
            shot["readSeq"] = seq
            self.raise_mark(channel["id"], self.user, seq)

    def change_channel(self, channel, row):
        shot, body = channel["shot"], row["body"]
        shot["memberCount"] = body.get("memberCount", shot["memberCount"])
        if row["event"] == "channel.profileChanged":
            changed = dict(body["profile"])
            if "title" in changed:
                shot["title"] = changed.pop("title") or None
            profile = {key: value for key, value in (shot["profile"] | changed).items() if DEFAULTS.get(key) != value}
            if profile.get("history") != "last":
                profile.pop("historyRows", None)
            shot["profile"] = profile
        elif row["event"] == "member.roleChanged":
            for member in body["members"]:
                if member["userID"] == self.user:
                    shot["role"] = member["role"]
        elif row["event"] == "member.left" and body.get("successor") == self.user:
            shot["role"] = "admin"
        elif row["event"] == "row.removed" and shot["isHidden"]:
            self.want(channel)  # A deleted message, too, shows a hidden channel again.

    # Members.

    def members(self, id):
        found = self.db.execute("SELECT userID, value FROM members WHERE channel = ? ORDER BY userID", (id,))
        return {user: json.loads(value) for user, value in found}

    def put_member(self, id, member):
        self.db.execute("INSERT OR REPLACE INTO members VALUES (?, ?, ?)", (id, member["userID"], json.dumps(member)))

    def change_member(self, id, user, **changes):
        if member := self.members(id).get(user):
            self.put_member(id, member | changes)

    def raise_mark(self, id, user, seq):
        if ":" in id and user in self.things("blocked"):
            return  # In the 1-on-1 with a blocked user the other's mark is 0.
        member = self.members(id).get(user)
        if member and member["readSeq"] < seq:
            self.put_member(id, member | {"readSeq": seq})

    def change_members(self, channel, row):
        id, body, name = channel["id"], row["body"], row["event"]
        if name in ("member.invited", "member.joined"):
            roles = {one["userID"]: one["role"] for one in body.get("roles", [])}
            for user in body["members"] if name == "member.invited" else [body["member"]]:
                # Whether the name is a nickname is not said.
                role = roles.get(user["userID"], "participant")
                self.put_member(id, user | {"role": role, "readSeq": row["seq"], "isUnsure": True})
                if (self.things("name").get(user["userID"]) or {"at": 0})["at"] >= row["sentAt"] - 5_000:
                    self.want(channel)
        elif name in ("member.kicked", "member.banned", "member.left"):
            for user in body.get("members") or [body]:
                self.db.execute("DELETE FROM members WHERE channel = ? AND userID = ?", (id, user["userID"]))
            if "successor" in body:
                self.change_member(id, body["successor"], role="admin")
        elif name == "member.roleChanged":
            for member in body["members"]:
                self.change_member(id, member["userID"], role=member["role"])
        elif name == "member.profileChanged":
            user = body["member"]
            self.change_member(id, user["userID"], name=user["name"], imageURL=user.get("imageURL"), isUnsure=False,
                               hasNickname=body["hasNickname"], hasChannelImage=body["hasChannelImage"])

    # One row of the user's own log.

    def take_own(self, row):
        name, body = row["event"], row["body"]
        if name in ("channel.hidden", "channel.ended", "channel.cleared"):
            for place in body["channels"]:
                if name != "channel.cleared":
                    self.edit(place["channel"], self.hide, place["seq"])
                if name != "channel.hidden":
                    self.edit(place["channel"], self.clear, place["seq"])
        elif name == "channel.joined":
            self.put_thing("invitation", body["channel"], None)
            channel = self.open(body["channel"], body["fromSeq"])
            if body["isHidden"]:
                channel["hiddenTo"] = max(channel["hiddenTo"], body["fromSeq"])
            self.save(channel)
        elif name == "channel.invited":
            self.put_thing("invitation", body["channel"], {"title": body.get("title")})
        elif name in ("channel.left", "channel.dismissed"):
            self.put_thing("invitation", body["channel"], None)
            self.forget(body["channel"])
        elif name == "message.deleted":
            self.edit(body["channel"], self.delete, [one["seq"] for one in body["messages"]])
        elif name == "channel.preferenceChanged":
            self.edit(body["channel"], self.set, "preference", body["preference"])
        elif name == "channel.unreadMarked":
            self.edit(body["channel"], self.set, "isMarkedUnread", body["isMarkedUnread"])
        elif name in ("user.blocked", "user.unblocked"):
            other = body["user"]["userID"]
            self.put_thing("blocked", other, body["user"] if name == "user.blocked" else None)
            self.edit(":".join(sorted((self.user, other))), self.want)  # The marks of the other.
        elif name == "user.profileChanged":
            self.rename(body["userID"], body["profile"], row["sentAt"])
        elif name in ("schedule.created", "schedule.changed"):
            self.put_thing("schedule", body["scheduleID"], body)
        elif name in ("schedule.cancelled", "schedule.sent"):
            self.put_thing("schedule", body["scheduleID"], None)

    def edit(self, id, change, *values):
        """Changes a channel by something that is not in its log. Rows may be kept before the channel is answered."""
        if channel := self.channel(id):
            self.touch(id)
            if channel["shot"] is None:
                self.want(channel)
            change(channel, *values)
            self.save(channel)

    def set(self, channel, field, value):
        if channel["shot"]:
            channel["shot"][field] = value

    def hide(self, channel, seq):
        channel["hiddenTo"] = max(channel["hiddenTo"], seq)
        if shot := channel["shot"]:
            last = shot["lastMessage"]
            shot["isHidden"] = not (last and last["seq"] > seq)
            if shot["seq"] > seq:
                self.want(channel)

    def clear(self, channel, seq):
        self.delete_rows(channel, 0, seq)
        self.db.execute("DELETE FROM deleted WHERE channel = ? AND seq <= ?", (channel["id"], seq))
        channel["floor"] = max(channel["floor"], seq)
        channel["first"] = max(channel["first"], seq + 1)
        shot = channel["shot"]
        if channel["position"] < seq or shot and shot["seq"] < seq:
            channel["position"] = max(channel["position"], seq)
            self.want(channel)
        if shot is None:
            return
        if shot["lastMessage"] and shot["lastMessage"]["seq"] <= seq:
            shot["lastMessage"] = None
        shot["isMarkedUnread"] = False
        if shot["readSeq"] < seq:
            shot["readSeq"] = seq
            self.raise_mark(channel["id"], self.user, seq)
        self.count_unread(channel)

    def delete(self, channel, seqs):
        for seq in seqs:
            self.db.execute("INSERT OR IGNORE INTO deleted VALUES (?, ?)", (channel["id"], seq))
            self.delete_rows(channel, seq, seq)
        if (last := (channel["shot"] or {}).get("lastMessage")) and last["seq"] in seqs:
            self.find_last(channel)
        self.count_unread(channel)

    def rename(self, user, profile, at):
        """A user has another name or picture: wherever the channel has not its own."""
        self.put_thing("name", user, {"at": at})
        for id in self.channel_ids():
            self.touch(id)
            if (member := self.members(id).get(user)) is None:
                continue
            if member.get("isUnsure"):
                self.edit(id, self.want)
            if "name" in profile and not member.get("hasNickname"):
                member["name"] = profile["name"]
            if "imageURL" in profile and not member.get("hasChannelImage"):
                member["imageURL"] = profile["imageURL"] or None
            self.put_member(id, member)
