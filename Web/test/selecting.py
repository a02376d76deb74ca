#!/usr/bin/env python3
"""Who has sent a message, several messages at once, albums, and a part of a text. Needs ROOST."""

import re

from app_driver import World, escape, focus_of
from browser import expect, run, same, test
from conversation_pages import pair, png


def group(stage, user="ann", name="Ann Lee", look=None, **emulation):
    """Ann's page of a group with Bob and Cy, who have written."""
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob Ray", cy="Cy Day")
    channel = world.group("ann", ["bob", "cy"], title="Garden")
    for number in range(3):
        world.send("bob", channel, f"bob {number}")
    world.send("cy", channel, "cy 0")
    world.send("ann", channel, "ann 0")
    page = world.app(user, name, at=f"#channel={channel}", look=look, **emulation)
    expect(words(page, "ann 0")).to_be_visible()
    # What comes after the messages is loaded.
    expect(page.locator("roost-chat .floating-date")).to_be_attached()
    return world, page, channel


def words(page, text):
    """The row of a message. Its time may be a digit behind the text, so only the words count."""
    return page.locator("roost-chat .message-row", has=page.locator(".words", has_text=text))


def exact(page, text):
    return page.locator("roost-chat .message-row", has=page.locator(".words").get_by_text(text, exact=True))


def act(page, text, action):
    """Chooses an action in the menu of a message."""
    words(page, text).locator(".bubble").click(button="right")
    page.get_by_role("menuitem", name=action, exact=True).click()


def pictures(chat, count, text=""):
    """Sends pictures at once, as the composer does, and waits until they are sent."""
    chat.run("""(host, [files, text]) => files.forEach((bytes, index) => host.conversation.sendFile(
      new File([new Uint8Array(bytes)], `${index}.png`, { type: "image/png" }),
      { width: 300, height: 200, ...(index === 0 && { text }) }))""",
             [[list(png(300, 200, (index * 30 % 256, 90, 120))) for index in range(count)], text])
    chat.page.wait_for_function("""([id, count]) => document.getElementById(id).conversation.items
      .filter(item => item.message?.type === "image" && item.state === "sent").length >= count""", arg=[chat.id, count])


@test("a press on the picture or the name of a sender shows the person, who can be written to, reported and blocked")
def _(stage):
    world, page, _ = group(stage)
    dialog = page.locator("dialog.dialog")
    words(page, "bob 0").locator(".avatar").click()
    expect(dialog.get_by_role("heading", name="Bob Ray")).to_be_visible()
    expect(dialog.get_by_text("bob", exact=True)).to_be_visible()
    expect(dialog.get_by_role("button", name="Block Bob Ray")).to_be_visible()
    stage.axe(page)
    stage.shot(page, "profile")
    escape(page)
    # By keyboard: the name is a button in the row.
    words(page, "bob 0").focus()
    page.keyboard.press("Tab")
    same(focus_of(page), "Bob Ray")
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Block Bob Ray").click()
    page.locator("dialog.dialog").last.get_by_role("button", name="Block Bob Ray").click()
    unblock = dialog.get_by_role("button", name="Unblock Bob Ray")
    expect(unblock).to_be_focused()
    same([each["user"]["userID"] for each in world.call("ann", "user.listBlocked")["users"]], ["bob"])
    unblock.click()
    expect(dialog.get_by_role("button", name="Block Bob Ray")).to_be_focused()
    dialog.get_by_role("button", name="Report").click()
    expect(page.get_by_role("heading", name="Report Bob Ray")).to_be_visible()
    escape(page)
    dialog.get_by_role("button", name="Write a message").click()
    expect(page.locator(".conversation-header h2")).to_have_text("Bob Ray")
    # A 1-on-1 leads to its details.
    page.locator(".conversation-header .about").click()
    expect(page.get_by_role("heading", name="Details")).to_be_visible()


@test("the header opens the details, and a member's menu there the profile")
def _(stage):
    _, page, _ = group(stage)
    page.locator(".conversation-header .avatar").click()
    expect(page.get_by_role("heading", name="Details")).to_be_visible()
    page.locator("dialog .person", has_text="Cy Day").click()
    page.get_by_role("menuitem", name="Profile of Cy Day").click()
    page.get_by_role("button", name="Write a message").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".conversation-header h2")).to_have_text("Cy Day")


@test("several messages are selected by presses and keys, forwarded together in their order, and Escape ends it")
def _(stage):
    world, page, _ = group(stage)
    other = world.single("ann", "cy")
    act(page, "cy 0", "Select")
    bar = page.get_by_role("toolbar", name="Selected messages")
    expect(bar).to_contain_text("1 selected")
    expect(page.get_by_label("Message", exact=True)).to_be_hidden()
    words(page, "bob 1").click()
    words(page, "bob 0").locator(".choice").click()
    expect(bar).to_contain_text("3 selected")
    stage.axe(page)
    stage.shot(page, "selecting")
    words(page, "bob 1").locator(".choice").click()
    expect(bar).to_contain_text("2 selected")
    expect(words(page, "bob 1").locator(".choice")).not_to_be_checked()
    expect(words(page, "bob 0").locator(".choice")).to_be_checked()
    # A row that is drawn again keeps its sign.
    world.call("bob", "reaction.add", channel=page.evaluate("() => document.querySelector('roost-chat').conversation.id"),
               messageID=page.evaluate("""() => document.querySelector("roost-chat").conversation.items
                 .find(item => item.message?.text === "bob 0").message.messageID"""), emoji="👍")
    expect(words(page, "bob 0").locator(".reaction")).to_be_visible()
    expect(words(page, "bob 0").locator(".choice")).to_be_checked()
    words(page, "ann 0").focus()
    page.keyboard.press("Space")
    expect(bar).to_contain_text("3 selected")
    expect(words(page, "ann 0")).to_have_accessible_description("1 selected")
    page.keyboard.press("Space")
    expect(bar).to_contain_text("2 selected")
    expect(words(page, "ann 0")).to_have_accessible_description("")
    bar.get_by_role("button", name="Forward").click()
    page.locator("dialog .check", has_text="Cy Day").click()
    page.locator("dialog footer").get_by_role("button", name="Forward").click()
    expect(page.locator(".toast")).to_contain_text("2 messages forwarded")
    expect(bar).to_have_count(0)
    expect(page.locator("roost-chat .choice")).to_have_count(0)
    events = world.call("cy", "message.list", channel=other, limit=10)["events"]
    same([event["body"]["text"] for event in events if event["event"] == "message.sent"], ["bob 0", "cy 0"])
    act(page, "bob 2", "Select")
    expect(bar).to_be_visible()
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    expect(page.get_by_label("Message", exact=True)).to_be_visible()
    # As before, a press with the other button opens the menu.
    act(page, "bob 2", "Select")
    bar.get_by_role("button", name="Cancel").click()
    expect(bar).to_have_count(0)


@test("selected messages are deleted for oneself, or recalled for everybody if one may; one that is gone is no more selected")
def _(stage):
    world, page, channel = group(stage, user="bob", name="Bob Ray")
    bar = page.get_by_role("toolbar", name="Selected messages")
    act(page, "bob 0", "Select")
    words(page, "bob 1").click()
    bar.get_by_role("button", name="Delete").click()
    page.get_by_role("menuitem", name="Recall for everybody").click()
    expect(page.get_by_role("heading", name="Recall 2 messages?")).to_be_visible()
    page.locator("dialog footer").get_by_role("button", name="Recall").click()
    expect(page.locator("roost-chat .bubble.recalled")).to_have_count(2)
    expect(bar).to_have_count(0)
    # Bob may not recall what Cy has written.
    act(page, "cy 0", "Select")
    words(page, "bob 2").click()
    words(page, "ann 0").click()
    expect(bar).to_contain_text("3 selected")
    message = page.evaluate("""() => document.querySelector("roost-chat").conversation.items
      .find(item => item.message?.text === "bob 2").message.messageID""")
    world.call("bob", "message.delete", scope="messages", channel=channel, messageIDs=[message])
    expect(bar).to_contain_text("2 selected")
    bar.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Delete 2 messages for you?")).to_be_visible()
    page.locator("dialog footer").get_by_role("button", name="Delete").click()
    expect(words(page, "cy 0")).to_have_count(0)
    expect(words(page, "ann 0")).to_have_count(0)
    expect(bar).to_have_count(0)


@test("at most as many messages are selected as a command takes, and votes are not forwarded")
def _(stage):
    world, page, channel = group(stage)
    world.call("bob", "vote.create", channel=channel, subject="Soup?",
               vote={"options": [{"type": "text", "text": text} for text in ("Yes", "No")]})
    for number in range(20):
        world.send("bob", channel, f"more {number}")
    expect(words(page, "more 19")).to_be_visible()
    act(page, "more 19", "Select")
    bar = page.get_by_role("toolbar", name="Selected messages")
    words(page, "Soup?").locator(".bubble").click(position={"x": 4, "y": 4})
    expect(bar).to_contain_text("2 selected")
    bar.get_by_role("button", name="Forward").click()
    expect(page.locator(".toast")).to_contain_text("Votes, calls, announcements and recalled messages cannot be forwarded.")
    for number in range(1, 19):
        exact(page, f"more {number}").click()
    expect(bar).to_contain_text("20 selected")
    exact(page, "more 0").locator(".choice").click()
    expect(page.locator(".toast").last).to_contain_text("Up to 20 messages can be selected.")
    expect(exact(page, "more 0").locator(".choice")).not_to_be_checked()
    expect(bar).to_contain_text("20 selected")


@test("on a phone, a long press leads to the selection and to the text of a message, a part of which can be selected")
def _(stage):
    world, page, channel = group(stage, width=390, height=844, has_touch=True)
    words(page, "bob 1").locator(".bubble").dispatch_event("contextmenu", {"button": 0})
    expect(page.locator("dialog.sheet .sent-at")).to_be_visible()
    stage.shot(page, "phone-menu")
    page.get_by_role("menuitem", name="Select text").tap()
    text = page.locator("dialog .selectable")
    expect(text).to_have_text("bob 1")
    same(text.evaluate("element => getComputedStyle(element).userSelect"), "text")
    stage.axe(page)
    stage.shot(page, "phone-select-text")
    escape(page)
    words(page, "bob 1").locator(".bubble").dispatch_event("contextmenu", {"button": 0})
    page.get_by_role("menuitem", name="Select", exact=True).tap()
    words(page, "cy 0").tap()
    expect(page.get_by_role("toolbar", name="Selected messages")).to_contain_text("2 selected")
    expect(page.locator("dialog")).to_have_count(0)
    stage.axe(page)
    stage.shot(page, "phone-selecting")


@test("pictures that are sent together are one album with one caption, also while they are sent and after a reload")
def _(stage):
    server, ann, bob = pair(stage)
    pictures(bob, 5, "Our garden")
    bob.write("That was it")
    album = ann.host.locator(".album")
    expect(album).to_have_count(1)
    expect(album.locator(".cell")).to_have_count(5)
    expect(album).to_have_accessible_name("Album with 5 pictures")
    expect(ann.rows).to_have_count(2)
    expect(ann.row("Our garden").locator(".album")).to_be_visible()
    expect(album.locator(".media.is-loaded")).to_have_count(5)
    stage.axe(ann.page)
    stage.shot(ann.page, "album")
    box = album.bounding_box()
    same(box["width"] <= 340 and abs(box["height"] - 284) < 6, True, f"{box}")
    # Each is still a message: it opens, has its own menu and its own reactions.
    album.locator(".cell").nth(2).locator(".open").click()
    expect(ann.host.locator(".lightbox")).to_contain_text("3 of 5")
    ann.page.keyboard.press("Escape")
    # The buttons of the row act on the picture under the pointer, or with the focus.
    sent = ann.run("""host => host.conversation.items.filter(item => item.message?.file)
      .map(({ message }) => [message.messageID, message.file.name])""")
    replied = "host => host.conversation.draft.replyTo?.messageID"
    for number in (3, 1):
        album.locator(".cell").nth(number).hover()
        ann.row("Our garden").locator(".tools").get_by_label("Reply").click()
        same(ann.run(replied), sent[number][0])
    with ann.page.expect_download() as found:
        album.locator(".cell").nth(4).hover()
        ann.row("Our garden").locator("[data-more]").click()
        ann.menu.get_by_role("menuitem", name="Download").click()
    same(found.value.suggested_filename, sent[4][1])
    album.locator(".cell").nth(2).locator(".open").focus()
    ann.row("Our garden").locator("[data-more]").press("Enter")
    ann.menu.get_by_role("menuitem", name="Reply").click()
    same(ann.run(replied), sent[2][0])
    ann.host.get_by_label("Cancel the reply").click()
    album.locator(".cell").nth(3).click(button="right")
    ann.menu.get_by_role("menuitem", name="Delete for me").click()
    ann.host.locator("dialog footer").get_by_role("button", name="Delete").click()
    expect(album.locator(".cell")).to_have_count(4)
    album.locator(".cell").nth(1).click(button="right")
    ann.host.locator(".quick-reactions .emoji").first.click()
    expect(album.locator(".cell").nth(1).locator(".reaction")).to_be_visible()
    stage.shot(ann.page, "album-reaction")
    ann.page.reload()
    ann.until_ready()
    expect(album.locator(".cell")).to_have_count(4)
    # A message in between, or a caption, begins another one.
    pictures(bob, 7)
    bob.write("and")
    pictures(bob, 9)
    expect(ann.host.locator(".album")).to_have_count(3)


@test("a picture of an album is selected by itself, all of them by a press beside them; an answer to one leads to it")
def _(stage):
    server, ann, bob = pair(stage)
    bob.write("before")
    pictures(bob, 3)
    album = ann.host.locator(".album")
    expect(album.locator(".media.is-loaded")).to_have_count(3)
    album.locator(".cell").nth(1).click(button="right")
    ann.menu.get_by_role("menuitem", name="Reply").click()
    ann.write("this one")
    ann.row("this one").locator(".quote-button").click()
    expect(ann.rows.filter(has=ann.page.locator(".album"))).to_be_focused()
    album.locator(".cell").nth(1).click(button="right")
    ann.menu.get_by_role("menuitem", name="Select", exact=True).click()
    bar = ann.host.locator(".selection-bar")
    expect(bar).to_contain_text("1 selected")
    expect(album.locator(".is-chosen")).to_have_count(1)
    same(ann.host.locator(".message-row .choice").nth(1).evaluate("choice => choice.indeterminate"), True)
    album.locator(".cell").nth(0).click()
    expect(bar).to_contain_text("2 selected")
    stage.shot(ann.page, "album-selecting")
    ann.host.locator(".message-row .choice").nth(1).click()
    expect(bar).to_contain_text("3 selected")
    expect(album.locator(".is-chosen")).to_have_count(3)


@test("profiles, albums and the selection look right in the dark, on a phone and in Arabic, with 0 axe violations")
def _(stage):
    for name, language, emulation in (("dark", "en", {"is_dark": True}), ("arabic", "ar", {}),
                                      ("phone-arabic", "ar", {"width": 390, "height": 844, "has_touch": True}),
                                      ("narrow", "de", {"width": 320, "height": 568, "is_dark": True})):
        world, page, channel = group(stage, look={"language": language}, **emulation)
        page.evaluate("""files => files.forEach((bytes, index) => document.querySelector("roost-chat").conversation.sendFile(
          new File([new Uint8Array(bytes)], `${index}.png`, { type: "image/png" }), { width: 300, height: 200 }))""",
                      [list(png(300, 200, (index * 30 % 256, 90, 120))) for index in range(3)])
        expect(page.locator("roost-chat .album .media.is-loaded")).to_have_count(3)
        expect(page.locator("roost-chat .progress")).to_have_count(0)
        stage.axe(page)
        stage.shot(page, f"look-album-{name}")
        words(page, "bob 0").locator(".sender button").click()
        expect(page.locator("dialog .profile-actions .item")).to_have_count(3)
        stage.axe(page)
        stage.shot(page, f"look-profile-{name}")
        escape(page)
        words(page, "cy 0").locator(".bubble").dispatch_event("contextmenu", {"button": 2})
        stage.shot(page, f"look-menu-{name}")
        page.locator("dialog [role=menuitem]:has(svg)").filter(has_text=re.compile("^(Select|تحديد|Auswählen)$")).click()
        page.locator("roost-chat .album .cell").first.click()
        words(page, "bob 1").click()
        expect(page.locator("roost-chat .selection-bar")).to_contain_text(re.compile("3"))
        stage.axe(page)
        stage.shot(page, f"look-selecting-{name}")
        page.locator("roost-chat .selection-bar .button").last.click()
        stage.shot(page, f"look-delete-{name}")
        page.context.close()


run()
