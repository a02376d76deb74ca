#!/usr/bin/env python3
"""Huge and strange data, and frames that make no sense: nothing overflows or freezes, and the right messages show.

Needs ROOST, the server's binary.
"""
import json
import re

from app_driver import World, escape
from browser import expect, frames, run, same, test, until_same
from hostile_driver import WORDS, check, show, watched

OVERFLOW = r"""() => {
  const found = [];
  const visit = root => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) visit(element.shadowRoot);
      const { left, right, width } = element.getBoundingClientRect();
      // What is in these is cut off with an ellipsis.
      if (!width || element.closest(".visually-hidden, [hidden], .ellipsis > *, .ellipsis > * *")) continue;
      const { overflowX } = getComputedStyle(element);
      if (overflowX === "auto" && element.scrollWidth > element.clientWidth) found.push(`${element.className} scrolls`);
      // White space hangs over the edge, and joined emoji are one character: what is over the edge is cut off.
      const isOneLine = /\s{100}|(👩\u200d){50}/u.test(element.textContent);
      if (isOneLine && getComputedStyle(element.closest(".text") ?? element).overflowX === "clip") continue;
      if (left < -1 || right > innerWidth + 1) {
        found.push(`${element.className} ${left} ${right} ${element.textContent.slice(0, 9)}`);
      }
    }
  };
  visit(document);
  return [document.documentElement.scrollWidth > innerWidth && "page", ...found].filter(Boolean);
}"""


@test("huge and strange texts, names and titles stay in their place at 320 px, and the field still takes a key")
def _(stage):
    world = World(stage)
    names = {"bob": "W" * 200, "cat": "\u2067evil \u2069" * 25, "dan": "e\u0301" + "\u0301" * 7, "eve": "\u200be\u2060\u00ad"}
    world.users(ann="Ann", **{user: user for user in names})
    for user, name in names.items():
        world.call(user, "user.setProfile", profile={"name": name})
    family = "\u200d".join("👩🏽 👨🏻 👧🏾".split()) * 33
    texts = ["x" * 8000, "e" + "\u0301" * 300, "👩\u200d" * 100, family, "\u202e" * 500 + "abc", "\u2067" * 100 + "abc",
             "﷽" * 200, "𒐫" * 50, "\u0e49" * 300, "a\n" * 4000, "https://example.com/" + "a" * 2000,
             "\u00a0x\u00a0" * 500,
             "﷽" * 10 + "W" * 300, "\u200b", "\u2060\u2060", "(" * 8000, "@" * 8000, "😀" * 4000, "\t" * 200 + "x",
             "\ufdfd\n" * 50]
    titles = ["W" * 200, " ", "\u200b", "\u2067abc\u2069" * 40, "Z" + "\u0321\u0352" * 99, "﷽" * 100, "👨\u200d" * 66]
    rooms = []
    for title in titles:
        try:
            rooms.append(world.group("bob", ["ann", *(user for user in names if user != "bob")], title))
            rooms.append(world.open_channel("bob", f"open-{len(rooms)}", title))
        except AssertionError as error:
            same('"code":6' in str(error), True, str(error))
    same(len(rooms) >= 6, True)
    for number, text in enumerate(texts):
        user = list(names)[number % len(names)]
        try:
            first = world.send(user, rooms[0], text)["messageID"]
        except AssertionError as error:
            same('"code":1001' in str(error), True, str(error))
            continue
        world.send(user, rooms[0], f"{text[:400]}\n\n\n\n\nx", replyTo=first)
        world.call(user, "message.send", channel=rooms[2 * (number % 2)], type="location",
                   location={"latitude": 1, "longitude": 2, "address": text[:400]})
        world.call(user, "reaction.add", channel=rooms[0], messageID=first, emoji="👩🏽\u200d👩🏽\u200d👧🏾")
        for room in rooms[1:]:
            world.send(user, room, f"{text[:3000]}x")
    question = {"options": [{"type": "text", "text": text[-400:]} for text in (texts[0], *texts[3:5])]}
    world.call("bob", "vote.create", channel=rooms[0], subject="W" * 900, vote=question)
    for user in names:
        world.group(user, [{"userID": "ann", "role": "invited"}], "W" * 200)
    for emulation in ({"width": 320, "height": 568}, {"width": 320, "height": 9000}):
        page = watched(world, **emulation)
        expect(page.locator(".channels > ul .channel")).to_have_count(
            len([room for room in rooms if room[:4] != "open"]))
        same(page.evaluate(OVERFLOW), [], "list")
        for room in rooms[:4]:
            show(page, room, 1)
            same(page.evaluate(OVERFLOW), [], room)
            field = page.get_by_role("textbox", name="Message")
            field.press("k")
            expect(field).to_have_value("k")
            field.press("Backspace")
        # All the way up.
        show(page, rooms[0], 1)
        for _ in range(60):
            if not page.evaluate("""() => {
              const list = document.querySelector("roost-chat").shadowRoot.querySelector(".scroller");
              list.scrollTop -= list.clientHeight;
              return list.scrollTop > 0;
            }"""):
                break
            frames(page)
            same(page.evaluate(OVERFLOW), [], "scrolled")
        page.get_by_role("button", name=re.compile("^Details")).click()
        expect(page.locator("dialog .person").nth(4)).to_be_visible()
        same(page.evaluate(OVERFLOW), [], "details")
        escape(page)
        field.press("z")
        expect(field).to_have_value("z")
        check(page)
        page.context.close()


class Between:
    """What stands between a page and its server, and changes what the server says."""

    def __init__(self, page):
        self.sockets, self.change = [], lambda frame: [frame]
        page.route_web_socket("**/v1/connect", self.opened)

    def opened(self, socket):
        server = socket.connect_to_server()
        self.sockets.append(socket)
        socket.on_message(server.send)
        server.on_message(lambda text: self.pass_on(socket, text))

    def pass_on(self, socket, text):
        for frame in self.change(json.loads(text)):
            socket.send(frame if isinstance(frame, (str, bytes)) else json.dumps(frame))

    def send(self, frame):
        self.sockets[-1].send(frame if isinstance(frame, (str, bytes)) else json.dumps(frame))


def stage_between(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.single("ann", "bob")
    world.send("bob", "ann:bob", "0")
    made = []
    # So high that all rows are drawn.
    page = watched(world, height=4000, before=lambda page: made.append(Between(page)))
    show(page, "ann:bob", 1)
    return world, page, made[0]


def shows(page, *texts):
    until_same(page, WORDS, list(texts))
    check(page)


@test("frames that make no sense are passed over: the page stays connected, and shows the messages after them")
def _(stage):
    world, page, between = stage_between(stage)
    strange = [
        "", "x", "{", "null", "7", '"x"', "[]", "[1,2]", "{}", b"", b"\x00\x01", b"{}", '{"id":"r1"}',
        '{"id":7,"result":{}}',
        '{"id":"nobody","result":{"channel":"x"}}', '{"id":"__proto__","result":1}', '{"event":7}', '{"event":""}',
        '{"event":"no.such"}', '{"event":"no.such","body":null}', '{"event":"__proto__","body":{}}',
        '{"event":"no.such","channel":"ann:bob","body":{"a":1}}', '{"event":"typing.started"}',
        '{"event":"readMark.moved"}',
        '{"event":"readMark.moved","channel":"ann:bob","body":{}}',
        '{"event":"readMark.moved","channel":"x","body":{"marks":7}}',
        '{"event":"typing.started","channel":"ann:bob","body":{}}',
        '{"event":"typing.ended","channel":"ann:bob","body":7}',
        '{"event":"positions"}', '{"event":"positions","body":{}}', '{"event":"constructor","channel":"constructor"}',
        '{"event":"message.sent","channel":7,"seq":"x","body":7}',
        '{"event":"message.sent","channel":"ann:bob","body":{}}',
        '{"event":"message.sent","channel":"ann:bob","seq":-1,"body":{}}', '{"event":"activeCount.changed"}',
        '{"event":"message.relayed","channel":"ann:bob","body":{}}', '{"__proto__":{"hit":1},"event":"x"}',
        "x" * 100_000,
        '{"event":"message.sent","channel":"ann:bob","seq":1,"body":{"text":"again"}}',
    ]
    said = ["0"]
    for frame in strange:
        between.send(frame)
        said.append(f"{len(said)}")
        world.send("bob", "ann:bob", said[-1])
        shows(page, *said)
    same(page.evaluate("() => document.querySelector('roost-chat').client.state"), "live")
    same(len(between.sockets), 1)
    page.get_by_role("textbox", name="Message").fill("Still here")
    page.keyboard.press("Enter")
    shows(page, *said, "Still here")
    page.reload()
    show(page, "ann:bob", 5)
    shows(page, *said, "Still here")


@test("events that come twice, late, not at all, without optional fields or of unknown types end in the right messages")
def _(stage):
    world, page, between = stage_between(stage)
    said, held = ["0"], []

    def is_message(frame):
        return frame.get("event") == "message.sent"

    def twice(frame):
        return [frame, frame]

    def lost(frame):
        return [] if is_message(frame) and frame["body"]["text"].startswith("odd") else [frame]

    def late(frame):
        if not is_message(frame):
            return [frame]
        held.append(frame)
        return held[::-1] if len(held) % 3 == 0 else []

    def bare(frame):
        if is_message(frame):
            frame = {key: frame[key] for key in ("event", "channel", "seq", "senderID", "sentAt", "body")}
            frame["body"] = {key: frame["body"][key] for key in ("messageID", "text", "type")}
        return [frame]

    for change in (twice, lost, late, bare):
        between.change = change
        for number in range(6):
            said.append(f"{'odd' if number % 2 == 0 else 'even'} {change.__name__} {number}")
            world.send("bob", "ann:bob", said[-1])
        shows(page, *said)

    # What this version does not know takes up its number, and says that it is unknown.
    def unknown(frame):
        if is_message(frame) and frame["body"]["text"] == "hologram":
            frame["body"] = {**frame["body"], "type": "hologram", "text": ""}
        if is_message(frame) and frame["body"]["text"] == "event":
            frame["event"] = "message.folded"
        if is_message(frame) and frame["body"]["text"] == "broken":
            frame["body"] = {}
        if is_message(frame) and frame["body"].get("text") in ("image", "location", "voteText", "callReceived",
                                                               "custom"):
            frame["body"] = {"type": frame["body"]["text"], "mentions": 7, "extras": 7, "count": "x"}
        return [frame]

    between.change = unknown
    kinds = ("image", "location", "voteText", "callReceived", "custom")
    for text in ("hologram", "event", "broken", *kinds, "after all"):
        world.send("bob", "ann:bob", text)
    expect(page.locator(".bubble", has_text="after all")).to_be_visible()
    expect(page.locator(".quiet-text", has_text="cannot be shown").first).to_be_visible()
    check(page)
    same(page.evaluate("() => document.querySelector('roost-chat').client.state"), "live")
    # An answer without what it should have is a failure of that command only.
    between.change = lambda frame: [{**frame, "result": {}}] if "cursor" in json.dumps(frame) else [frame]
    page.get_by_role("textbox", name="Message").fill("Mine")
    page.keyboard.press("Enter")
    expect(page.locator(".bubble", has_text="Mine")).to_be_visible()
    check(page)


run()
