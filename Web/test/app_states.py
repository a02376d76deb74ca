#!/usr/bin/env python3
"""The states of the app: axe-core finds nothing in any of them, nothing is cut off, and each has a picture.

Needs ROOST, the server's binary. With ROOST_SCREENSHOTS, the pictures are in that folder.
"""
from app_driver import World, escape, full_world, row
from browser import LOST, expect, run, same, test

# Text over the edge of the window: nobody can reach it.
OVERFLOW = """() => {
  const found = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) visit(element.shadowRoot);
      const { left, right, width } = element.getBoundingClientRect();
      if (!width || element.closest(".visually-hidden, [hidden]")) continue;
      if (left < -1 || right > innerWidth + 1) found.push(`${element.localName}.${element.className}`);
    }
  };
  visit(document);
  return [document.documentElement.scrollWidth > innerWidth && "page", ...found].filter(Boolean);
}"""
# The name above a message is a part of the text; the menu of the message leads to the person, too.
SMALL = """() => {
  const found = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll("button, input, select, textarea, a[href], label.check")) {
      if (element.matches("label input, .more, .chip button, .sender > button")) continue;
      const { width, height } = element.getBoundingClientRect();
      if (!width || (height >= 43.5 && width >= 43.5)) continue;
      found.push(`${element.outerHTML.slice(0, 120)} ${width}×${height}`);
    }
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) visit(element.shadowRoot);
  };
  visit(document);
  return found;
}"""


def check(stage, page, name, finds_small=False):
    stage.axe(page)
    same(page.evaluate(OVERFLOW), [], f"{name} overflows")
    if finds_small:
        same(page.evaluate(SMALL), [], f"{name} has small targets")
    stage.shot(page, f"app-{name}")


def walk(stage, page, name, finds_small=False):
    """Goes through the states that a list with conversations has."""
    def look(state):
        check(stage, page, f"{name}-{state}", finds_small)

    def click(locator):
        locator.click()
        expect(page.locator("dialog")).to_be_visible()

    garden = page.locator(".channel", has_text="The garden team")
    expect(garden).to_be_visible()
    look("list")
    click(page.locator(".channel-list > header .icon-button"))
    look("menu")
    escape(page)
    click(page.locator(".account"))
    look("settings")
    escape(page)
    click(page.locator(".open-channels > .item"))
    expect(page.locator("dialog .person").nth(2)).to_be_visible()
    look("browse")
    escape(page)
    for number, state in ((0, "new-conversation"), (1, "new-group")):
        click(page.locator(".channel-list > header .icon-button"))
        page.locator("dialog .item").nth(number).click()
        expect(page.locator("dialog .person").first).to_be_visible()
        if number:
            page.locator("dialog .person").first.click()
            expect(page.locator("dialog .chip")).to_be_visible()
        look(state)
        escape(page)
    garden.click(button="right")
    expect(page.locator("dialog")).to_be_visible()
    look("row-menu")
    escape(page)
    garden.locator(".open").click()
    expect(page.locator(".bubble").first).to_be_visible()
    look("conversation")
    click(page.locator(".conversation-header .icon-button").last)
    expect(page.locator("dialog .person").nth(4)).to_be_visible()
    look("details")
    page.locator("dialog .item.danger").nth(1).click()
    expect(page.locator("dialog [type=radio]").first).to_be_visible()
    look("leave")
    escape(page)
    page.locator("dialog .person").nth(2).click()
    expect(page.locator("dialog.menu")).to_be_visible()
    look("member-menu")
    escape(page)
    escape(page)


@test("all states in the light: axe finds nothing")
def _(stage):
    walk(stage, full_world(stage).app(permissions=["notifications"]), "light")


@test("all states in the dark: axe finds nothing")
def _(stage):
    walk(stage, full_world(stage).app(is_dark=True), "dark")


@test("all states on a phone of 390 × 844: axe finds nothing, nothing is cut off, and all targets have 44 px")
def _(stage):
    walk(stage, full_world(stage).app(width=390, height=844, has_touch=True), "phone", finds_small=True)


@test("all states at 320 × 568: axe finds nothing, and nothing is cut off")
def _(stage):
    walk(stage, full_world(stage).app(width=320, height=568, has_touch=True), "small", finds_small=True)


@test("all states from right to left: axe finds nothing, and nothing is cut off")
def _(stage):
    page = full_world(stage).app(look={"language": "ar"})
    expect(page.get_by_role("heading", name="المحادثات")).to_be_visible()
    walk(stage, page, "rtl")


@test("all states on a phone from right to left: axe finds nothing, and nothing is cut off")
def _(stage):
    walk(stage, full_world(stage).app(look={"language": "ar"}, width=390, height=844, has_touch=True), "rtl-phone")


@test("all states at a zoom of 200 %: axe finds nothing, and nothing is cut off")
def _(stage):
    walk(stage, full_world(stage).app(zoom=2), "zoom")


@test("all states with forced colours: axe finds nothing")
def _(stage):
    walk(stage, full_world(stage).app(has_forced_colors=True, has_reduced_motion=True), "forced")


@test("all states in texts that are 40 % longer, at 320 × 568: nothing is cut off")
def _(stage):
    walk(stage, full_world(stage).app(look={"language": "en-XA"}, width=320, height=568), "long")


@test("empty, connecting, offline, failed and searched without a result: axe finds nothing")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    world.users(bob="Bob")
    page = world.app()
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    check(stage, page, "empty")
    page.get_by_role("searchbox").fill("zebra")
    expect(page.get_by_text("Nothing found for “zebra”.")).to_be_visible()
    check(stage, page, "not-found")
    page.get_by_role("searchbox").fill("")
    # A page that the server refuses.
    page.evaluate("""async () => {
      const { client } = document.querySelector("roost-chat");
      const { RoostError } = await import("/web/roost.js");
      const { sync } = client.core;
      const { ask } = sync;
      sync.ask = async () => {
        sync.ask = ask;
        throw new RoostError({ code: 1003, name: "databaseAccess", message: "No.", retryable: true });
      };
      client.list.isComplete = false;
      await client.list.loadMore();
    }""")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    check(stage, page, "failed")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    page.evaluate("() => navigator.serviceWorker.ready")
    world.send("bob", world.single("bob", "ann"), "Hello")
    expect(row(page, "Hello")).to_be_visible()
    world.server.kill()
    expect(page.locator(".connection")).to_contain_text("Offline.")
    check(stage, page, "offline")
    # A dialog that waits for the server says so, and goes on by itself.
    page.get_by_role("button", name="Open channels").first.click()
    note = page.get_by_role("dialog").locator(".connection")
    expect(note).to_contain_text("This goes on when you are back.")
    check(stage, page, "offline-dialog")
    escape(page)
    page.get_by_role("button", name="Settings").click()
    expect(note).to_contain_text("This goes on when you are back.")
    check(stage, page, "offline-settings")
    escape(page)
    page.get_by_role("button", name="Open channels").first.click()
    note.get_by_role("button", name="Connect now").click()
    expect(note).to_contain_text("This goes on when you are back.")
    world.server.start()
    expect(page.get_by_role("dialog").get_by_text("There are no open channels")).to_be_visible()
    expect(note).to_be_hidden()
    silent = stage.page()
    world.remember(silent, {"userID": "cat", "name": "Cat"})
    silent.route_web_socket("**/v1/connect", lambda socket: None)
    silent.goto(world.url + "/")
    expect(silent.get_by_role("button", name="Connect now")).to_be_visible()
    check(stage, silent, "connecting")
    silent.get_by_role("button", name="Log out").click()
    expect(silent.get_by_label("User ID")).to_be_visible()


@test("signing in, in all its states and sizes: axe finds nothing, and nothing is cut off")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    for name, emulation in (("light", {}), ("dark", {"is_dark": True}), ("small", {"width": 320, "height": 568}),
                            ("phone", {"width": 390, "height": 844, "has_touch": True, "is_dark": True})):
        page = stage.page(world.url + "/", **emulation)
        expect(page.get_by_label("User ID")).to_be_visible()
        check(stage, page, f"sign-in-{name}", finds_small=True)
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_text("Use 1 to 64 letters")).to_be_visible()
        check(stage, page, f"sign-in-{name}-wrong", finds_small=True)
        page.get_by_role("tab", name="With a token").click()
        page.get_by_role("textbox", name="Token").fill("wrong")
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("alert").filter(has_text="does not accept this token")).to_be_visible()
        check(stage, page, f"sign-in-{name}-token", finds_small=True)
    page.get_by_label("Language").select_option("ar")
    expect(page.get_by_role("tab", name="بصفة ضيف").or_(page.get_by_role("tab").first)).to_be_visible()
    check(stage, page, "sign-in-rtl", finds_small=True)


run()
