#!/usr/bin/env python3
"""What people meet every day in <roost-chat> and the app: presses, notes, marks, names. Needs ROOST, the server's binary."""
import re

from app_driver import World, escape, operate, row, sign_in
from browser import expect, frames, run, same, test
from conversation_pages import enter, fill, pair, serve


def touch(stage, page, kind, *points):
    """What a finger does: "touchStart" at a point, "touchEnd" without one."""
    stage.session(page).send("Input.dispatchTouchEvent", {
        "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def hold(stage, page, target, menu):
    """Holds a finger on an element until a menu is open, and lifts it; returns how many presses reached a button."""
    page.evaluate("""() => {
      window.presses = [];
      addEventListener("click", event => presses.push(event.composedPath()[0].tagName));
    }""")
    box = target.bounding_box()
    touch(stage, page, "touchStart", (box["x"] + 20, box["y"] + box["height"] / 2))
    expect(menu).to_be_visible()
    frames(page)
    touch(stage, page, "touchEnd")
    frames(page)
    frames(page)
    return page.evaluate("() => presses")


@test("a finger that has opened a menu by a long press presses nothing in it when it is lifted")
def _(stage):
    _, ann, bob = pair(stage, emulation={"width": 390, "height": 600, "has_touch": True})
    fill(bob, 20)
    bob.write("the last")
    ann.until_read("the last")
    target = ann.bubble("the last")
    expect(target).to_be_visible()
    same(hold(stage, ann.page, target, ann.menu), [])
    expect(ann.menu).to_be_visible()
    # The next press counts.
    ann.menu.get_by_role("menuitem", name="Reply").tap()
    expect(ann.menu).to_have_count(0)
    expect(ann.host.locator(".replying")).to_be_visible()


@test("a finger that has opened the menu of a conversation presses nothing in it when it is lifted")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", **{f"u{number}": f"User {number}" for number in range(8)})
    for number in range(8):
        world.send(f"u{number}", world.single("ann", f"u{number}"), "hello")
    page = world.app(width=390, height=640, has_touch=True)
    menu = page.get_by_role("menu")
    target = page.locator(".channels > ul .channel .open").nth(4)
    expect(target).to_be_visible()
    same(hold(stage, page, target, menu), [])
    expect(menu).to_be_visible()
    menu.get_by_role("menuitem").first.tap()
    expect(menu).to_have_count(0)


@test("the line above what is new keeps its number while one reads and answers, and stands below the day")
def _(stage):
    server, ann, bob = pair(stage)
    bob.write("zero")
    ann.until_read("zero")
    url = ann.page.url
    ann.page.goto("about:blank")
    bob.write("new")
    bob.until_sent("new")
    ann.page.goto(url)
    ann.until_ready()
    line = ann.host.locator(".unread-row")
    expect(line).to_have_text("1 new message")
    for text in ("one", "two"):
        ann.write(text)
    ann.until_sent("one", "two")
    bob.write("three")
    ann.until_read("three")
    expect(line).to_have_text("1 new message")
    # The first message of a day that is new: the day stands above the line.
    other = enter(stage, server, "cat Cat", user="bob")
    bob.run("host => host.client.startConversation('cat')")
    other.page.goto("about:blank")
    server.roost("send", "--as", "bob", "--to", "cat", "hello")
    other.page.go_back()
    other.until_ready()
    expect(other.host.locator(".unread-row")).to_be_visible()
    same(other.run("host => host.conversation.items.map(item => item.kind)"), ["day", "unread", "message"])


# What the list and the title say while the page changes; a spy on each change of both.
SPY = """() => {
  window.said = new Set();
  const list = document.querySelector("roost-chat").shadowRoot.querySelector(".channels");
  const look = () => {
    said.add(document.title);
    for (const row of list.querySelectorAll(".channel.unread")) said.add(row.querySelector(".open").ariaLabel);
  };
  new MutationObserver(look).observe(list, { subtree: true, childList: true, attributes: true });
  new MutationObserver(look).observe(document.querySelector("title"), { childList: true });
}"""


@test("what comes into the conversation that one is reading is nowhere shown as unread, also not for a moment")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    world.send("bob", world.single("ann", "bob"), "zero")
    world.send("cat", world.single("ann", "cat"), "hello")
    page = world.app(at="#channel=ann:bob")
    channel = """document.querySelector("roost-chat").client.channels.get("ann:bob")"""
    expect(page.get_by_role("list", name="Messages").get_by_text("zero", exact=True)).to_be_visible()
    page.wait_for_function(f"() => {channel}.readSeq >= {channel}.seq")
    expect(page).to_have_title("(1) Bob")
    page.evaluate(SPY)
    for number in range(3):
        world.send("bob", "ann:bob", f"now {number}")
        expect(page.get_by_role("list", name="Messages").get_by_text(f"now {number}", exact=True)).to_be_visible()
    page.wait_for_function(f"() => {channel}.readSeq >= {channel}.seq")
    expect(row(page, "now 2")).to_be_visible()
    frames(page)
    same(page.evaluate("() => [...said].filter(text => !text.startsWith('Cat'))"), ["(1) Bob"])
    # Elsewhere in the history it is unread, until one is at the end again.
    for number in range(40):
        world.send("bob", "ann:bob", f"more {number}")
    expect(page.get_by_role("list", name="Messages").get_by_text("more 39", exact=True)).to_be_visible()
    page.wait_for_function(f"() => {channel}.readSeq >= {channel}.seq")
    page.locator(".scroller").evaluate("list => { list.scrollTop = 0; }")
    expect(page.locator(".jump")).to_be_visible()
    world.send("bob", "ann:bob", "unseen")
    expect(page).to_have_title("(2) Bob")
    expect(row(page, "unseen").locator(".badge")).to_have_text("1")
    page.locator(".jump").click()
    expect(page).to_have_title("(1) Bob")


# Notes

@test("a note stands above the field with its files, and goes away after a while, also one of a failure")
def _(stage):
    _, ann, _ = pair(stage, emulation={"width": 390, "height": 700})
    toast = ann.host.locator(".toast")
    url = ann.page.url
    ann.page.goto("about:blank")
    ann.page.clock.install()
    ann.page.goto(url)
    ann.until_ready()
    ann.run("""host => {
      const data = new DataTransfer();
      for (const [name, text] of [["a.txt", "a"], ["b.txt", "b"], ["empty.txt", ""]]) data.items.add(new File([text], name));
      const event = new ClipboardEvent("paste", { clipboardData: data, cancelable: true });
      host.shadowRoot.querySelector("textarea").dispatchEvent(event);
    }""")
    expect(toast).to_have_text("empty.txt is empty.")
    expect(ann.host.locator(".tray li")).to_have_count(2)
    ann.page.wait_for_function("""id => {
      const { shadowRoot } = document.getElementById(id);
      const [note, field] = [".toast", ".composer"].map(name => shadowRoot.querySelector(name).getBoundingClientRect());
      return note.bottom <= field.top;
    }""", arg=ann.id)
    stage.shot(ann.page, "interaction-note")
    ann.host.get_by_role("button", name="Remove a.txt").click()
    expect(ann.host.locator(".tray li")).to_have_count(1)
    ann.page.clock.run_for(30_000)
    expect(toast).to_have_count(0)


@test("a note that comes while a dialog is open can be read and closed in it, and outlives it")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "Hello")
    page = world.app()
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    for text in (b"%PDF-1.4 nothing", b"not a picture"):
        with page.expect_file_chooser() as chooser:
            dialog.get_by_role("button", name="Change the picture").click()
        chooser.value.set_files({"name": "p.pdf", "mimeType": "image/png", "buffer": text})
        note = dialog.locator(".toast")
        expect(note).to_be_visible()
        stage.shot(page, "interaction-note-dialog")
        if text.startswith(b"%PDF"):
            note.get_by_role("button", name="Close").click()
            expect(note).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator(".toast")).to_be_visible()
    page.locator(".toast").get_by_role("button", name="Close").click()
    expect(page.locator(".toast")).to_have_count(0)


# A conversation that ends while it is open

@test("a group that is dismissed, or that one is removed from, while it is open, keeps its title and says what happened")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat", dan="Dan")
    ended = world.group("bob", ["ann", "cat"], "Book club")
    world.send("bob", ended, "the last word")
    left = world.group("bob", ["ann", "cat", "dan"], "Choir")
    world.send("bob", left, "la la")
    page = world.app(at=f"#channel={ended}")
    field = page.get_by_role("textbox", name="Message")
    field.fill("I wanted to say")
    expect(field).to_be_focused()
    world.call("bob", "channel.dismiss", channel=ended)
    expect(page.locator(".note")).to_have_text("Bob dismissed this group")
    expect(page.get_by_role("heading", name="Book club")).to_be_visible()
    expect(page.get_by_role("button", name="Details of Book club")).to_be_hidden()
    expect(page.locator(".message-row")).to_be_focused()
    # With the details open.
    row(page, "Choir").click()
    page.get_by_role("button", name="Details of Choir").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    world.call("bob", "member.kick", channel=left, members=["ann"])
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".note")).to_have_text("You are no longer a member of this group.")
    expect(page.get_by_role("heading", name="Choir")).to_be_visible()
    expect(page.get_by_role("button", name="Details of Choir")).to_be_hidden()
    page.wait_for_function("""() => document.activeElement?.shadowRoot?.activeElement?.closest(".row")""")


@test("the address of a conversation that does not exist says so once, and nothing of a group")
def _(stage):
    world = World(stage)
    world.users(ann="Ann")
    page = world.app(at="#channel=ann:nobody")
    expect(page.locator(".conversation .empty")).to_contain_text("does not exist")
    expect(page.locator(".note")).to_be_hidden()
    expect(page.get_by_role("textbox", name="Message")).to_be_hidden()
    expect(page.get_by_role("button", name="Details", exact=False).and_(page.locator(".conversation button"))).to_have_count(0)


# Fields and names

COLOURS = """element => [getComputedStyle(element).color, getComputedStyle(document.querySelector("#app").shadowRoot
  .querySelector("[aria-invalid=true]")).outlineColor]"""


@test("what is wrong with a field is told in red and named once, and a refused token is no news for a guest")
def _(stage):
    stage.allow(r"console error: Failed to load resource: .* 401 .*/v1/refresh/start")
    world = World(stage)
    page = stage.page()
    page.goto(world.url)
    field = page.get_by_role("textbox", name="User ID", exact=True)
    expect(field).to_have_accessible_description("Up to 64 letters, digits and the characters . _ @ -")
    field.fill("a b")
    page.keyboard.press("Enter")
    note = page.get_by_text("Use 1 to 64 letters")
    expect(note).to_be_visible()
    same(note.evaluate(COLOURS), ["rgb(179, 38, 30)"] * 2)
    stage.shot(page, "interaction-sign-in")
    page.get_by_role("tab", name="With a token").click()
    page.get_by_role("textbox", name="Token", exact=True).fill("nonsense")
    page.get_by_role("button", name="Sign in", exact=True).click()
    notice = page.locator(".notice.bad")
    expect(notice).to_be_visible()
    page.get_by_role("tab", name="As a guest").click()
    expect(notice).to_have_count(0)


@test("conversation, messages and lines have names, the app has a heading, and whoever has signed in is in the list")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    group = world.group("bob", ["ann"], "Book club")
    world.send("bob", group, "hello")
    page = stage.page()
    page.goto(world.url)
    sign_in(page, "ann", "Ann")
    expect(row(page, "hello").locator(".open")).to_be_focused()
    expect(page.get_by_role("heading", name="Roost", level=1)).to_have_count(1)
    page.keyboard.press("Enter")
    region = page.get_by_role("region", name="Book club")
    expect(region).to_be_visible()
    page.wait_for_function(f"""() => document.querySelector("roost-chat").client.channels.get("{group}").unread === 0""")
    item = region.get_by_role("listitem", name=re.compile(r"^Bob ?hello \d+:\d\d .M"))
    expect(item).to_be_visible()
    world.call("bob", "channel.setProfile", channel=group, profile={"title": "Choir"})
    expect(page.get_by_role("region", name="Choir").get_by_role("listitem", name="Bob changed the title")).to_be_visible()
    stage.axe(page)


@test("a chat in a page that gives it no height shows messages, and one that has a height keeps it")
def _(stage):
    server = serve(stage)
    server.roost("send", "--as", "bob", "--to", "bob", "me")
    stage.site.add("/heights.css", "#chat1 { height: 300px; } div { height: 260px; } body { margin: 0; }")
    stage.site.add_page("/heights.html", "<h1>Test</h1>" + "".join(
        f'{before}<roost-chat id="chat{number}" server="{server.url}" guest="ann Ann" user="bob"></roost-chat>{after}'
        for number, (before, after) in enumerate([("", ""), ("", ""), ("<div>", "</div>")])),
        'import "/web/roost-chat.js";', head='<link rel="stylesheet" href="/heights.css">')
    page = stage.page("/heights.html")
    for number, height in enumerate([480, 300, 260]):
        field = page.locator(f"#chat{number}").get_by_label("Message", exact=True)
        expect(field).to_be_visible()
        host = page.locator(f"#chat{number}")
        same(host.bounding_box()["height"], height)
        same(host.locator(".timeline").bounding_box()["height"] > 100, True)
        box = host.locator(".composer").bounding_box()
        same(abs(box["y"] + box["height"] - host.bounding_box()["y"] - height) < 1, True)


@test("whoever has blocked somebody sees it in the 1-on-1 and can end it there; in groups that person's messages are folded")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    single, group = world.single("ann", "bob"), world.group("bob", ["ann", "cat"], "Book club")
    world.send("bob", single, "hi")
    world.send("bob", group, "a long story")
    page = world.app(at=f"#channel={single}")
    field = page.get_by_role("textbox", name="Message")
    expect(field).to_be_visible()
    page.get_by_role("button", name="Details of Bob").click()
    page.get_by_role("dialog").get_by_role("button", name="Block Bob").click()
    expect(page.get_by_role("dialog").last).to_contain_text("They will no longer be able to message you here. They will not be notified.")
    page.get_by_role("dialog").last.get_by_role("button", name="Block Bob").click()
    page.keyboard.press("Escape")
    expect(page.locator(".note")).to_contain_text("You have blocked Bob.")
    expect(field).to_be_hidden()
    stage.shot(page, "interaction-blocked")
    folded = "Message from someone you blocked."
    expect(row(page, "Book club")).to_contain_text(folded)
    row(page, "Book club").click()
    messages = page.get_by_role("list", name="Messages in Book club")
    expect(messages).to_contain_text(folded)
    expect(messages.get_by_text("a long story")).to_have_count(0)
    page.reload()
    expect(messages).to_contain_text(folded)
    stage.shot(page, "interaction-folded")
    stage.axe(page)
    messages.get_by_role("button", name="Show").click()
    expect(messages.get_by_text("a long story")).to_be_visible()
    world.send("bob", group, "and more")
    expect(messages.get_by_role("button", name="Show")).to_have_count(1)
    row(page, "hi").click()
    page.locator(".note").get_by_role("button", name="Unblock Bob").click()
    expect(field).to_be_visible()
    row(page, "and more").click()
    expect(messages.get_by_text("and more")).to_be_visible()


@test("nobody can write to a person who was deleted, at once and after a reload")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    for user in ("bob", "cat"):
        world.send(user, world.single("ann", user), f"from {user}")
    page = world.app(at="#channel=ann:bob")
    field = page.get_by_role("textbox", name="Message")
    expect(field).to_be_visible()
    operate(world.server, "user.delete", userID="bob")
    note = page.locator(".note")
    expect(note).to_have_text("This user was deleted.")
    expect(field).to_be_hidden()
    page.reload()
    expect(note).to_have_text("This user was deleted.")
    row(page, "from cat").click()
    expect(field).to_be_visible()


@test("what is read aloud while a dialog is open is in the dialog, and goes on outside of it when it closes")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    single = world.single("ann", "bob")
    world.send("bob", single, "hi")
    page = world.app(at=f"#channel={single}")
    field = page.get_by_role("textbox", name="Message")
    expect(field).to_be_visible()
    page.get_by_role("button", name="Emoji").first.click()
    page.get_by_role("searchbox", name="Search emoji").fill("tada")
    expect(page.locator("dialog [aria-live]")).not_to_be_empty()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("roost-chat [aria-live=polite]")).to_have_count(1)
    # The app's own words, in a dialog of the chat, which is in another shadow root.
    page.get_by_role("button", name="Emoji").first.click()
    expect(page.get_by_role("searchbox", name="Search emoji")).to_be_focused()
    page.evaluate("""() => navigator.serviceWorker.dispatchEvent(
      new MessageEvent("message", { data: { updated: true } }))""")
    note = page.locator("dialog [role=alert]", has_text="new version")
    expect(note).to_have_count(1)
    escape(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#app [aria-live=polite]")).to_have_count(1)


@test("when all rows are drawn again, the focus stays in its row, and the Tab key stops nowhere else in the list")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    group = world.group("ann", ["bob", "cat"], "Book club")
    for user in ("bob", "cat", "bob"):
        world.send(user, group, f"of {user}")
    page = world.app(at=f"#channel={group}")
    name = page.locator(".message-row", has_text="of cat").locator(".sender button")
    name.focus()
    world.call("ann", "user.block", userID="bob")
    expect(page.locator(".message-row .fold")).to_have_count(2)
    expect(page.locator(".message-row", has_text="of cat")).to_be_focused()
    same(page.locator(".rows").evaluate("""rows => [...rows.children].filter(row =>
      row.tabIndex === 0 || [...row.querySelectorAll("a, button, input")].some(part => part.tabIndex === 0)).length"""), 1)


@test("a long name takes two lines at most; the list of members to mention has no axe violation when it scrolls")
def _(stage):
    world = World(stage)
    name = "Annabella " * 19
    world.users(ann="Ann", bob=name.strip(), **{f"u{number}": f"User {number}" for number in range(8)})
    group = world.group("bob", ["ann", *(f"u{number}" for number in range(8))], "Book club")
    world.send("bob", group, "hello")
    page = world.app(at=f"#channel={group}", width=390)
    sender = page.locator(".sender").filter(has_text="Annabella")
    expect(sender).to_be_visible()
    same(sender.bounding_box()["height"] < 44, True)
    page.get_by_role("textbox", name="Message").fill("@")
    expect(page.get_by_role("option")).to_have_count(8)
    stage.axe(page)
    page.get_by_role("textbox", name="Message").fill("")
    page.get_by_role("button", name="Details of Book club").click()
    person = page.get_by_role("dialog").locator(".person bdi").filter(has_text="Annabella").first
    expect(person).to_be_visible()
    same(person.bounding_box()["height"] < 48, True)
    stage.shot(page, "interaction-long-name")


@test("a chat that the server refuses, or whose user does not exist, says so, and offers no field and no list")
def _(stage):
    server = serve(stage)
    stage.site.add_page("/refused.html", "<h1>Test</h1>" + "".join(
        f'<roost-chat id="{name}" server="{server.url}" {words}></roost-chat>'
        for name, words in [("refused", 'token="nonsense" channel="lobby"'), ("unknown", 'guest="ann Ann" user="nobody"')]),
        'import "/web/roost-chat.js";')
    page = stage.page("/refused.html")
    refused, unknown = page.locator("#refused"), page.locator("#unknown")
    expect(refused.locator(".connection")).to_be_visible()
    expect(unknown.get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()
    page.wait_for_function("() => document.querySelector('#refused').client.state === 'refused'")
    frames(page)
    for chat in (refused, unknown):
        expect(chat.get_by_role("textbox")).to_have_count(0)
        expect(chat.locator(".spinner")).to_have_count(0)
        expect(chat.get_by_text("Choose a conversation")).to_have_count(0)
    stage.shot(page, "interaction-refused")


@test("a search finds hidden conversations, also after a reload, and people by their ids")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat4711="Cat")
    group = world.group("ann", ["bob", "cat4711"], "Book club")
    world.send("bob", group, "hello")
    world.send("cat4711", world.single("ann", "cat4711"), "meow")
    page = world.app()
    row(page, "Book club").get_by_role("button", name="Actions for Book club").focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Hide").click()
    expect(row(page, "Book club")).to_have_count(0)
    search = page.get_by_role("searchbox", name="Search conversations")
    search.fill("book")
    expect(row(page, "Book club")).to_be_visible()
    page.reload()
    expect(row(page, "meow")).to_be_visible()
    expect(row(page, "Book club")).to_have_count(0)
    search.fill("book")
    row(page, "Book club").click()
    expect(page.get_by_role("list", name="Messages in Book club").get_by_text("hello")).to_be_visible()
    search.fill("4711")
    expect(row(page, "meow")).to_be_visible()


@test("notes to oneself are called so, Enter in the search opens the first, a vote leads to what is missing")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "hello")
    world.send("ann", world.single("ann", "ann"), "milk")
    page = world.app(at="#channel=ann:ann")
    expect(page.get_by_role("heading", name="Notes to myself")).to_be_visible()
    expect(page).to_have_title("(1) Notes to myself")
    search = page.get_by_role("searchbox", name="Search conversations")
    search.fill("bo")
    search.press("Enter")
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    page.get_by_role("button", name="More to send").click()
    page.get_by_role("menuitem", name="Create a vote").click()
    dialog = page.get_by_role("dialog")
    for label in ("Question", "Option 1", "Option 2"):
        dialog.get_by_role("button", name="Create").click()
        expect(dialog.get_by_label(label, exact=True)).to_be_focused()
        dialog.get_by_label(label, exact=True).fill(label)


@test("another language at the sign-in leaves what was entered")
def _(stage):
    world = World(stage)
    page = stage.page()
    page.goto(world.url)
    page.get_by_role("textbox", name="User ID", exact=True).fill("ann")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("button", name="Anmelden")).to_be_visible()
    expect(page.locator("#userid")).to_have_value("ann")


run()
