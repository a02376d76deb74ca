#!/usr/bin/env python3
"""The app's open channels, conversations, groups and details, against a real server. Needs ROOST, its binary."""
from app_driver import World, focus_of, operate, row
from browser import expect, run, same, test, until_answered


@test("a tap in an open channel starts a 1-on-1, which opens over it and leads back when it closes [J-15]")
def _(stage):
    world = World(stage)
    world.users(bob="Bob")
    world.open_channel("bob", "lobby", "The lobby")
    world.send("bob", "lobby", "Hello everybody")
    page = world.app(width=390, height=844)
    page.get_by_role("button", name="Open channels").first.click()
    page.get_by_role("searchbox", name="Search open channels").fill("lob")
    page.get_by_role("button", name="Join The lobby").click()
    page.locator(".bubble", has_text="Hello everybody").click()
    page.get_by_role("menuitem", name="Start messaging with Bob").click()
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    same(page.url, f"{world.url}/#channel=ann%3Abob")
    page.get_by_role("textbox", name="Message").fill("Hi Bob")
    page.keyboard.press("Enter")
    expect(page.locator(".bubble", has_text="Hi Bob")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("heading", name="The lobby")).to_be_visible()
    same(page.url, f"{world.url}/#channel=lobby")
    # It goes on with what comes in the meantime, and takes part.
    world.send("bob", "lobby", "Still there?")
    expect(page.locator(".bubble", has_text="Still there?")).to_be_visible()
    same(world.call("bob", "channel.get", channel="lobby")["memberCount"], 1)
    page.get_by_role("button", name="Back").click()
    expect(row(page, "Hi Bob")).to_be_visible()


@test("open channels are searched and joined, made by their id in dev mode, and left")
def _(stage):
    world = World(stage)
    world.users(bob="Bob")
    for number in range(40):
        world.open_channel("bob", f"room-{number:02}", f"Room {number:02}")
    page = world.app()
    page.get_by_role("button", name="Open channels").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Join Room")).to_have_count(30)
    dialog.get_by_role("button", name="Show more").click()
    expect(dialog.get_by_role("button", name="Join Room")).to_have_count(40)
    same(focus_of(page).startswith("Join Room 30"), True)
    dialog.get_by_role("searchbox").fill("zebra")
    expect(dialog.get_by_text("Nothing found for “zebra”.")).to_be_visible()
    dialog.get_by_label("Channel ID").fill("not allowed!")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_text("Use 1 to 64")).to_be_visible()
    dialog.get_by_label("Channel ID").fill("zebra")
    dialog.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="zebra")).to_be_visible()
    mine = page.get_by_role("list", name="Open channels").locator(".channel")
    expect(mine).to_have_count(1)
    until_answered(lambda: world.call("bob", "channel.get", channel="zebra")["memberCount"], 1)
    page.get_by_role("button", name="Open channels").first.click()
    page.get_by_role("button", name="Join Room 07").click()
    expect(page.get_by_role("heading", name="Room 07")).to_be_visible()
    expect(mine).to_have_count(2)
    mine.filter(has_text="zebra").click(button="right")
    page.get_by_role("menuitem", name="Leave channel").click()
    expect(mine).to_have_count(1)


@test("a conversation begins by user id or with somebody one knows, and an unknown id is named")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    world.group("bob", ["ann"], "The garden")
    page = world.app()
    expect(row(page, "The garden")).to_be_visible()

    def begin():
        page.locator(".channel-list").get_by_role("button", name="New conversation").first.click()
        page.get_by_role("menuitem", name="New conversation").click()
        return page.get_by_role("dialog")

    dialog = begin()
    dialog.get_by_label("Name, login name or user ID").fill("nobody-here")
    dialog.get_by_role("button", name="Start conversation").click()
    expect(dialog.locator(".error-text")).to_be_visible()
    dialog.get_by_label("Name, login name or user ID").fill("cat")
    dialog.get_by_role("button", name="Start conversation").click()
    expect(page.get_by_role("heading", name="Cat")).to_be_visible()
    begin().get_by_role("button", name="Bob").click()
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    page.locator(".channel-list").get_by_role("button", name="New conversation").first.click()
    page.get_by_role("menuitem", name="Notes to myself").click()
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    same(page.url, f"{world.url}/#channel=ann%3Aann")


@test("of several people that fit, the Enter key takes the marked one, and nobody if none is marked")
def _(stage):
    world = World(stage)
    world.users(ann="Ann Lee", anna="Hanna", annabel="Annabel", dan="Dan")
    world.group("dan", ["ann", "anna", "annabel"], "The garden")
    page = world.app()
    expect(row(page, "The garden")).to_be_visible()
    page.locator(".channel-list").get_by_role("button", name="New conversation").first.click()
    page.get_by_role("menuitem", name="New conversation").click()
    people = page.get_by_role("dialog").locator(".person")
    marked = page.get_by_role("dialog").locator(".person[aria-current=true]")
    field = page.get_by_role("dialog").get_by_label("Name, login name or user ID")
    expect(people).to_have_count(3)
    field.fill("ann")
    expect(people).to_have_count(2)
    page.keyboard.press("Enter")
    # An answer after that to the question that the key has asked.
    page.evaluate("() => document.querySelector('roost-chat').client.read('user.get', { userIDs: ['ann'] }).then(() => 1)")
    expect(page.get_by_role("dialog").get_by_role("button", name="Start conversation")).to_be_enabled()
    expect(field).to_be_focused()
    same(marked.count(), 0)
    same([channel["channel"] for channel in world.call("ann", "channel.list")["channels"] if channel["kind"] == "single"], [])
    # The whole user id, which is in the other one's, too.
    field.fill("anna")
    expect(people).to_have_count(2)
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("Hanna")
    stage.axe(page)
    stage.shot(page, "person-marked")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Hanna")).to_be_visible()


@test("people are found by login name, by user id and in open channels, as far as the server allows; known ones by name")
def _(stage):
    for lookups in (True, False):
        world = World(stage, *(() if lookups else ("--no-lookups",)))
        world.users(ann="Ann", bob="Bob", cat="Cat Steven", dan="Dan", eve="Eve")
        if lookups:
            world.group("bob", ["ann", "cat"], "The garden")
        operate(world.server, "account.register", accounts=[
            {"loginName": "dora@work", "name": "Dora", "password": "correct horse battery"}])
        world.open_channel("dan", "lobby", "The lobby")
        world.send("dan", "lobby", "Hello")
        page = world.app(is_dark=not lookups, at="#channel=lobby")
        expect(page.locator(".bubble", has_text="Hello")).to_be_visible()
        page.locator(".channel-list").get_by_role("button", name="New conversation").first.click()
        page.get_by_role("menuitem", name="New conversation").click()
        dialog, people = page.get_by_role("dialog"), page.get_by_role("dialog").locator(".person")
        expect(dialog).to_contain_text("Others find you by your user ID: ann")
        expect(dialog.get_by_role("heading", name="From open channels")).to_be_visible()
        expect(people.filter(has_text="Dan")).to_be_visible()
        stage.axe(page)
        stage.shot(page, f"new-conversation-{lookups}")
        field = dialog.get_by_label("Name, login name or user ID")
        if lookups:
            field.fill("steven")
            expect(people).to_have_count(1)
            expect(people).to_contain_text("Cat Steven")
            field.fill("Dora@WORK")
            expect(dialog.get_by_role("heading", name="Found")).to_be_visible()
            expect(people).to_contain_text("Dora")
            field.fill("steven")
            page.keyboard.press("Enter")
            expect(page.get_by_role("heading", name="Cat Steven")).to_be_visible()
            continue
        field.fill("dora@work")
        page.keyboard.press("Enter")
        expect(dialog.locator(".error-text")).to_be_visible()
        field.fill("eve")
        expect(people).to_contain_text("Eve")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Eve")).to_be_visible()


@test("the address leads to a conversation, and the browser's back leads back, on a phone to the list")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    for user in ("bob", "cat"):
        world.send(user, world.single("ann", user), f"I am {user}")
    page = world.app(at="#channel=ann:cat")
    expect(page.get_by_role("heading", name="Cat")).to_be_visible()
    row(page, "I am bob").click()
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Cat")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    phone = world.app(width=390, height=844, has_touch=True)
    row(phone, "I am bob").tap()
    expect(phone.get_by_role("heading", name="Bob")).to_be_visible()
    expect(phone.locator(".channel-list")).to_be_hidden()
    phone.go_back()
    expect(row(phone, "I am bob")).to_be_visible()
    same(phone.url, f"{world.url}/")
    row(phone, "I am cat").tap()
    phone.get_by_role("button", name="Back").tap()
    expect(row(phone, "I am bob")).to_be_visible()
    same(phone.url, f"{world.url}/")


# Groups

@test("a group: made, renamed, people invited, roles changed, removed, banned, and left with a successor")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat", dan="Dan", eve="Eve")
    world.single("ann", "bob")
    world.send("bob", "ann:bob", "Hello")
    page = world.app()
    page.locator(".channel-list").get_by_role("button", name="New conversation").first.click()
    page.get_by_role("menuitem", name="New group").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Create group").click()
    expect(dialog.get_by_text("Add at least one member.")).to_be_visible()
    dialog.get_by_label("Title").fill("The garden")
    dialog.get_by_role("button", name="Bob").click()
    for user in ("cat", "dan"):
        dialog.get_by_label("Add member").fill(user)
        dialog.get_by_label("Add member").press("Enter")
        expect(dialog.locator(".chip", has_text=user.capitalize())).to_be_visible()
    dialog.get_by_role("button", name="Remove Dan").click()
    dialog.get_by_role("button", name="Create group").click()
    expect(page.get_by_role("heading", name="The garden")).to_be_visible()
    group = page.evaluate("document.querySelector('roost-chat').conversation.id")

    def roles():
        members = world.call("ann", "member.list", channel=group, roles=[
            "outcast", "invited", "participant", "moderator", "admin"])["members"]
        return {member["userID"]: member["role"] for member in members}

    same(roles(), {"ann": "admin", "bob": "participant", "cat": "participant"})
    page.get_by_role("button", name="Details").click()
    details = page.get_by_role("dialog", name="Details")
    details.get_by_role("button", name="Change the title").click()
    page.get_by_role("textbox", name="Title").fill("The large garden")
    page.get_by_role("button", name="Save").click()
    expect(details.get_by_role("heading", name="The large garden")).to_be_visible()
    same(focus_of(page), "Change the title")
    details.get_by_role("button", name="Invite people").click()
    invite = page.get_by_role("dialog", name="Invite people")
    for user in ("dan", "eve"):
        invite.get_by_label("Add member").fill(user)
        invite.get_by_label("Add member").press("Enter")
        expect(invite.locator(".chip")).to_have_count(1 + (user == "eve"))
    invite.get_by_label("Ask them first").check()
    invite.get_by_role("button", name="Invite", exact=True).click()
    expect(invite).to_have_count(0)
    people = details.get_by_role("list", name="Members")
    expect(people.get_by_role("button", name="Dan")).to_contain_text("Invited")
    same(roles() | {"dan": "invited", "eve": "invited"}, roles())

    def act(name, action, confirm=None):
        people.get_by_role("button", name=name).click()
        page.get_by_role("menuitem", name=action).click()
        if confirm:
            page.get_by_role("dialog").last.get_by_role("button", name=confirm).click()

    act("Eve", "Withdraw the invitation")
    expect(people.get_by_role("button", name="Eve")).to_have_count(0)
    world.call("dan", "member.answer", channel=group, isAccepted=True)
    expect(people.get_by_role("button", name="Dan")).not_to_contain_text("Invited")
    act("Cat", "Make moderator")
    expect(people.get_by_role("button", name="Cat")).to_contain_text("Moderator")
    act("Dan", "Remove from the group", "Remove")
    expect(people.get_by_role("button", name="Dan")).to_have_count(0)
    act("Bob", "Ban from the group", "Ban from the group")
    expect(people.get_by_role("button", name="Bob")).to_contain_text("Banned")
    same(roles(), {"ann": "admin", "bob": "outcast", "cat": "moderator"})
    act("Bob", "Lift the ban")
    expect(people.get_by_role("button", name="Bob")).to_have_count(0)
    # The last admin names a successor; afterwards the details and the row are gone.
    details.get_by_role("button", name="Leave the group").click()
    leave = page.get_by_role("dialog", name="Leave The large garden")
    expect(leave.get_by_role("button", name="Leave the group")).to_be_disabled()
    leave.get_by_label("Cat").check()
    leave.get_by_role("button", name="Leave the group").click()
    expect(details).to_have_count(0)
    expect(row(page, "The large garden")).to_have_count(0)
    members = world.call("cat", "member.list", channel=group)["members"]
    same([(member["userID"], member["role"]) for member in members], [("cat", "admin")])


@test("what a member may not do, or the kind of conversation has not, is not shown; a picture and dismissing are")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.call("bob", "channel.create", kind="group", channel="strict", title="Strict", members=["ann"],
               profile={"editors": "moderators"})
    own = world.group("ann", ["bob"], "Own")
    world.send("bob", world.single("ann", "bob"), "Hello")
    page = world.app()

    def actions(text):
        row(page, text).click()
        page.get_by_role("button", name="Details").click()
        details = page.get_by_role("dialog", name="Details")
        expect(details.get_by_role("button", name="Hide")).to_be_visible()
        if text == "Hello":
            expect(details.get_by_role("button", name="Block Bob")).to_be_visible()
        found = [text.split("\n")[0] for text in details.locator(".details-actions .item").all_inner_texts()]
        return details, found

    details, found = actions("Strict")
    same(found, ["Mute", "Pictures and files", "Invite people", "Hide", "Delete all messages for me",
                 "Leave the group"])
    details.get_by_role("button", name="Bob").click()
    same(page.get_by_role("menuitem").all_inner_texts(), ["Start messaging with Bob", "Profile of Bob"])
    page.keyboard.press("Escape")
    details.get_by_role("switch", name="Mute").click()
    expect(details.get_by_role("switch", name="Mute")).to_be_checked()
    page.keyboard.press("Escape")
    details, found = actions("Hello")
    same(found, ["Mute", "Pictures and files", "New group", "Hide", "Delete all messages for me", "Report…", "Block Bob",
                 "End conversation"])
    details.get_by_role("button", name="Block Bob").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Block Bob").click()
    expect(details.get_by_role("button", name="Unblock Bob")).to_be_visible()
    details.get_by_role("button", name="Unblock Bob").click()
    expect(details.get_by_role("button", name="Block Bob")).to_be_visible()
    page.keyboard.press("Escape")
    details, found = actions("Own")
    same("Remove the picture" in found, False)
    with page.expect_file_chooser() as chooser:
        details.get_by_role("button", name="Change the picture").click()
    chooser.value.set_files({"name": "p.png", "mimeType": "image/png", "buffer": page.screenshot()})
    expect(details.locator(".details-top img")).to_be_visible()
    same(world.call("bob", "channel.get", channel=own)["profile"]["avatar"].startswith("file:"), True)
    details.get_by_role("button", name="Remove the picture").click()
    expect(details.locator(".details-top img")).to_have_count(0)
    details.get_by_role("button", name="Dismiss the group").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Dismiss the group").click()
    expect(details).to_have_count(0)
    expect(row(page, "Own")).to_have_count(0)


run()
