#!/usr/bin/env python3
"""What the copy of the Python client concludes from rows, in orders of arrival that a run against a server rarely has."""
import pathlib
import sys
import tempfile

from cases import ROOT, check, end

sys.path.insert(0, str(ROOT / "Examples/python"))
from roost_store import Store  # noqa: E402

ID = "ann:bob"
PLACE = {"channel": ID, "kind": "single", "memberCount": 2, "role": "admin", "lastActivityAt": 0}


def kept(folder, user):
    """The copy of a user in a 1-on-1 at row 6, of which each has read five."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    store = Store(str(folder / "copy.sqlite"), user)
    with store.transaction():
        store.save(store.open(ID, 6))
    store.take_channel(PLACE | {"seq": 6, "readSeq": 5, "unread": 1, "count": 6, "members": [
        {"userID": each, "name": each, "role": "admin", "readSeq": 5} for each in ("ann", "bob")]}, None)
    return store


def message(seq, sender):
    return {"event": "message.sent", "channel": ID, "seq": seq, "senderID": sender, "sentAt": seq,
            "body": {"messageID": f"m{seq}", "type": "text", "text": "", "count": seq}}


def moved(user, seq):
    return {"event": "readMark.moved", "channel": ID, "body": {"marks": [{"userID": user, "seq": seq}], "moved": 1}}


def mark(store, user):
    return store.members(ID)[user]["readSeq"]


def main(folder):
    # Bob sends message 7 while 6 is unread, which moves no mark, and then reads 6.
    store = kept(folder, "ann")
    store.hear(moved("bob", 6))
    store.take(message(7, "bob"), is_live=False)
    check("a mark that came before an older row stays", mark(store, "bob") == 6, mark(store, "bob"))
    check("and the marks are asked for", store.wanted == {ID: "marks"}, store.wanted)

    store = kept(folder, "ann")
    store.hear(moved("bob", 6))
    store.take(message(7, "bob"), is_live=True)
    check("a live row moves the mark of its sender on", mark(store, "bob") == 7 and not store.wanted, mark(store, "bob"))

    store = kept(folder, "ann")
    store.take(message(7, "bob"), is_live=True)
    check("a row of a sender with unread messages moves no mark, and the marks are asked for",
          mark(store, "bob") == 5 and store.wanted == {ID: "marks"}, (mark(store, "bob"), store.wanted))

    # The same for the own mark, which another device has moved.
    store = kept(folder, "ann")
    store.hear(moved("ann", 6))
    store.take(message(7, "ann"), is_live=False)
    check("an own mark that came before an older row stays until the marks of resume",
          mark(store, "ann") == 6 and store.channel(ID)["guessed"], mark(store, "ann"))


with tempfile.TemporaryDirectory() as scratch:
    main(scratch)
end()
