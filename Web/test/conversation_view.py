#!/usr/bin/env python3
"""How the conversation of <roost-chat> scrolls, is read aloud and is used by keyboard. Needs ROOST."""

import re

from browser import expect, frames, run, same, test, until_same
from conversation_pages import (
    ANCHOR, PICTURE, POSITION, Chat, address, enter, fill, history, pair, png, serve)

# Where the messages on the screen begin.
PLACES = """host => {
  const list = host.shadowRoot.querySelector(".scroller");
  const { top, bottom } = list.getBoundingClientRect();
  return Object.fromEntries([...list.querySelectorAll(".row.message, [data-key]:has(.bubble)")]
    .map(row => [row.dataset.key, row.getBoundingClientRect()])
    .filter(([, box]) => box.bottom > top && box.top < bottom).map(([key, box]) => [key, box.top]));
}"""
# Collects what the live regions say.
LISTEN = """host => {
  window.said = [];
  for (const region of host.shadowRoot.querySelectorAll("[aria-live], [role=alert]")) {
    new MutationObserver(() => region.textContent && said.push([region.role ?? "polite", region.textContent]))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""


@test("older pages come while one scrolls back, and what is on the screen moves by no pixel")
def _(stage):
    _, ann, bob = history(stage)
    same(ann.from_end < 1, True, "it opens at its end")
    same(ann.run("host => host.conversation.items.length < 60"), True)
    # Each page waits until the test has seen where the rows stand.
    ann.run("""host => {
      const { loadBefore } = host.conversation;
      window.asked = 0;
      host.conversation.loadBefore = async () => {
        window.asked += 1;
        await new Promise(done => { window.answer = done; });
        return loadBefore.call(host.conversation);
      };
    }""")
    for number, place in ((1, 250), (2, 0), (3, 40)):
        ann.scroll(250)
        ann.page.wait_for_function("number => asked === number", arg=number)
        count = ann.run("host => host.conversation.items.length")
        expect(ann.host.locator(".page-loading")).to_be_visible()
        ann.scroll(place)
        before = ann.run(PLACES)
        ann.page.evaluate("() => answer()")
        ann.page.wait_for_function("([id, count]) => document.getElementById(id).conversation.items.length > count",
                                   arg=[ann.id, count])
        expect(ann.host.locator(".page-loading")).to_be_hidden()
        frames(ann.page)
        after = ann.run(PLACES)
        # What was the first message has the name of its sender above it no more.
        moved = {key: top - after.get(key, 1e9) for key, top in list(before.items())[1:]}
        same({key: by for key, by in moved.items() if abs(by) > 1}, {}, f"nothing moves at {place}")
    ann.page.wait_for_function("id => !document.getElementById(id).conversation.hasBefore", arg=ann.id)
    ann.scroll(0)
    expect(ann.row("line 0")).to_be_visible()
    same(ann.rows.count() < 150, True)


@test("with 10,000 messages loaded, few rows are drawn, wherever one is")
def _(stage):
    server, ann, bob = pair(stage)
    server.roost("send", "--as", "bob", "--to", "ann", "-",
                 text="".join(f"line {number} {'word ' * (number * 7 % 30)}\n" for number in range(10_000)))
    # On a busy machine the page needs more than a minute to take them all, one by one.
    ann.page.set_default_timeout(180_000)
    ann.until_read("line 9999")
    ann.page.reload()
    ann.until_ready()
    ann.run("async host => { while (host.conversation.hasBefore) await host.conversation.loadBefore(); }")
    same(ann.run("host => host.conversation.items.filter(item => item.kind === 'message').length"), 10_000)
    expect(ann.row("line 9999")).to_be_visible()
    for part in range(11):
        ann.scroller.evaluate("(list, part) => { list.scrollTop = list.scrollHeight * part / 10; }", part)
        frames(ann.page)
        same(10 < ann.host.locator(".row").count() <= 300, True)
        # There is no hole: the rows that are drawn cover the screen.
        same(ann.run("""host => {
          const { top, bottom } = host.shadowRoot.querySelector(".scroller").getBoundingClientRect();
          const rows = [...host.shadowRoot.querySelectorAll(".row")].map(row => row.getBoundingClientRect());
          return rows[0].top <= top + 1 && rows.at(-1).bottom >= bottom - 13;
        }"""), True)


@test("a list that is hidden while messages come is at its end when it is shown again")
def _(stage):
    _, ann, bob = history(stage, 40)
    expect(ann.row("line 39")).to_be_visible()
    ann.run("host => { host.style.display = 'none'; }")
    frames(ann.page)
    # What the browser does to a list without a height is no scrolling of the reader.
    ann.scroller.evaluate("list => { list.dispatchEvent(new Event('scroll')); }")
    fill(bob, 30, "later")
    ann.page.wait_for_function("""id => document.getElementById(id).conversation.items
      .some(item => item.message?.text.startsWith("later 29"))""", arg=ann.id)
    ann.scroller.evaluate("list => { list.dispatchEvent(new Event('scroll')); }")
    ann.run("host => { host.style.display = ''; }")
    expect(ann.row("later 29")).to_be_visible()
    until_same(ann.page, f"""() => {{
      const list = document.getElementById("{ann.id}").shadowRoot.querySelector(".scroller");
      return list.scrollHeight - list.clientHeight - list.scrollTop <= 1;
    }}""", True)


@test("pictures that load above and below move nothing")
def _(stage):
    server, ann, bob = pair(stage)
    held, is_open = [], False

    def gate(route):
        if is_open:
            route.continue_()
        else:
            held.append(route)

    for number in range(6):
        fill(bob, 3, f"text {number}")
        bob.run("""(host, [name, bytes]) => host.conversation.sendFile(
          new File([new Uint8Array(bytes)], name, { type: "image/png" }), { width: 400, height: 300 })""",
                [f"{number}.png", list(png(400, 300, (number * 40, 90, 120)))])
        expect(bob.rows.last).to_have_class(re.compile(r"\bsent\b"))
    ann.page.route(re.compile(r"/v1/files/"), gate)
    ann.page.reload()
    ann.until_ready()
    expect(ann.host.locator(".media").first).to_be_attached()
    ann.scroll(600)
    key, before = ann.run(ANCHOR)
    is_open = True
    for route in held:
        route.continue_()
    expect(ann.host.locator(".media.is-loaded").first).to_be_attached()
    ann.page.wait_for_function("""id => [...document.getElementById(id).shadowRoot.querySelectorAll(".media")]
      .every(media => media.classList.contains("is-loaded"))""", arg=ann.id)
    frames(ann.page)
    same(abs(ann.run(POSITION, key) - before) <= 1, True)


@test("it follows within 80 pixels of the end; above that, a button counts new messages and leads to them [XC-18]")
def _(stage):
    _, ann, bob = history(stage, 40)
    expect(ann.jump).to_be_hidden()
    bob.write("one")
    expect(ann.row("one")).to_be_visible()
    same(ann.from_end < 1, True)
    ann.scroller.evaluate("list => { list.scrollTop -= 70; }")
    frames(ann.page)
    bob.write("two")
    expect(ann.row("two")).to_be_visible()
    ann.page.wait_for_function("""id => {
      const list = document.getElementById(id).shadowRoot.querySelector(".scroller");
      return list.scrollHeight - list.clientHeight - list.scrollTop < 1;
    }""", arg=ann.id)
    ann.scroller.evaluate("list => { list.scrollTop -= 400; }")
    frames(ann.page)
    expect(ann.jump).to_have_accessible_name("Jump to the newest message")
    top = ann.scroller.evaluate("list => list.scrollTop")
    bob.write("three")
    expect(ann.jump).to_have_text("1 new message")
    bob.write("four")
    expect(ann.jump).to_have_text("2 new messages")
    same(ann.scroller.evaluate("list => list.scrollTop"), top, "the list does not move")
    stage.axe(ann.page)
    ann.jump.click()
    expect(ann.row("four")).to_be_visible()
    expect(ann.jump).to_be_hidden()
    expect(ann.field).to_be_focused()
    # An own message is always followed.
    ann.scroller.evaluate("list => { list.scrollTop -= 400; }")
    frames(ann.page)
    ann.write("mine")
    expect(ann.row("mine")).to_be_visible()
    same(ann.from_end < 1, True)


@test("it opens at the first unread message; the separator stays, and reading takes half a second of a visible tab")
def _(stage):
    server, ann, bob = pair(stage)
    fill(bob, 30)
    ann.until_read("line 29")
    url = ann.page.url
    ann.page.goto("about:blank")
    fill(bob, 60, "new", size=20)
    ann = Chat(stage.page())
    ann.page.clock.install()
    ann.page.goto(url)
    ann.until_ready()
    separator = ann.host.locator(".unread-row")
    expect(separator).to_have_text("60 new messages")
    box = separator.bounding_box()
    same(60 < box["y"] < 400, True, "the separator is near the top")
    # What is on the screen is read; the rest is below it.
    ann.page.wait_for_function("id => document.getElementById(id).conversation.channel.unread < 60", arg=ann.id)
    left = ann.run("host => host.conversation.channel.unread")
    expect(ann.jump).to_have_text(re.compile(r"^\d\d new messages$"))
    below = int(ann.jump.text_content().split()[0])
    same(0 <= left - below <= 1, True, f"{left} unread, {below} below")
    bob.write("later")
    expect(ann.jump).to_have_text(f"{below + 1} new messages")
    expect(separator).to_have_count(1)
    ann.page.clock.pause_at(ann.page.evaluate("() => Date.now()") / 1000 + 5)
    ann.jump.click()
    expect(ann.row("later")).to_be_visible()
    ann.page.clock.run_for(400)
    same(ann.run("host => host.conversation.channel.unread"), left + 1, "not yet long enough")
    ann.page.clock.run_for(200)
    ann.page.wait_for_function("id => document.getElementById(id).conversation.channel.unread === 0", arg=ann.id)
    same(ann.run("host => host.conversation.items.some(item => item.kind === 'unread')"), True, "the separator stays")
    # A hidden tab reads nothing.
    ann.page.evaluate("""() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    bob.write("unseen")
    ann.page.wait_for_function("id => document.getElementById(id).conversation.channel.unread === 1", arg=ann.id)
    # A hidden tab has no frames, as this clock stands still.
    same(ann.run("host => host.client.shownUnread"), 1)
    ann.page.clock.run_for(2000)
    same(ann.run("host => host.conversation.channel.unread"), 1)
    ann.page.evaluate("""() => {
      delete document.visibilityState;
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    ann.page.clock.run_for(700)
    ann.page.wait_for_function("id => document.getElementById(id).conversation.channel.unread === 0", arg=ann.id)


@test("a press on a quote leads to the original, which is loaded, and from there back to the newest message")
def _(stage):
    _, ann, bob = history(stage, 20)
    bob.run("""host => {
      window.original = host.conversation.items.find(item => item.message?.text.startsWith("line 3")).message;
    }""")
    fill(bob, 150, "middle")
    bob.run("host => { host.conversation.send({ text: 'as I said', replyTo: original }); }")
    ann.until_read("as I said")
    ann.page.reload()
    ann.until_ready()
    quote = ann.row("as I said").get_by_role("button", name=re.compile("line 3"))
    expect(quote).to_be_visible()
    quote.click()
    target = ann.rows.filter(has=ann.page.locator(".words", has_text=re.compile("^line 3 ")))
    expect(target).to_be_visible()
    expect(target).to_be_focused()
    same(ann.run("host => host.conversation.hasAfter"), True)
    expect(ann.jump).to_be_visible()
    ann.jump.click()
    expect(ann.row("as I said")).to_be_visible()
    same(ann.from_end < 1, True)


@test("screen readers hear a message, a burst as a number, failures at once, and nothing of history and own messages")
def _(stage):
    _, ann, bob = history(stage, 120)
    ann.run(LISTEN)
    heard = "count => said.length >= count"
    ann.scroll(300)
    ann.page.wait_for_function("id => document.getElementById(id).conversation.items.length > 60", arg=ann.id)
    ann.write("mine")
    ann.until_sent("mine")
    same(ann.page.evaluate("() => said"), [])
    bob.run("host => { host.conversation.send({ text: 'one' }); }")
    ann.page.wait_for_function(heard, arg=1)
    same(ann.page.evaluate("() => said"), [["polite", "New message from Bob: one"]])
    fill(bob, 20, "burst")
    ann.page.wait_for_function("""() => said.slice(1).map(([, text]) => Number(/^(\\d+) new messages$/.exec(text)?.[1]
      ?? text.split(". ").length)).reduce((sum, count) => sum + count, 0) >= 20""")
    heard = ann.page.evaluate("() => said.slice(1).map(([, text]) => text)")
    same(any(re.fullmatch(r"\d+ new messages", text) for text in heard), True)
    same(len(heard) < 20, True)
    bob.run("host => host.client.perform('user.block', { userID: 'ann' })")
    ann.write("refused")
    ann.page.wait_for_function("() => said.some(([role]) => role === 'alert')")
    same(ann.run("host => [host.shadowRoot.querySelectorAll('[role=log]').length, "
                 "host.shadowRoot.querySelectorAll('[aria-live=polite]').length]"), [0, 1])


@test("who is typing shows, is told at most every three seconds, and is read aloud at most every ten")
def _(stage):
    _, ann, bob = pair(stage)
    ann.run(LISTEN)
    bob.run("""host => {
      window.told = [];
      const { sync } = host.client.core;
      const { ask } = sync;
      sync.ask = (...words) => (told.push(words[0]), ask.apply(sync, words));
    }""")
    bob.field.press_sequentially("hello there")
    expect(ann.host.locator(".typing")).to_have_text("Bob is typing…")
    same(bob.page.evaluate("() => told.filter(name => name === 'typing.start').length <= 2"), True)
    expect(bob.host.locator(".typing")).to_have_text("")
    ann.page.wait_for_function("() => said.length")
    same(ann.page.evaluate("() => said"), [["polite", "Bob is typing…"]])
    bob.field.fill("")
    expect(ann.host.locator(".typing")).to_have_text("")
    bob.field.press_sequentially("again")
    expect(ann.host.locator(".typing")).to_have_text("Bob is typing…")
    bob.field.press("Enter")
    expect(ann.host.locator(".typing")).to_have_text("")
    same([words for words in ann.page.evaluate("() => said") if "typing" in words[1]], [["polite", "Bob is typing…"]])


@test("all of a conversation works by keyboard: messages, actions, reactions, reply, and back to the field")
def _(stage):
    _, ann, bob = history(stage, 80)
    keys = ann.page.keyboard
    ann.field.focus()
    keys.press("ArrowUp")
    expect(ann.row("line 79")).to_be_focused()
    keys.press("ArrowUp")
    expect(ann.row("line 78")).to_be_focused()
    keys.press("ArrowDown")
    expect(ann.row("line 79")).to_be_focused()
    same(ann.run("host => host.shadowRoot.querySelectorAll('.row[tabindex=\"0\"]').length"), 1)
    keys.press("Home")
    ann.page.wait_for_function("id => document.getElementById(id).shadowRoot.activeElement?.dataset.key", arg=ann.id)
    same(ann.scroller.evaluate("list => list.scrollTop < 5000"), True)
    keys.press("End")
    expect(ann.row("line 79")).to_be_focused()
    keys.press("Enter")
    expect(ann.menu.get_by_role("menuitem", name="Reply")).to_be_focused()
    keys.press("ArrowUp")
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(ann.row("line 79").get_by_role("button", name="❤️, only you")).to_be_visible()
    expect(bob.row("line 79").get_by_role("button", name="❤️, 1 person")).to_be_visible()
    expect(ann.row("line 79")).to_be_focused()
    keys.press("Space")
    expect(ann.menu).to_be_visible()
    keys.press("Escape")
    keys.press("r")
    expect(ann.field).to_be_focused()
    expect(ann.host.locator(".replying")).to_be_visible()
    ann.field.press_sequentially("because")
    keys.press("Enter")
    expect(bob.row("because").locator(".quote")).to_contain_text("line 79")
    keys.press("Shift+Tab")
    expect(ann.host.get_by_label("More to send")).to_be_focused()
    # From there back to the message where the focus was, and to what is in it.
    keys.press("Shift+Tab")
    keys.press("Shift+Tab")
    expect(ann.row("line 79").get_by_role("button", name="❤️, only you")).to_be_focused()
    keys.press("Escape")
    expect(ann.field).to_be_focused()


@test("mentions are completed in the field with the keyboard, and stand out in the message")
def _(stage):
    server = serve(stage)
    for user in ("bob Bob Meier", "bea Bea", "cid Cid"):
        enter(stage, server, user).page.close()
    ann = enter(stage, server, "ann Ann", mode="both")
    channel = ann.run("host => host.client.createGroup({ title: 'Team', members: ['bob', 'bea', 'cid'] })")
    ann = enter(stage, server, "ann Ann", page=ann.page, channel=channel)
    bob = enter(stage, server, "bob Bob Meier", channel=channel)
    options = ann.host.get_by_role("option")
    ann.page.wait_for_function("id => document.getElementById(id).conversation.members.length === 4", arg=ann.id)
    ann.field.press_sequentially("hi @b")
    expect(options).to_have_count(2)
    stage.axe(ann.page)
    same(ann.field.get_attribute("aria-activedescendant"), options.first.get_attribute("id"))
    ann.field.press("ArrowDown")
    same(ann.field.get_attribute("aria-activedescendant"), options.last.get_attribute("id"))
    ann.field.press("Escape")
    expect(options).to_have_count(0)
    expect(ann.field).to_be_focused()
    ann.field.press_sequentially("o")
    expect(options).to_have_count(0)
    ann.field.fill("")
    ann.field.press_sequentially("hi @bo")
    ann.field.press("Enter")
    expect(ann.field).to_have_value("hi @Bob Meier ")
    ann.field.press_sequentially("and @x")
    ann.field.press("Enter")
    expect(bob.texts.locator(".mention.is-me")).to_have_text("@Bob Meier")
    expect(ann.texts.locator(".mention")).to_have_text(["@Bob Meier"])
    same(bob.run("host => host.conversation.items.at(-1).message.mentions"),
         [{"userID": "bob", "start": 3, "length": 10}])


@test("a text near its limit is counted, and one that is too long is not sent")
def _(stage):
    _, ann, bob = pair(stage)
    counter = ann.host.locator(".counter")
    ann.field.fill("x" * 7700)
    expect(counter).to_be_hidden()
    ann.field.fill("x" * 7900)
    expect(counter).to_have_text("100 characters left")
    ann.field.fill("x" * 8001)
    expect(counter).to_have_text("1 character too many")
    expect(ann.send).to_be_disabled()
    stage.axe(ann.page)
    ann.field.press("Enter")
    expect(ann.field).to_have_value("x" * 8001)
    expect(ann.rows).to_have_count(0)


@test("a vote is created, cast and closed, a message is scheduled and cancelled, recalled and deleted")
def _(stage):
    _, ann, bob = pair(stage)
    ann.host.get_by_label("More to send").click()
    ann.menu.get_by_role("menuitem", name="Create a vote").click()
    dialog = ann.host.get_by_role("dialog", name="New vote")
    dialog.get_by_label("Question").fill("Tea?")
    dialog.get_by_label("Option 1", exact=True).fill("yes")
    dialog.get_by_role("button", name="Create vote").click()
    expect(dialog.get_by_role("alert")).to_have_text("Enter at least two different options.")
    stage.axe(ann.page)
    dialog.get_by_label("Option 2", exact=True).fill("no")
    dialog.get_by_role("button", name="Create vote").click()
    expect(dialog).to_have_count(0)
    vote = bob.row("Tea?")
    vote.get_by_role("radio", name="yes").check()
    expect(vote).to_contain_text("100%")
    expect(ann.row("Tea?")).to_contain_text("1 voter")
    ann.row("Tea?").get_by_role("button", name="Close vote").click()
    ann.host.get_by_role("dialog").get_by_role("button", name="Close vote").click()
    expect(vote).to_contain_text("Closed")
    expect(vote.get_by_role("radio", name="no")).to_be_disabled()
    stage.axe(bob.page)

    ann.field.fill("good morning")
    ann.host.get_by_label("More to send").click()
    ann.menu.get_by_role("menuitem", name="Send later").click()
    ann.host.get_by_role("dialog").get_by_role("button", name="Tomorrow morning").click()
    stage.axe(ann.page)
    ann.host.get_by_role("dialog").get_by_role("button", name="Schedule").click()
    expect(ann.field).to_have_value("")
    ann.host.get_by_role("button", name="1 scheduled message").click()
    expect(ann.host.locator(".scheduled li")).to_contain_text("good morning")
    ann.host.get_by_role("button", name="Do not send").click()
    expect(ann.host.locator(".scheduled")).to_be_hidden()

    for text, action, confirm in (("wrong", "Recall for everybody", "Recall"), ("mine", "Delete for me", "Delete")):
        ann.write(text)
        ann.until_sent(text)
        ann.bubble(text).click(button="right")
        ann.menu.get_by_role("menuitem", name=action).click()
        dialog = ann.host.get_by_role("dialog")
        dialog.get_by_role("button", name="Cancel").click()
        expect(ann.bubble(text)).to_be_visible()
        ann.bubble(text).click(button="right")
        ann.menu.get_by_role("menuitem", name=action).click()
        dialog.get_by_role("button", name=confirm, exact=True).click()
        expect(ann.bubble(text)).to_have_count(0)
    expect(ann.texts.filter(has_text="You recalled this message")).to_be_visible()
    expect(bob.texts).to_have_text(["Tea?", "Ann recalled this message", "mine"])


@test("two chats of two users live in one page, each with its own language and theme")
def _(stage):
    server = serve(stage)
    page = stage.page()
    page.goto(address(stage, server, {"guest": "ann Ann", "channel": "lobby"},
                      {"guest": "bob Bob", "channel": "lobby", "lang": "ar", "theme": "dark"}))
    ann, bob = Chat(page).until_ready(), Chat(page, 1)
    bob.until_ready()
    bob.field = bob.host.locator("textarea")
    ann.write("hello")
    expect(bob.texts).to_have_text(["hello"])
    bob.write("مرحبا")
    expect(ann.texts).to_have_text(["hello", "مرحبا"])
    same((ann.events("message"), bob.events("message")), (["lobby", "lobby"], ["lobby", "lobby"]))
    same((ann.events("ready"), bob.events("ready")), ([None], [None]))
    same(bob.run("host => [getComputedStyle(host).colorScheme, host.shadowRoot.querySelector('.conversation').dir]"),
         ["dark", "rtl"])
    same(ann.run("host => getComputedStyle(host).colorScheme"), "light")
    stage.axe(page)
    # An element that is taken away ends its connection, and the other one lives on.
    page.evaluate("() => { window.other = document.getElementById('chat1').client; chat1.remove(); }")
    page.wait_for_function("() => other.state === 'closed'")
    ann.write("still here")
    ann.until_sent("still here")


@test("the list and the conversation stand side by side, and one at a time where it is narrow")
def _(stage):
    server = serve(stage)
    enter(stage, server, "bob Bob").page.close()
    ann = enter(stage, server, "ann Ann")
    ann.run("async host => { host.open(await host.client.startConversation('bob')); }")
    expect(ann.host.get_by_role("heading", name="Bob")).to_be_visible()
    ann.write("hello")
    expect(ann.host.locator(".channel-list")).to_be_visible()
    stage.axe(ann.page)
    ann.page.set_viewport_size({"width": 390, "height": 800})
    expect(ann.host.locator(".channel-list")).to_be_hidden()
    ann.host.get_by_label("Back").click()
    expect(ann.host.locator(".channel-list")).to_be_visible()
    expect(ann.host.locator(".conversation")).to_have_count(0)
    stage.axe(ann.page)
    ann.host.locator(".channel").first.click()
    expect(ann.texts).to_have_text(["hello"])


@test("“Today” becomes “Yesterday” at midnight without a reload")
def _(stage):
    _, ann, bob = pair(stage)
    ann.write("late")
    ann.until_sent("late")
    expect(ann.host.locator(".day")).to_have_text("Today")
    day = 24 * 3_600_000
    now = ann.page.evaluate("() => Date.now()")
    ann.page.clock.install(time=now / 1000)
    ann.page.reload()
    ann.until_ready()
    expect(ann.host.locator(".day")).to_have_text("Today")
    ann.page.clock.fast_forward((day - now % day) + 3_700_000)
    expect(ann.host.locator(".day")).to_have_text("Yesterday")


STATES = {
    "light": {}, "dark": {"is_dark": True}, "phone": {"width": 390, "height": 844, "has_touch": True},
    "phone dark": {"width": 390, "height": 844, "has_touch": True, "is_dark": True},
    "320 px": {"width": 320, "height": 568, "has_touch": True}, "200 % zoom": {"zoom": 2},
    "forced colours": {"has_forced_colors": True}, "reduced motion": {"has_reduced_motion": True},
}


@test("a rich conversation has no axe violations in any look, and nothing is wider than its place")
def _(stage):
    server = serve(stage)
    bob = enter(stage, server, "bob Bob Meier", channel="lobby")
    bob.write("Hello! Have a look at https://example.com/plan and tell me what you think. " * 3)
    bob.write("👍🎉")
    bob.write("https://example.com/" + "a" * 300)
    bob.run("""async (host, bytes) => {
      const { conversation } = host;
      await conversation.createVote({ question: "When do we meet?", options: ["Saturday", "Sunday"], canChange: true });
      conversation.sendFile(new File([new Uint8Array(bytes)], "roof.png", { type: "image/png" }),
        { width: 900, height: 600, text: "the roof" });
      conversation.sendFile(new File(["x".repeat(3000)], `${"long name ".repeat(9)}.txt`, { type: "text/plain" }));
    }""", list(PICTURE["buffer"]))
    expect(bob.host.locator(".document")).to_be_visible()
    expect(bob.host.locator(".media.is-loaded")).to_be_attached()
    for look, emulation in STATES.items():
        for language in ("en", "ar", "en-XA") if look in ("light", "320 px") else ("en",):
            ann = enter(stage, server, "ann Ann", channel="lobby", lang=language, emulation=emulation)
            expect(ann.host.locator(".document")).to_be_visible()
            ann.row("the roof").scroll_into_view_if_needed()
            expect(ann.host.locator(".media.is-loaded").first).to_be_visible()
            stage.axe(ann.page)
            same(ann.run("""host => [...host.shadowRoot.querySelectorAll(".row, .composer, header, .bubble")]
              .filter(part => part.scrollWidth > part.clientWidth + 1 && !part.matches(".ellipsis"))
              .map(part => part.className)"""), [], f"{look} {language}")
            stage.shot(ann.page, f"conversation-{look}-{language}".replace(" ", "-").replace("%", "percent"))
            ann.page.context.close()


run()
