#!/usr/bin/env python3
"""Pinned messages: pinning, the bar, the list, who may pin. Against a real server. Needs ROOST, its binary.

With ROOST_SCREENSHOTS, the pictures of the bar and the list are in that folder.
"""
from app_driver import World, escape, focus_of, operate
from browser import LOST, expect, frames, run, same, test

LONG = "A long one that does not fit into the bar, as it goes on and on about the key to the shed behind the roses"
HOSTILE = ["<img src=x onerror=alert(1)><b>bold</b>", "\u202eevil\u2066 text", "one\n\n<script>alert(2)</script>\ttwo",
           "W" * 3000, "مرحبا <i>x</i>", "&lt;b&gt; ${1} {name} %s"]


class Pins:
    """A page of the app with one conversation, and its pinned messages."""

    def __init__(self, page):
        self.page, self.bar = page, page.locator("roost-chat .pinned")
        self.jump, self.all = self.bar.locator(".pinned-jump"), self.bar.locator(".icon-button")
        self.title, self.text = self.bar.locator(".pinned-title"), self.bar.locator(".pinned-words > :last-child")
        self.dialog = page.locator("dialog.dialog")
        self.rows = self.dialog.locator(".pins li")
        self.menu = page.get_by_role("menu")

    def row(self, text):
        return self.page.locator("roost-chat .message-row", has=self.page.locator(".words").get_by_text(text, exact=True))

    def lines(self):
        return self.page.locator("roost-chat .server-line")

    def open_menu(self, text):
        self.row(text).locator(".bubble").click(button="right")
        expect(self.menu).to_be_visible()
        return self.menu

    def act(self, text, action):
        self.open_menu(text).get_by_role("menuitem", name=action, exact=True).click()

    def until_known(self):
        """Waits until the page has read the pinned messages."""
        self.page.wait_for_function("""async () => {
          const { conversation } = document.querySelector("roost-chat");
          return conversation && Boolean(await conversation.loadPins());
        }""")
        frames(self.page)
        return self

    def open_list(self):
        self.all.click()
        expect(self.dialog).to_be_visible()
        return self.dialog


def ids(world, channel, user="ann"):
    """The ids of the messages of a channel by their texts."""
    events, before = {}, {}
    while True:
        page = world.call(user, "message.list", channel=channel, limit=100, **before)
        events |= {event["body"]["text"]: event["body"]["messageID"]
                   for event in page["events"] if event["event"] == "message.sent"}
        if not page["hasBefore"]:
            return events
        before = {"before": page["from"]}


def pin(world, channel, *texts, user="bob"):
    known = ids(world, channel)
    for text in texts:
        world.call(user, "pin.add", channel=channel, messageID=known[text])


def group(stage, count=3, **more):
    """A group of Ann, who is its admin, Bob and Cy, with messages of Bob."""
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob Ray", cy="Cy Day")
    channel = world.group("ann", ["bob", "cy"], title="Garden", **more)
    for number in range(count):
        world.send("bob", channel, f"bob {number}")
    return world, channel


def enter(world, channel, user="ann", name="Ann Lee", look=None, **emulation):
    """A page that begins at the end of the conversation, as everything is read."""
    if channel != "lobby":
        world.call(user, "readMark.set", channel=channel)
    page = world.app(user, name, at=f"#channel={channel}", look=look, **emulation)
    expect(page.locator("roost-chat .message-row, roost-chat .line-row").first).to_be_visible()
    return Pins(page).until_known()


@test("a message is pinned from its menu, and the bar and the line show at both without a reload")
def _(stage):
    world, channel = group(stage)
    ann, bob = enter(world, channel), enter(world, channel, "bob", "Bob Ray")
    for each in (ann, bob):
        expect(each.bar).to_have_count(0)
    ann.act("bob 1", "Pin")
    for each in (ann, bob):
        expect(each.bar).to_be_visible()
        expect(each.title).to_have_text("Pinned message")
        expect(each.text).to_have_text("bob 1")
        expect(each.bar).to_have_attribute("aria-label", "Pinned messages")
    expect(ann.lines().last).to_have_text("You pinned a message")
    expect(bob.lines().last).to_have_text("Ann Lee pinned a message")
    expect(bob.jump).to_have_accessible_name("Pinned message bob 1")
    stage.axe(ann.page)
    stage.shot(ann.page, "pins-bar")
    # It does not count as unread, for nobody.
    same(world.call("cy", "unread.get")["total"], 3)
    same(ann.page.title().startswith("("), False)
    # Bob, who did not pin it, takes it down.
    same(bob.open_menu("bob 1").get_by_role("menuitem", name="Pin", exact=True).count(), 0)
    bob.menu.get_by_role("menuitem", name="Unpin", exact=True).click()
    for each in (ann, bob):
        expect(each.bar).to_be_hidden()
        expect(each.lines().last).to_contain_text("pinned a message")
    same(ann.open_menu("bob 1").get_by_role("menuitem", name="Pin", exact=True).count(), 1)


@test("presses on the bar lead from one pinned message to the next, also far away, and a reload keeps the bar")
def _(stage):
    world, channel = group(stage, 200)
    pin(world, channel, "bob 3", "bob 100", "bob 198")
    ann = enter(world, channel)
    expect(ann.title).to_have_text("Pinned message 1 of 3")
    expect(ann.row("bob 3")).to_have_count(0)
    for text, number in (("bob 198", 1), ("bob 100", 2), ("bob 3", 3), ("bob 198", 1)):
        expect(ann.title).to_have_text(f"Pinned message {number} of 3")
        expect(ann.text).to_have_text(text)
        ann.jump.click()
        expect(ann.row(text)).to_be_in_viewport()
        expect(ann.row(text)).to_be_focused()
    ann.page.reload()
    expect(ann.title).to_have_text("Pinned message 1 of 3")
    expect(ann.text).to_have_text("bob 198")
    # What is pinned now shows at once, wherever one was.
    ann.jump.click()
    expect(ann.title).to_have_text("Pinned message 2 of 3")
    pin(world, channel, "bob 199")
    expect(ann.title).to_have_text("Pinned message 1 of 4")
    expect(ann.text).to_have_text("bob 199")


@test("the list shows who wrote and who pinned each message; its rows lead there, and Unpin takes them down")
def _(stage):
    world, channel = group(stage, 100)
    world.send("cy", channel, "cy 0")
    pin(world, channel, "bob 2", "bob 99")
    pin(world, channel, "cy 0", user="ann")
    ann, bob = enter(world, channel), enter(world, channel, "bob", "Bob Ray")
    expect(ann.title).to_have_text("Pinned message 1 of 3")
    # By keyboard.
    ann.all.focus()
    same(focus_of(ann.page), "Show all pinned messages")
    ann.page.keyboard.press("Enter")
    expect(ann.dialog.get_by_role("heading", name="Pinned messages")).to_be_visible()
    expect(ann.rows).to_have_count(3)
    same([row.locator(".author bdi").inner_text() for row in ann.rows.all()], ["Cy Day", "Bob Ray", "Bob Ray"])
    same(ann.rows.locator(".said").all_inner_texts(), ["cy 0", "bob 99", "bob 2"])
    expect(ann.rows.nth(0)).to_contain_text("Pinned by you")
    expect(ann.rows.nth(1)).to_contain_text("Pinned by Bob Ray")
    same(ann.rows.nth(0).locator("time").get_attribute("datetime")[:2], "20")
    expect(ann.rows.nth(2).get_by_role("button", name="Unpin")).to_have_accessible_description("bob 2")
    stage.axe(ann.page)
    stage.shot(ann.page, "pins-list")
    # A row leads to its message, which is not loaded, and closes the list.
    same(ann.row("bob 2").count(), 0)
    ann.rows.nth(2).locator(".item").click()
    expect(ann.page.locator("dialog")).to_have_count(0)
    expect(ann.row("bob 2")).to_be_focused()
    expect(ann.row("bob 2")).to_be_in_viewport()
    # Unpin keeps the list open and the focus in it, and everybody sees it.
    ann.open_list()
    bob.open_list()
    ann.rows.nth(1).get_by_role("button", name="Unpin").click()
    for each in (ann, bob):
        expect(each.rows).to_have_count(2)
        same(each.rows.locator(".said").all_inner_texts(), ["cy 0", "bob 2"])
    expect(ann.rows.nth(1).locator(".item")).to_be_focused()
    escape(ann.page)
    expect(ann.all).to_be_focused()
    expect(ann.title).to_have_text("Pinned message 1 of 2")
    ann.open_list()
    for count in (1, 0):
        ann.rows.first.get_by_role("button", name="Unpin").click()
        expect(ann.rows).to_have_count(count)
    # With the last one the list and the bar go, and the focus is not lost.
    for each in (ann, bob):
        expect(each.page.locator("dialog")).to_have_count(0)
        expect(each.bar).to_be_hidden()
        expect(each.page.get_by_label("Message", exact=True)).to_be_focused()


@test("a recalled message is pinned no longer, for all, and a deleted one for who has deleted it")
def _(stage):
    world, channel = group(stage, 4)
    pin(world, channel, "bob 0", "bob 1", "bob 2")
    ann, bob = enter(world, channel), enter(world, channel, "bob", "Bob Ray")
    ann.open_list()
    bob.act("bob 1", "Recall for everybody")
    bob.page.get_by_role("button", name="Recall", exact=True).click()
    expect(ann.rows).to_have_count(2)
    same(ann.rows.locator(".said").all_inner_texts(), ["bob 2", "bob 0"])
    escape(ann.page)
    expect(bob.title).to_have_text("Pinned message 1 of 2")
    # The recalled one has no such action.
    recalled = bob.page.locator("roost-chat .message-row.recalled, roost-chat .message-row:has(.recalled)").first
    recalled.locator(".bubble").click(button="right")
    expect(bob.menu).to_be_visible()
    same([text for text in bob.page.get_by_role("menuitem").all_inner_texts() if "in" in text.lower().split()], [])
    same(bob.page.get_by_role("menuitem", name="Pin", exact=True).count(), 0)
    escape(bob.page)
    ann.act("bob 2", "Delete for me")
    ann.page.get_by_role("button", name="Delete", exact=True).click()
    expect(ann.title).to_have_text("Pinned message")
    expect(ann.text).to_have_text("bob 0")
    expect(bob.title).to_have_text("Pinned message 1 of 2")
    world.call("ann", "message.delete", scope="channel", channel=channel)
    expect(ann.bar).to_be_hidden()
    expect(bob.title).to_have_text("Pinned message 1 of 2")
    bob.page.reload()
    expect(bob.title).to_have_text("Pinned message 1 of 2")


@test("an admin leaves pinning to moderators: the action goes at once, the bar stays, and the line says it")
def _(stage):
    world, channel = group(stage)
    pin(world, channel, "bob 0")
    ann, bob = enter(world, channel), enter(world, channel, "bob", "Bob Ray")
    expect(bob.bar).to_be_visible()
    page = ann.page
    page.locator(".conversation-header .about").click()
    switch = page.get_by_role("switch", name="Only moderators and admins pin messages")
    expect(switch).not_to_be_checked()
    switch.click()
    expect(switch).to_be_checked()
    stage.axe(page)
    stage.shot(page, "pins-setting")
    escape(page)
    expect(bob.lines().last).to_have_text(
        "Ann Lee changed the settings: only moderators and admins may pin messages")
    expect(bob.bar).to_be_visible()
    for text in ("bob 0", "bob 1"):
        bob.open_menu(text)
        expect(bob.menu.get_by_role("menuitem", name="Reply")).to_be_visible()
        same(bob.menu.get_by_role("menuitem", name="Pin", exact=True).count(), 0)
        same(bob.menu.get_by_role("menuitem", name="Unpin", exact=True).count(), 0)
        escape(bob.page)
    bob.open_list()
    expect(bob.rows).to_have_count(1)
    expect(bob.rows.get_by_role("button", name="Unpin")).to_have_count(0)
    # The admin may, and a moderator, at once.
    ann.act("bob 1", "Pin")
    expect(bob.rows).to_have_count(2)
    world.call("ann", "member.setRole", channel=channel, userID="bob", role="moderator")
    expect(bob.rows.get_by_role("button", name="Unpin")).to_have_count(2)
    escape(bob.page)
    bob.act("bob 0", "Unpin")
    expect(ann.title).to_have_text("Pinned message")
    # A moderator cannot change who may.
    bob.page.locator(".conversation-header .about").click()
    expect(bob.page.get_by_role("switch", name="Mute")).to_be_visible()
    same(bob.page.get_by_role("switch", name="Only moderators and admins pin messages").count(), 0)
    page.locator(".conversation-header .about").click()
    switch.click()
    expect(switch).not_to_be_checked()
    expect(bob.lines().last).to_have_text("Ann Lee changed the settings: all members may pin messages")


@test("fifty messages can be pinned, the next one says in words why not, and the list shows all")
def _(stage):
    world, channel = group(stage, 120)
    pin(world, channel, *(f"bob {number}" for number in range(50)))
    # Below the lines of the pins, which fill a page.
    world.call("bob", "message.send", channel=channel, text="the last")
    ann = enter(world, channel)
    expect(ann.title).to_have_text("Pinned message 1 of 50")
    ann.act("the last", "Pin")
    toast = ann.page.locator(".toast")
    expect(toast).to_have_text("There is no room for another pinned message here. Unpin one first.")
    toast.get_by_role("button", name="Close").click()
    expect(ann.title).to_have_text("Pinned message 1 of 50")
    ann.open_list()
    expect(ann.rows).to_have_count(50)
    same(ann.rows.locator(".said").all_inner_texts(), [f"bob {number}" for number in reversed(range(50))])
    stage.shot(ann.page, "pins-fifty")
    ann.rows.last.scroll_into_view_if_needed()
    ann.rows.last.get_by_role("button", name="Unpin").click()
    expect(ann.rows).to_have_count(49)
    expect(ann.rows.last.locator(".item")).to_be_focused()
    escape(ann.page)
    ann.act("the last", "Pin")
    expect(ann.text).to_have_text("the last")
    expect(ann.title).to_have_text("Pinned message 1 of 50")


@test("hostile and long texts stay text in the bar and the list, on one line, and push nothing out at 320 px")
def _(stage):
    world, channel = group(stage, 0)
    for text in HOSTILE:
        world.send("bob", channel, text)
    pin(world, channel, *HOSTILE)
    ann = enter(world, channel, width=320, height=568)
    heights = set()
    for number, text in enumerate(reversed(HOSTILE), 1):
        expect(ann.title).to_have_text(f"Pinned message {number} of {len(HOSTILE)}")
        shown = ann.text.inner_text()
        same(shown[:20], " ".join(text.split())[:20])
        heights.add(ann.bar.bounding_box()["height"])
        same(ann.bar.locator("img, b, i, script").count(), 0)
        same(ann.bar.evaluate("bar => [bar.scrollWidth <= bar.clientWidth, bar.getBoundingClientRect().right <= 320]"),
             [True, True])
        ann.jump.click()
    same(len(heights), 1, f"{heights}")
    ann.open_list()
    expect(ann.rows).to_have_count(len(HOSTILE))
    same(ann.rows.locator("img:not(.avatar img), b, i, script").count(), 0)
    same(ann.dialog.locator(".body").evaluate("body => body.scrollWidth <= body.clientWidth"), True)
    stage.axe(ann.page)
    stage.shot(ann.page, "pins-hostile")


@test("the bar says what has no text, and nothing of somebody whom the reader has blocked")
def _(stage):
    world, channel = group(stage)
    world.send("cy", channel, "rude words")
    world.send("bob", channel, "", type="location", location={"latitude": 1, "longitude": 2, "address": "The shed"})
    world.call("ann", "vote.create", channel=channel, subject="Tea?", vote={
        "options": [{"type": "text", "text": "yes"}, {"type": "text", "text": "no"}]})
    events = world.call("ann", "message.list", channel=channel, limit=20)["events"]
    messages = [event["body"]["messageID"] for event in events if event["event"] == "message.sent"][-3:]
    for message in messages:
        world.call("bob", "pin.add", channel=channel, messageID=message)
    ann = enter(world, channel)
    for text in ("Vote: Tea?", "Place: The shed", "rude words"):
        expect(ann.text).to_have_text(text)
        ann.jump.click()
    world.call("ann", "user.block", userID="cy")
    for text in ("Vote: Tea?", "Place: The shed", "Message from someone you blocked."):
        expect(ann.text).to_have_text(text)
        ann.jump.click()
    ann.open_list()
    expect(ann.rows.last).to_contain_text("Message from someone you blocked.")
    same("rude" in ann.dialog.inner_text(), False)


@test("both may pin in a 1-on-1 and each in the own notes, nobody in the page of an open channel, and news have no pins")
def _(stage):
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob Ray")
    single = world.single("ann", "bob")
    world.send("bob", single, "for two")
    ann = enter(world, single)
    pin(world, single, "for two")
    expect(ann.text).to_have_text("for two")
    ann.act("for two", "Unpin")
    expect(ann.bar).to_be_hidden()
    # Not while one has blocked the other.
    world.call("ann", "user.block", userID="bob")
    expect(ann.page.get_by_label("Message", exact=True)).to_be_hidden()
    ann.open_menu("for two")
    same(ann.menu.get_by_role("menuitem", name="Pin", exact=True).count(), 0)
    escape(ann.page)
    world.call("ann", "user.unblock", userID="bob")
    own = world.call("ann", "channel.create", kind="self")["channel"]
    world.send("ann", own, "note")
    world.open_channel("bob", "lobby", "The lobby")
    world.send("bob", "lobby", "welcome")
    ann = enter(world, own)
    ann.act("note", "Pin")
    expect(ann.text).to_have_text("note")
    ann = enter(world, "lobby")
    ann.open_menu("welcome")
    expect(ann.menu.get_by_role("menuitem", name="Reply")).to_be_visible()
    same(ann.menu.get_by_role("menuitem", name="Pin", exact=True).count(), 0)
    escape(ann.page)
    # What an operator pins shows.
    message = ids(world, "lobby")["welcome"]
    operate(world.server, "pin.add", channel="lobby", messageID=message)
    expect(ann.text).to_have_text("welcome")
    ann.open_list()
    expect(ann.rows).to_have_count(1)
    expect(ann.rows.get_by_role("button", name="Unpin")).to_have_count(0)
    # News: no request, no action.
    operate(world.server, "channel.create", kind="publicNews", channel="news", title="News")
    operate(world.server, "news.publish", channel="news", text="extra")
    world.call("ann", "member.join", channel="news")
    page = world.stage.page()
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    world.remember(page, {"userID": "ann", "name": "Ann Lee"})
    page.goto(f"{world.url}/#channel=news")
    ann = Pins(page)
    expect(ann.row("extra")).to_be_visible()
    ann.until_known()
    ann.open_menu("extra")
    same(ann.menu.get_by_role("menuitem", name="Pin", exact=True).count(), 0)
    same([frame for frame in sent if "pin.list" in str(frame)], [])
    same(any("message.list" in str(frame) for frame in sent), True)


@test("what is pinned while there was no connection shows after it")
def _(stage):
    world, channel = group(stage)
    pin(world, channel, "bob 0")
    ann = enter(world, channel)
    expect(ann.text).to_have_text("bob 0")
    stage.allow(LOST)
    ann.page.context.set_offline(True)
    ann.page.wait_for_function("() => document.querySelector('roost-chat').client.state === 'offline'")
    pin(world, channel, "bob 2")
    ann.page.context.set_offline(False)
    expect(ann.text).to_have_text("bob 2")
    expect(ann.title).to_have_text("Pinned message 1 of 2")


LOOKS = {
    "narrow": ({"width": 320, "height": 568}, {}),
    "phone": ({"width": 390, "height": 844, "has_touch": True}, {}),
    "dark": ({"is_dark": True}, {}),
    "arabic": ({}, {"language": "ar"}),
    "arabic-phone": ({"width": 390, "height": 844, "has_touch": True, "is_dark": True}, {"language": "ar"}),
    "long": ({"width": 320, "height": 568}, {"language": "en-XA"}),
    "forced": ({"has_forced_colors": True}, {}),
}


@test("the bar and the list are whole and free of violations on each screen, in the dark and from right to left")
def _(stage):
    world, channel = group(stage, 30)
    world.send("cy", channel, LONG)
    world.send("cy", channel, "مرحبا بالجميع")
    pin(world, channel, "bob 20", "مرحبا بالجميع", LONG)
    for name, (emulation, look) in LOOKS.items():
        ann = enter(world, channel, look=look, **emulation)
        expect(ann.text).to_have_text(LONG)
        stage.axe(ann.page)
        stage.shot(ann.page, f"pins-bar-{name}")
        bar, header = ann.bar.bounding_box(), ann.page.locator(".conversation-header").bounding_box()
        same([bar["x"], bar["width"], bar["y"]], [header["x"], header["width"], header["y"] + header["height"]], name)
        same([ann.all.bounding_box()[side] >= 44 for side in ("width", "height")], [True, True], name)
        # The list of messages still ends at its newest row.
        expect(ann.lines().last).to_be_in_viewport()
        ann.open_list()
        expect(ann.rows).to_have_count(3)
        same(ann.dialog.locator(".body").evaluate("body => body.scrollWidth <= body.clientWidth"), True, name)
        stage.axe(ann.page)
        stage.shot(ann.page, f"pins-list-{name}")
        ann.page.context.close()


run()
