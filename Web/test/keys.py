#!/usr/bin/env python3
"""Keys and their help, what the list tells of others and of what waits, and signs of something new. Needs ROOST."""
from app_driver import World, escape, focus_of, label, row, until
from browser import expect, run, same, test, until_same

FIELD = "document.querySelector('roost-chat').shadowRoot.querySelector('.field-text')?.value"
TONES = """
  globalThis.tones = 0;
  globalThis.AudioContext = class {
    currentTime = 0; state = "running"; destination = {};
    createOscillator() { globalThis.tones += 1; return { frequency: {}, connect: (to) => to, start() {}, stop() {} }; }
    createGain() {
      const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
      return { gain, connect: (to) => to };
    }
  };
"""


def two(stage, **more):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    for user in ("bob", "cat"):
        world.send(user, world.single("ann", user), f"I am {user}")
    page = world.app(**more)
    expect(row(page, "I am bob")).to_be_visible()
    # What is not needed to show something is loaded now.
    page.wait_for_function("() => performance.getEntriesByType('resource').some(each => each.name.includes('/keys.js')"
                           " || each.name.includes('/keys-'))")
    return world, page


@test("what is typed anywhere goes into the field of the open conversation, but not from fields, dialogs and menus")
def _(stage):
    _, page = two(stage, at="#channel=ann:bob")
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    same(focus_of(page).startswith("\n"), True)
    page.keyboard.type("Hi")
    until_same(page, f"() => {FIELD}", "Hi")
    row(page, "I am cat").locator(".open").focus()
    page.keyboard.type("there")
    until_same(page, f"() => {FIELD}", "Hithere")
    # A row of the messages has keys of its own.
    page.get_by_role("textbox", name="Message").fill("")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("r")
    expect(page.locator(".replying")).to_be_visible()
    until_same(page, f"() => {FIELD}", "")
    page.keyboard.press("Escape")
    page.get_by_role("searchbox", name="Search conversations").focus()
    page.keyboard.type("bob")
    same(page.get_by_role("searchbox", name="Search conversations").input_value(), "bob")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New conversation").click()
    page.keyboard.type("x")
    page.keyboard.press("Escape")
    page.locator(".account").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("y")
    until_same(page, f"() => {FIELD}", "")


@test("? and Ctrl-/ show all keys, and Ctrl-K and Alt with arrows work wherever the focus is")
def _(stage):
    _, page = two(stage)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("searchbox", name="Search conversations")).to_be_focused()
    page.keyboard.type("?")
    same(page.get_by_role("searchbox", name="Search conversations").input_value(), "?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Control+/")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    expect(dialog.locator("div", has_text="Search conversations").last).to_contain_text("CtrlK")
    stage.axe(page)
    stage.shot(page, "keys-help")
    escape(page)
    expect(page.get_by_role("searchbox", name="Search conversations")).to_be_focused()
    page.keyboard.press("Escape")
    page.evaluate("""() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      element.blur();
    }""")
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    page.keyboard.press("?")
    expect(dialog).to_have_count(1)
    escape(page)
    page.locator(".account").click()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(dialog).to_be_visible()
    escape(page)
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()


@test("letters and ? that are for another part of the page stay there")
def _(stage):
    _, page = two(stage, at="#channel=ann:bob")
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    page.evaluate("""() => {
      const other = document.createElement("button");
      other.id = "other";
      document.body.append(other);
      other.focus();
    }""")
    page.keyboard.press("?")
    page.keyboard.type("abc")
    expect(page.locator("#other")).to_be_focused()
    page.keyboard.press("Control+/")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(1)
    same(page.evaluate(FIELD), "")


@test("the help of the keys in Arabic, in the dark and on a phone")
def _(stage):
    _, page = two(stage, width=390, height=844, locale="ar-EG", is_dark=True)
    page.keyboard.press("Control+/")
    expect(page.locator(".keys-help")).to_be_visible()
    stage.axe(page)
    stage.shot(page, "keys-help-arabic")


@test("the list says who is typing, also in conversations that are not open")
def _(stage):
    world, page = two(stage, at="#channel=ann:bob")
    garden = world.group("bob", ["ann", "cat"], "The garden")
    expect(row(page, "The garden")).to_be_visible()
    cat = world.app("cat", "Cat", at="#channel=ann:cat")
    cat.get_by_role("textbox", name="Message").press_sequentially("He")
    expect(row(page, "Cat").locator(".preview")).to_have_text("typing…")
    same("typing…" in label(page, "Cat"), True)
    stage.shot(page, "list-typing")
    stage.axe(page)
    cat.get_by_role("textbox", name="Message").fill("")
    expect(row(page, "Cat").locator(".preview")).to_have_text("I am cat")
    cat.goto(f"{world.url}/#channel={garden}")
    cat.get_by_role("textbox", name="Message").press_sequentially("He")
    expect(row(page, "The garden").locator(".preview")).to_have_text("Cat is typing…")
    cat.keyboard.press("Enter")
    expect(row(page, "The garden").locator(".preview")).to_have_text("Cat: He")


@test("the list shows what waits to be sent and what failed, and the banner connects at once")
def _(stage):
    world, page = two(stage, at="#channel=ann:bob")
    stage.allow("console error: .*(WebSocket|ERR_|when fetching the script)")
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    world.server.kill()
    banner = page.locator(".connection")
    expect(banner).to_contain_text("Offline.")
    field = page.get_by_role("textbox", name="Message")
    field.fill("Later")
    page.keyboard.press("Enter")
    row(page, "I am cat").click()
    line = row(page, "Bob")
    expect(line.locator(".preview")).to_have_text("You: Later")
    same("Sending…" in label(page, "Bob"), True)
    stage.axe(page)
    stage.shot(page, "list-unsent")
    now = banner.get_by_role("button", name="Connect now")
    now.focus()
    page.keyboard.press("Enter")
    expect(banner).to_contain_text("Offline.")
    expect(now).to_be_focused()
    world.server.start()
    page.keyboard.press("Enter")
    expect(banner).to_be_hidden()
    expect(line.locator(".line svg.icon")).to_have_count(1)
    same("Sending…" in label(page, "Bob"), False)
    # Bob blocks Ann: what she writes fails.
    world.call("bob", "user.block", userID="ann")
    line.click()
    field.fill("Hello?")
    page.keyboard.press("Enter")
    expect(line.locator(".preview")).to_have_text("Not sent: Hello?")
    same("Not sent" in label(page, "Bob"), True)
    stage.axe(page)
    stage.shot(page, "list-failed")


@test("the icon of the page shows that there is something unread")
def _(stage):
    world, page = two(stage)
    icon = "() => document.querySelector('link[rel=icon]').getAttribute('href')"
    until_same(page, icon, "web/app/icon-unread.svg")
    same(page.request.get(f"{world.url}/web/app/icon-unread.svg").status, 200)
    for user in ("bob", "cat"):
        row(page, f"I am {user}").click()
        # Read are what was on the screen for half a second.
        page.wait_for_function("id => !document.querySelector('roost-chat').client.channels.get(id).unread",
                               arg=f"ann:{user}")
    until_same(page, icon, "web/app/icon.svg")


@test("a new message makes a sound if the user wants that: not the own ones, not in the open one, not in muted ones")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    for user in ("bob", "cat"):
        world.send(user, world.single("ann", user), f"I am {user}")
    page = stage.page()
    page.add_init_script(TONES)
    world.remember(page, {"userID": "ann", "name": "Ann"})
    page.goto(f"{world.url}/#channel=ann:bob")
    expect(row(page, "I am cat")).to_be_visible()
    world.send("cat", "ann:cat", "Still quiet")
    expect(row(page, "Still quiet")).to_be_visible()
    same(page.evaluate("tones"), 0)
    page.locator(".account").click()
    sound = page.get_by_role("checkbox", name="Sound for new messages")
    expect(sound).not_to_be_checked()
    sound.check()
    same(page.evaluate("tones"), 2)
    stage.axe(page)
    sound.scroll_into_view_if_needed()
    stage.shot(page, "settings-sound")
    escape(page)
    # One second after the last one.
    page.wait_for_function("start => performance.now() > start + 1000", arg=page.evaluate("performance.now()"))
    world.send("cat", "ann:cat", "Now with a sound")
    until(page, "tones === 4")
    page.wait_for_function("start => performance.now() > start + 1000", arg=page.evaluate("performance.now()"))
    world.send("bob", "ann:bob", "You look at this")
    expect(page.locator(".bubble", has_text="You look at this")).to_be_visible()
    world.call("ann", "channel.setPreference", channel="ann:cat", isMuted=True)
    expect(row(page, "Now with a sound").locator(".line svg").first).to_be_visible()
    world.send("cat", "ann:cat", "I am muted")
    expect(row(page, "I am muted")).to_be_visible()
    same(page.evaluate("tones"), 4)
    page.reload()
    page.locator(".account").click()
    expect(sound).to_be_checked()


run()
