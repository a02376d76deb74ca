#!/usr/bin/env python3
"""What one learns of messages while reading: times and dates, how many are below, where one was, and on paper. Needs ROOST."""

import re

from app_driver import World, row, until
from browser import LOST, expect, frames, run, same, test
from conversation_pages import ANCHOR, POSITION, fill, history, pair


def full(chat, text):
    """Date and time of a message, as English has them."""
    return chat.run("""(host, text) => new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "short", timeZone: "UTC" })
      .format(host.conversation.items.find(item => item.message?.text === text).message.sentAt)""", text)


@test("the time of every message shows beside it under the pointer and the focus, its date with it, and in its menu")
def _(stage):
    _, ann, bob = pair(stage)
    bob.write("first")
    bob.write("second")
    expect(ann.row("second")).to_have_class(re.compile(r"\bgrouped\b"))
    wanted = full(ann, "second")
    time = ann.host.locator(".side-time")
    height = ann.row("second").bounding_box()["height"]
    ann.row("second").locator(".bubble").hover()
    expect(time).to_be_visible()
    same(wanted.endswith(time.text_content()), True)
    same(time.get_attribute("title"), wanted)
    same(ann.row("second").bounding_box()["height"], height, "the row stays as it is")
    stage.shot(ann.page, "times-hover")
    # The first of a group has its time in itself.
    ann.row("first").locator(".bubble").hover()
    expect(time).to_have_count(0)
    same(ann.row("first").locator(".meta time").get_attribute("title"), full(ann, "first"))
    ann.page.mouse.move(0, 0)
    ann.field.focus()
    ann.page.keyboard.press("ArrowUp")
    expect(ann.row("second").locator(".side-time")).to_be_visible()
    ann.page.keyboard.press("Enter")
    expect(ann.host.locator("dialog.menu .sent-at")).to_have_text(wanted)
    expect(ann.host.locator("dialog.menu")).to_have_accessible_description(wanted)
    stage.axe(ann.page)
    stage.shot(ann.page, "times-menu")


@test("while the list moves, the date of its first message is above it, and goes when the list rests")
def _(stage):
    _, ann, bob = history(stage, 80)
    date = ann.host.locator(".floating-date")
    expect(date).to_be_attached()
    ann.page.clock.install()
    ann.scroll(600)
    expect(date).to_have_class(re.compile("is-shown"))
    expect(date).to_have_text("Today")
    stage.shot(ann.page, "floating-date")
    ann.page.clock.run_for(1300)
    expect(date).not_to_have_class(re.compile("is-shown"))
    # The separator says it already.
    ann.page.wait_for_function("id => !document.getElementById(id).conversation.hasBefore", arg=ann.id)
    ann.scroll(0)
    expect(ann.host.locator(".day-row")).to_be_visible()
    expect(date).not_to_have_class(re.compile("is-shown"))


@test("the arrow says how many new messages are below; the number falls as one reads")
def _(stage):
    server, ann, bob = history(stage, 40)
    ann.scroll(300)
    fill(bob, 30, "new", size=20)
    expect(ann.jump).to_have_text("30 new messages")
    ann.run("""host => {
      const list = host.shadowRoot.querySelector(".scroller");
      list.scrollTop = list.scrollHeight - list.clientHeight - 600;
    }""")
    frames(ann.page)
    expect(ann.jump).to_have_text(re.compile(r"^(\d|1\d|2\d) new messages?$"))
    left = int(ann.jump.text_content().split()[0])
    below = ann.run("""host => {
      const { bottom } = host.shadowRoot.querySelector(".scroller").getBoundingClientRect();
      return [...host.shadowRoot.querySelectorAll(".message-row")]
        .filter(row => row.getBoundingClientRect().top >= bottom).length;
    }""")
    same(abs(left - below) <= 1, True, f"{left} for {below}")
    # What was seen is not new again.
    ann.scroll(300)
    expect(ann.jump).to_have_text(f"{left} new message{'s' if left > 1 else ''}")
    ann.jump.click()
    expect(ann.jump).to_be_hidden()
    ann.scroll(300)
    expect(ann.jump).to_have_accessible_name("Jump to the newest message")


@test("whoever opens a conversation with new messages sees how many are below the screen")
def _(stage):
    server, ann, bob = history(stage, 40)
    url = ann.page.url
    ann.page.goto("about:blank")
    fill(bob, 60, "new", size=20)
    ann.page.goto(url)
    ann.until_ready()
    expect(ann.host.locator(".unread-row")).to_be_visible()
    expect(ann.jump).to_have_text(re.compile(r"^[345]\d new messages$"))


def app_with_two(stage, count, **emulation):
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob Ray", cy="Cy Day")
    channel, other = world.single("bob", "ann"), world.single("cy", "ann")
    world.server.roost("send", "--as", "bob", "--to", "ann", "-",
                       text="".join(f"line {number} {'word ' * (number * 7 % 30)}\n" for number in range(count)))
    world.send("cy", other, "Hello")
    page = world.app("ann", "Ann Lee", **emulation)
    return world, page, channel


def scroller(page):
    return page.locator("roost-chat .scroller")


@test("a conversation is where one has left it when one comes back, also if its messages have to be loaded again")
def _(stage):
    for count in (150, 700):
        world, page, channel = app_with_two(stage, count)
        row(page, "Bob Ray").click()
        host = page.locator("roost-chat")
        expect(page.locator("roost-chat .row.message-row").first).to_be_visible()
        page.locator("roost-chat .jump").click()
        until(page, "() => !document.querySelector('roost-chat').conversation.channel.unread")
        if count > 500:
            page.evaluate("""async () => {
              const { conversation } = document.querySelector("roost-chat");
              while (conversation.items.length < 600) await conversation.loadBefore();
            }""")
        frames(page)
        scroller(page).evaluate("list => { list.scrollTop = 900; }")
        frames(page)
        key, top = host.evaluate(ANCHOR)
        row(page, "Cy Day").click()
        expect(page.locator("roost-chat .bubble", has_text="Hello")).to_be_visible()
        world.send("bob", channel, "while away")
        expect(row(page, "while away")).to_be_visible()
        row(page, "Bob Ray").click()
        until(page, f"""() => document.querySelector("roost-chat").shadowRoot.querySelector('[data-key="{key}"]')""")
        page.wait_for_function("""([key, top]) => Math.abs(document.querySelector("roost-chat").shadowRoot
          .querySelector(`[data-key="${key}"]`)?.getBoundingClientRect().top - top) <= 1""", arg=[key, top])
        expect(page.locator("roost-chat .jump")).to_have_text("1 new message")
        page.locator("roost-chat .jump").click()
        expect(page.locator("roost-chat .bubble", has_text="while away")).to_be_visible()
        # From its end it opens at its end.
        row(page, "Cy Day").click()
        expect(page.locator("roost-chat .bubble", has_text="Hello")).to_be_visible()
        row(page, "Bob Ray").click()
        expect(page.locator("roost-chat .bubble", has_text="while away")).to_be_visible()


# How many messages end below the screen or were never loaded: of 200 in one conversation.
BELOW = """() => {
  const { shadowRoot, conversation } = document.querySelector("roost-chat");
  const { bottom } = shadowRoot.querySelector(".scroller").getBoundingClientRect();
  const ended = [...shadowRoot.querySelectorAll(".message-row")].filter(row => row.getBoundingClientRect().bottom <= bottom);
  const { message } = conversation.items.find(item => item.key === ended.at(-1).dataset.key);
  return conversation.channel.count - message.count;
}"""


@test("reading a part of 200 new messages and leaving keeps only the rest as new, also if more come meanwhile")
def _(stage):
    world, page, channel = app_with_two(stage, 200)

    def counts():
        """What the page, the list and the server have as unread."""
        known = page.evaluate("() => document.querySelector('roost-chat').conversation.channel.unread")
        return known, world.call("ann", "channel.get", channel=channel)["unread"]

    def unread(count):
        until(page, f"() => document.querySelector('roost-chat').conversation.channel.unread === {count}")
        same(counts(), (count, count))

    def read_to_the_screen():
        """Waits until all that was on the screen is read; returns how many are left."""
        until(page, f"() => document.querySelector('roost-chat').conversation.channel.unread === ({BELOW})()")
        left = page.evaluate(BELOW)
        same(counts(), (left, left))
        return left

    expect(row(page, "Bob Ray").locator(".badge")).to_have_text("99+")
    page.clock.install()
    row(page, "Bob Ray").click()
    expect(page.locator("roost-chat .unread-row")).to_have_text("200 new messages")
    left = read_to_the_screen()
    same(180 < left < 200, True, f"{left} are left")
    # Half of them, with a message that comes between the scroll and the mark.
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1000 + 5)
    scroller(page).evaluate("list => { list.scrollTop = list.scrollHeight / 2; }")
    frames(page)
    page.clock.run_for(400)
    before = counts()[0]
    world.send("bob", channel, "one more")
    until(page, f"() => document.querySelector('roost-chat').conversation.channel.unread === {before + 1}")
    same(before > page.evaluate(BELOW), True, "not yet long enough")
    page.clock.run_for(200)
    left = read_to_the_screen()
    same(60 < left < 150, True, f"{left} are left")
    # What was only scrolled past is not read, neither is what was read before new again.
    scroller(page).evaluate("list => { list.scrollTop += 2000; }")
    frames(page)
    page.clock.run_for(400)
    scroller(page).evaluate("list => { list.scrollTop -= 3000; }")
    frames(page)
    page.clock.run_for(2000)
    unread(left)
    page.clock.resume()
    row(page, "Cy Day").click()
    expect(page.locator("roost-chat .bubble", has_text="Hello")).to_be_visible()
    expect(row(page, "Bob Ray").locator(".badge")).to_have_text(str(left) if left < 100 else "99+")
    page.reload()
    row(page, "Bob Ray").click()
    expect(page.locator("roost-chat .unread-row")).to_have_text(f"{left} new messages")
    # At the end, nothing is left.
    page.locator("roost-chat .jump").click()
    unread(0)


@test("on paper is the whole conversation that is loaded, dark on white, and nothing to press")
def _(stage):
    world, page, _ = app_with_two(stage, 120, is_dark=True)
    row(page, "Bob Ray").click()
    until(page, "() => document.querySelector('roost-chat').conversation?.hasLoaded")
    page.evaluate("""async () => {
      const { conversation } = document.querySelector("roost-chat");
      while (conversation.hasBefore) await conversation.loadBefore();
    }""")
    expect(page.locator("roost-chat .floating-date")).to_be_attached()
    frames(page)
    scroller(page).evaluate("list => { list.scrollTop -= 800; }")
    frames(page)
    key, top = page.locator("roost-chat").evaluate(ANCHOR)
    page.evaluate("""() => {
      const root = document.querySelector("roost-chat").shadowRoot;
      addEventListener("beforeprint", () => { window.printed = root.querySelectorAll(".message-row").length; });
    }""")
    paper = page.pdf(path=str(stage.folder / "paper.pdf"), print_background=True)
    same(page.evaluate("() => window.printed"), 120)
    same(len(re.findall(rb"/Type\s*/Page\b", paper)) >= 4, True, "pages")
    frames(page)
    same(abs(page.locator("roost-chat").evaluate(POSITION, key) - top) <= 1, True, "it is where it was")
    same(page.locator("roost-chat .message-row").count() < 120, True)
    page.emulate_media(media="print")
    for part in (".composer", ".list-pane", ".jump", ".conversation-header .icon-button"):
        expect(page.locator(f"roost-chat {part}").first).to_be_hidden()
    same(page.locator("roost-chat .bubble").first.evaluate("bubble => getComputedStyle(bubble).color"), "rgb(21, 32, 30)")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    stage.shot(page, "paper", full_page=True)


@test("what is read while the server is away is marked as read when it is back")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob", cat="Cat")
    tea, cake = world.single("bob", "ann"), world.single("cat", "ann")
    world.send("bob", tea, "Tea?")
    page = world.app()
    page.clock.install()
    row(page, "Tea?").locator(".open").click()
    world.send("cat", cake, "Cake?")
    unread = row(page, "Cake?").locator(".open")
    expect(unread).to_have_attribute("aria-label", re.compile("1 unread message"))
    page.evaluate("() => document.querySelector('roost-chat').client.flush()")
    world.server.kill()
    page.wait_for_function("() => document.querySelector('roost-chat').client.state !== 'live'")
    unread.click()
    expect(page.locator(".bubble", has_text="Cake?")).to_be_visible()
    # It has to be on the screen for a while.
    page.clock.run_for(1_000)
    row(page, "Tea?").locator(".open").click()
    expect(page.locator(".bubble", has_text="Tea?")).to_be_visible()
    world.server.start()
    expect(unread).not_to_have_attribute("aria-label", re.compile("unread"))
    same(world.call("ann", "channel.get", channel=cake)["unread"], 0)


run()
