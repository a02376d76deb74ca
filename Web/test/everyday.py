#!/usr/bin/env python3
"""Small things that people meet every day: details, questions, titles, sizes of text, two guests. Needs ROOST."""
from app_driver import World, escape, focus_of, row
from browser import expect, run, same, test, until_answered
from conversation_pages import enter, serve


def details(page):
    page.get_by_role("button", name="Details of").click()
    return page.get_by_role("dialog", name="Details")


@test("in the details of a group its members stand before what takes it away, and the focus is on what can be undone")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    channel = world.group("ann", ["bob"], "The garden")
    page = world.app(at=f"#channel={channel}")
    dialog = details(page)
    member = dialog.get_by_role("button", name="Bob").bounding_box()["y"]
    same(dialog.get_by_role("switch", name="Mute").bounding_box()["y"] < member, True)
    for name in ("Hide", "Delete all messages for me", "Leave the group", "Dismiss the group"):
        same(dialog.get_by_role("button", name=name).bounding_box()["y"] > member, True, name)
    stage.shot(page, "details-of-a-group")
    dialog.get_by_role("button", name="Dismiss the group").click()
    same(focus_of(page), "Cancel")
    escape(page)
    dialog.get_by_role("button", name="Hide").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.get_by_text("Choose a conversation")).to_be_visible()
    expect(row(page, "The garden")).to_have_count(0)
    page.get_by_role("searchbox", name="Search conversations").fill("garden")
    expect(row(page, "The garden")).to_be_visible()


@test("an open channel is left in its details, too; who is in one is not told that there are no conversations")
def _(stage):
    world = World(stage)
    world.users(bob="Bob")
    world.open_channel("bob", "lobby", "The lobby")
    page = world.app(at="#channel=lobby")
    expect(page.get_by_role("heading", name="The lobby")).to_be_visible()
    joined = page.get_by_role("list", name="Open channels").locator(".channel")
    expect(joined).to_have_count(1)
    expect(page.get_by_text("No conversations yet")).to_be_hidden()
    details(page).get_by_role("button", name="Leave channel").click()
    expect(joined).to_have_count(0)
    expect(page.get_by_text("Choose a conversation")).to_be_visible()
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    until_answered(lambda: world.call("bob", "channel.get", channel="lobby")["memberCount"], 0)


@test("an invitation counts in the title until it is answered")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    page = world.app()
    expect(page).to_have_title("Roost")
    world.group("bob", [{"userID": "ann", "role": "invited"}], "Book club")
    expect(page).to_have_title("(1) Roost")
    page.get_by_role("button", name="Decline").click()
    expect(page).to_have_title("Roost")


@test("two tabs with two guests stay two after a reload, and only the one who logs out is out")
def _(stage):
    world = World(stage)
    page = stage.page(world.url + "/")
    whose = "user => document.querySelector('roost-chat')?.client?.user?.userID === user"

    def sign_in(tab, user):
        tab.get_by_label("User ID").fill(user)
        tab.get_by_role("button", name="Sign in", exact=True).click()
        tab.wait_for_function(whose, arg=user)

    sign_in(page, "ann")
    other = stage.tab(page, world.url + "/")
    other.wait_for_function(whose, arg="ann")
    other.get_by_role("button", name="Settings").click()
    other.get_by_role("button", name="Log out", exact=True).click()
    other.get_by_role("dialog").last.get_by_role("button", name="Log out", exact=True).click()
    expect(other.get_by_text("See you soon.")).to_be_visible()
    # The other tab had the same guest.
    expect(page.get_by_label("User ID")).to_be_visible()
    sign_in(page, "ann")
    sign_in(other, "bob")
    for tab, user in ((page, "ann"), (other, "bob"), (page, "ann")):
        tab.reload()
        tab.wait_for_function(whose, arg=user)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Log out", exact=True).click()
    page.get_by_role("dialog").last.get_by_role("button", name="Log out", exact=True).click()
    expect(page.get_by_text("See you soon.")).to_be_visible()
    other.reload()
    other.wait_for_function(whose, arg="bob")


@test("text grows with the size that the browser is set to, and the field for a person has room at 320 pixels")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("bob", "ann"), "Hello")
    page = world.app(width=320, height=568)
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    preview = row(page, "Hello").locator(".preview")
    before = preview.evaluate(size)
    page.evaluate("() => { document.documentElement.style.fontSize = '24px'; }")
    same(preview.evaluate(size) / before, 1.5)
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    page.locator(".channel-list").get_by_role("button", name="New conversation").first.click()
    page.get_by_role("menuitem", name="New conversation").click()
    field = page.get_by_role("dialog").get_by_label("Name, login name or user ID")
    same(field.bounding_box()["width"] > 220, True, f"{field.bounding_box()}")
    stage.axe(page)
    stage.shot(page, "new-conversation-320")


@test("what a page sets for all of its text does not reach into a chat")
def _(stage):
    server = serve(stage)
    stage.site.add("/chat.css", """html, body { margin: 0; height: 100%; } main, roost-chat { height: 100dvh; }
      * { letter-spacing: 3px; word-spacing: 9px; text-transform: uppercase; }""")
    ann = enter(stage, server, "ann Ann", channel="lobby")
    ann.write("hello")
    ann.until_sent("hello")
    for name, value in (("letter-spacing", "normal"), ("word-spacing", "0px"), ("text-transform", "none")):
        expect(ann.texts).to_have_css(name, value)


run()
