#!/usr/bin/env python3
"""Whole stories: two browsers, and a terminal beside them, against a real server. Needs ROOST, the server's binary."""
import hashlib
import re

from app_driver import World, row, titles, until
from browser import LOST, expect, run, same, test
from stories_driver import (DIGEST, HEAD, ITEMS, Terminals, bubble, channel_of, of_server, picture_file, send_all,
                            shown, unsent, until_sent, write)

LOADED = "(() => { " + HEAD + " return client.state === 'live' && conversation.hasLoaded; })()"
READ = "(() => { " + HEAD + " return conversation.channel.readSeq === conversation.channel.seq; })()"
QUEUE = "document.querySelector('roost-chat').client.core.cache.store.load()"

# Two browsers and a terminal


@test("from an open channel to a living 1-on-1 and a group of three: two browsers and a terminal see the same")
def _(stage):
    world = World(stage)
    server = world.server
    world.users(ann="Ann", bob="Bob", cid="Cid")
    oldest = world.group("bob", ["ann"], "Group 00")
    for number in range(1, 38):
        world.group("bob", ["ann"], f"Group {number:02}")
    world.open_channel("bob", "lobby", "The lobby")
    server.roost("send", "--as", "cid", "--channel", "lobby", "-", text="".join(f"old {n}\n" for n in range(1, 59)))
    server.roost("send", "--as", "ann", "--channel", "lobby", "my own words")
    operator = server.roost("token", "--data", f"{server.folder}/data", "--user", "root", "--operator", is_local=True)
    server.roost("message", "announce", "--token", operator.strip(), "--channel", "lobby", "the door is open")
    world.single("ann", "bob")
    server.roost("send", "--as", "bob", "--to", "ann", "-", text="".join(f"m{n}\n" for n in range(1, 121)))
    world.call("ann", "readMark.setAll")
    with Terminals() as terminals:
        cid = terminals.chat(server, "cid", "--channel", "lobby", columns=110, rows=40)
        ann, bob = (world.app(user, name, at="#channel=lobby") for user, name in (("ann", "Ann"), ("bob", "Bob")))

        # 1. The open channel: everybody is at its end.
        for page in (ann, bob):
            expect(page.get_by_role("heading", name="The lobby")).to_be_visible()
            expect(bubble(page, "the door is open")).to_be_in_viewport()
            same([text for text in shown(page) if text.startswith("old ")][-40:], [f"old {n}" for n in range(19, 59)])
        cid.sees("the door is open")
        write(bob, "hello")
        expect(bubble(ann, "hello")).to_be_in_viewport()
        cid.sees("hello")
        cid.type("good morning\r")
        for page in (ann, bob):
            expect(bubble(page, "good morning")).to_be_in_viewport()

        # 2. From there to the 1-on-1.
        bubble(ann, "my own words").click()
        bubble(ann, "the door is open").click()
        bubble(ann, "hello").click()
        expect(ann.locator("dialog")).to_have_count(1)
        expect(ann.get_by_role("menuitem")).to_have_text(["Start messaging with Bob", "Cancel"])
        ann.get_by_role("menuitem", name="Cancel").click()
        expect(ann.locator("dialog")).to_have_count(0)
        bubble(ann, "hello").click()
        ann.get_by_role("menuitem", name="Start messaging with Bob").click()

        # 3. and 4. Its history: the newest first, then everything, once and in order; what arrives moves nothing.
        world.send("bob", "ann:bob", "m121")
        expect(ann.get_by_role("heading", name="Bob", exact=True)).to_be_visible()
        same(channel_of(ann), "ann:bob")
        expect(bubble(ann, "m121")).to_be_in_viewport()
        expect(bubble(ann, "m121")).to_have_count(1)
        until(ann, READ)
        mark = world.call("ann", "channel.get", channel="ann:bob")
        same(mark["readSeq"], mark["seq"])
        scroller = ann.locator(".scroller")
        scroller.focus()
        ann.wait_for_function("""() => {
          const chat = document.querySelector("roost-chat");
          chat.shadowRoot.querySelector(".scroller").scrollTop = 0;
          return !chat.conversation.hasBefore;
        }""")
        expect(ann.locator(".page-loading")).to_be_hidden()
        same(shown(ann), [f"m{n}" for n in range(1, 122)])
        expect(bubble(ann, "m1").first).to_be_in_viewport()
        row(bob, "m121").click()
        expect(bob.get_by_role("heading", name="Ann", exact=True)).to_be_visible()
        place = bubble(ann, "m1").first.bounding_box()["y"]
        write(bob, "m122")
        expect(ann.locator(".jump")).to_contain_text("1 new")
        same(abs(bubble(ann, "m1").first.bounding_box()["y"] - place) <= 1, True, "the list has moved")
        write(ann, "m123")
        expect(bubble(ann, "m123")).to_be_in_viewport()
        same(shown(ann), [f"m{n}" for n in range(1, 124)])
        expect(bubble(bob, "m123")).to_be_in_viewport()
        expect(bubble(ann, "m123").get_by_label("Read", exact=True)).to_be_visible()

        # 5. A third one: from the details of the 1-on-1.
        ann.get_by_role("button", name="Details").click()
        ann.get_by_role("button", name="New group").click()
        dialog = ann.get_by_role("dialog", name="New group")
        dialog.get_by_label("Add member").fill("cid")
        dialog.get_by_label("Add member").press("Enter")
        expect(dialog.locator(".chip")).to_have_text([re.compile("Bob"), re.compile("Cid")])
        dialog.get_by_role("button", name="Create group").click()
        expect(ann.get_by_role("heading", name="Bob, Cid")).to_be_visible()
        write(ann, "yo")
        unread = bubble(ann, "yo").locator(".unread-by")
        expect(unread).to_have_text("2")
        expect(row(bob, "Ann: yo").locator(".badge")).to_have_text("1")
        expect(bob).to_have_title(re.compile(r"^\(1\) "))
        cid.expect(lambda c: re.search(r"Ann, Bob \(3\) +1 ", c.text), "the group with an unread message")

        # 7. Who has read it: Bob, then Cid.
        row(bob, "Ann: yo").click()
        expect(bob.get_by_role("heading", name="Ann, Cid")).to_be_visible()
        expect(row(bob, "Ann: yo").locator(".badge")).to_have_count(0)
        expect(unread).to_have_text("1")
        group = channel_of(bob)
        cid.type("\x14\x1b[H\r")
        cid.expect(lambda c: c.messages and c.messages[0].startswith("Group(3) ") and any(
            "yo" in line for line in c.messages[1:]), "the messages of the group")
        expect(bubble(ann, "yo").get_by_label("Read by everybody")).to_be_visible()
        expect(unread).to_have_count(0)

        # Typing: each one sees the others. It is told again while one types, and forgotten after ten seconds.
        bob.get_by_role("textbox", name="Message").focus()
        both, seen = re.compile("(Bob and Cid|Cid and Bob) are typing…"), set()
        while len(seen) < 3:
            same(len(bob.get_by_role("textbox", name="Message").input_value()) < 80, True, f"only {seen} saw it")
            cid.type("h")
            bob.keyboard.type("t")
            cid.read(0.5)
            seen |= {name for name, sees in (
                ("ann", ann.locator(".typing", has_text=both).count()),
                ("bob", bob.locator(".typing", has_text="Cid is typing…").count()),
                ("cid", "Bob is typing" in cid.text)) if sees}
        cid.type("\x15")
        expect(bob.locator(".typing")).to_have_text("")
        bob.get_by_role("textbox", name="Message").fill("")
        expect(ann.locator(".typing")).to_have_text("")
        cid.misses("typing")

        # 6. Nothing of an empty field; every text once, at everybody, and it ends the typing.
        bob.keyboard.press("Enter")
        cid.type("from the terminal\r")
        cid.expect(lambda c: re.search(r"✓  from the terminal", c.text), "that its own message is stored")
        expect(bubble(bob, "from the terminal")).to_be_visible()
        bob.get_by_role("textbox", name="Message").press_sequentially("from bob")
        bob.keyboard.press("Enter")
        for page in (ann, bob):
            expect(bubble(page, "from bob")).to_have_count(1)
            same(shown(page), ["yo", "from the terminal", "from bob"])
            expect(page.locator(".typing")).to_have_text("")
        cid.sees("from bob")
        same(of_server(world, group), ["yo", "from the terminal", "from bob"])
        # Whoever leaves does not count any more, and everybody is told.
        world.call("bob", "channel.leave", channel=group)
        expect(ann.locator(".line-row", has_text="Bob")).to_be_visible()
        cid.expect(lambda c: any("Bob" in line and "left" in line for line in c.messages), "that Bob has left")
        expect(bob.get_by_text("You are not a member").or_(row(bob, "Group 37")).first).to_be_visible()

        # 8. The list: what is written in the oldest conversation brings it to the top.
        for page, count in ((ann, 40), (bob, 39)):
            page.locator(".channels").evaluate("element => element.scrollTop = element.scrollHeight")
            expect(page.locator(".channels > ul .channel")).to_have_count(count)
        same(len(set(titles(ann))), 40)
        row(bob, "Group 00").click()
        expect(bob.get_by_role("heading", name="Group 00")).to_be_visible()
        write(bob, "up again")
        expect(ann.locator(".channels > ul .name").first).to_have_text("Group 00")
        expect(row(ann, "Group 00").locator(".badge")).to_have_text("1")
        same(len(titles(ann)), 40)
        row(ann, "Group 00").click()
        expect(ann.get_by_role("heading", name="Group 00")).to_be_visible()
        expect(bubble(ann, "up again")).to_be_visible()
        same(channel_of(ann), oldest)

        # 9. What the server refuses is told and kept.
        row(ann, "m123").click()
        expect(ann.get_by_role("heading", name="Bob", exact=True)).to_be_visible()
        world.call("bob", "user.block", userID="ann")
        write(ann, "refused")
        expect(ann.locator(".failure-row")).to_contain_text("Not sent: One of you has blocked the other.")
        world.call("bob", "user.unblock", userID="ann")
        ann.locator(".failure-row").get_by_role("button", name="Send again").click()
        expect(row(bob, "refused").locator(".badge")).to_have_text("1")


# The server dies


@test("the server is killed while two browsers send 60 messages: each arrives once, in one order, everywhere")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cid="Cid")
    crew = world.group("ann", ["bob", "cid"], "The crew")
    texts = {user: [f"{user} {number:02}" for number in range(30)] for user in ("ann", "bob")}
    with Terminals() as terminals:
        cid = terminals.chat(world.server, "cid", "--channel", crew, columns=100, rows=100)
        pages = {user: world.app(user, user.capitalize(), at=f"#channel={crew}") for user in ("ann", "bob")}
        cid.sees("● connected")
        for page in pages.values():
            expect(page.get_by_role("heading", name="The crew")).to_be_visible()
            until(page, LOADED)
        for user, page in pages.items():
            send_all(page, texts[user][:10])
        for page in pages.values():
            page.wait_for_function("() => { " + ITEMS + " return items.some(({ state }) => state === 'sent'); }")
        for user, page in pages.items():
            send_all(page, texts[user][10:20])
        world.server.kill()
        for user, page in pages.items():
            expect(page.locator(".connection")).to_contain_text("Offline. Messages are sent when you are back.")
            send_all(page, texts[user][20:])
            same(10 <= len(unsent(page)) <= 29, True, f"{len(unsent(page))} wait at {user}")
        cid.sees("connecting")
        world.server.start()
        for page in pages.values():
            until_sent(page, 60)
            expect(page.locator(".connection")).to_be_hidden()
            expect(bubble(page, texts["ann"][-1])).to_have_count(1)
        order = of_server(world, crew)
        same(sorted(order), sorted(texts["ann"] + texts["bob"]))
        for user in pages:
            same([text for text in order if text.startswith(user)], texts[user], f"the order of {user}")
            same(shown(pages[user]), order, f"the page of {user}")

        def in_terminal(chat):
            return [found[0] for line in chat.messages if (found := re.search(r"\b(ann|bob) \d\d\b", line))]

        cid.expect(lambda chat: in_terminal(chat) == order, f"{order}")
        # After that the conversation goes on.
        cid.type("all there\r")
        for page in pages.values():
            expect(bubble(page, "all there")).to_be_in_viewport()


@test("a reload with a full queue: 30 messages and a picture wait without a server, and arrive once and in order")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    channel = world.single("ann", "bob")
    world.send("bob", channel, "before")
    ann, bob = (world.app(user, name, at=f"#channel={channel}") for user, name in (("ann", "Ann"), ("bob", "Bob")))
    for page in (ann, bob):
        expect(bubble(page, "before")).to_be_visible()
        page.evaluate("() => navigator.serviceWorker.ready")
    ann.evaluate("() => document.querySelector('roost-chat').client.flush()")
    world.server.kill()
    expect(ann.locator(".connection")).to_contain_text("Offline.")
    texts = [f"line {number:02}" for number in range(30)]
    picture = picture_file(stage.folder / "roof.png", 300_000)
    for text in texts[:15]:
        write(ann, text)
    ann.get_by_role("button", name="More to send").click()
    with ann.expect_file_chooser() as chooser:
        ann.get_by_role("menuitem", name="Picture or Video").click()
    chooser.value.set_files(picture)
    write(ann, "the roof")
    for text in texts[15:]:
        write(ann, text)
    wanted = ["before", *texts[:15], "the roof", *texts[15:]]
    same(shown(ann), wanted)
    until(ann, QUEUE + ".then(({ queue }) => queue.length === 31)")
    ann.reload()
    expect(ann.locator(".connection")).to_contain_text("Offline.")
    ann.wait_for_function("count => { " + ITEMS + " return items.length === count; }", arg=len(wanted))
    same(shown(ann), wanted)
    # The picture that waits is shown, from what the browser has kept.
    expect(ann.locator(".media.is-loaded img")).to_have_count(1)
    same(unsent(ann), wanted[1:])
    world.server.start()
    for page in (ann, bob):
        # Otherwise it would take until its next try.
        page.evaluate("() => dispatchEvent(new Event('online'))")
        until_sent(page, len(wanted))
        expect(page.locator(".connection")).to_be_hidden()
        same(shown(page), wanted)
    same(of_server(world, channel), wanted)
    expect(bob.locator(".media.is-loaded img")).to_have_count(1)
    digest = bob.evaluate(f"""() => {{ const digest = {DIGEST};
      const host = document.querySelector("roost-chat");
      const items = host.conversation.items.filter(({{ message }}) => message?.file);
      return digest({{ client: host.client, conversation: {{ items }} }}); }}""")
    same(bytes(digest), hashlib.sha256(picture.read_bytes()).digest())
    until(ann, QUEUE + ".then(({ queue }) => queue.length === 0)")
    # A second reload sends nothing again.
    ann.reload()
    until_sent(ann, len(wanted))
    same(of_server(world, channel), wanted)


# Two tabs


@test("two tabs of one account beside another user: a message of either is once in both, and what one reads is read")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    channel = world.single("ann", "bob")
    world.send("ann", channel, "before")
    world.send("ann", world.single("ann", "cat"), "to Cat")
    first = world.app(at=f"#channel={channel}")
    expect(bubble(first, "before")).to_be_visible()
    second = stage.tab(first, f"{world.url}/#channel={channel}")
    bob = world.app("bob", "Bob", at=f"#channel={channel}")
    pages = (first, second, bob)
    for page in pages:
        expect(bubble(page, "before")).to_be_visible()
    same([page.evaluate("() => document.querySelector('roost-chat').client.isLeader") for page in pages],
         [True, False, True])
    texts = []
    for page, text in ((first, "from the first"), (second, "from the second"), (bob, "from Bob"),
                       (second, "once more")):
        write(page, text)
        texts.append(text)
        for other in pages:
            expect(bubble(other, text)).to_have_count(1)
    # Both at once.
    send_all(first, [f"first {n}" for n in range(5)])
    send_all(second, [f"second {n}" for n in range(5)])
    for page in pages:
        until_sent(page, 15)
    order = of_server(world, channel)
    same((order[:5], sorted(order[5:])), (["before", *texts], sorted(
        f"{tab} {n}" for tab in ("first", "second") for n in range(5))))
    for tab in ("first", "second"):
        same([text for text in order if re.match(rf"{tab} \d", text)], [f"{tab} {n}" for n in range(5)])
    for page in pages:
        same(shown(page), order)

    # Both look at something else: the numbers agree, in the list and in the title.
    for page in (first, second):
        row(page, "to Cat").click()
        expect(page.get_by_role("heading", name="Cat")).to_be_visible()
        expect(page).to_have_title("Cat")
    for number in (1, 2, 3):
        write(bob, f"unread {number}")
        for page in (first, second):
            expect(row(page, "Bob").locator(".badge")).to_have_text(str(number))
            expect(page).to_have_title(f"({number}) Cat")
    # One reads, and both are clear.
    row(second, "Bob").click()
    expect(bubble(second, "unread 3")).to_be_visible()
    for page, title in ((first, "Cat"), (second, "Bob")):
        expect(row(page, "unread 3").locator(".badge")).to_have_count(0)
        expect(page).to_have_title(title)
    expect(bubble(bob, "unread 3").get_by_label("Read", exact=True)).to_be_visible()
    # The one that led is closed: the other sends, and nothing is sent twice.
    first.close()
    write(second, "alone")
    for page in (second, bob):
        until_sent(page, 19)
    same(of_server(world, channel)[-4:], ["unread 1", "unread 2", "unread 3", "alone"])


run()
