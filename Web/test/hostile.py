#!/usr/bin/env python3
"""Hostile input against the app and a real server: nothing that somebody else has typed, sent or uploaded runs.

Needs ROOST, the server's binary. The strings are in hostile_strings.py; hostile_data.py has data and frames that are
strange rather than scripts.
"""
import base64
import json
import re
import time

from playwright.sync_api import Error

from app_driver import World, escape, row, until
from browser import expect, frames, run, same, test
from hostile_driver import (
    WATCH, WORDS, check, cut, isolated, name_of, operator, people, picture, same_texts, show, upload, watched)
from hostile_strings import FILES, LIARS, LINKS, XSS

GRAPHEMES = ["<", ">", "&", '"', "'", "`", "{", "$", "\\", "\u202e", "<\u0338", "\u200d", "&\u20dd", "%"]


@test("120 hostile strings as names, pictures, titles and invitations are text in list, search, dialogs and menus")
def _(stage):
    same((len(XSS), len(set(XSS))), (120, 120))
    world = World(stage)
    world.users(ann="Ann Lee")
    names = people(world)
    for number, (text, name) in enumerate(zip(XSS, names)):
        user = f"u{number}"
        avatar = {"avatar": picture(name, 120)}
        world.group(user, ["ann"], name, channel=f"group-{number}", profile=avatar)
        world.group(user, [{"userID": "ann", "role": "invited"}], name)
        world.open_channel(user, f"open-{number}", name)
        world.single(user, "ann")
        world.send(user, f"ann:{user}", cut(text, 8000, True))
    everybody = world.group("ann", [f"u{number}" for number in range(len(XSS))], "Everybody")
    page = watched(world, height=1000)
    expect(row(page, "Everybody")).to_be_attached()
    # Invitations, then all rows of the list: names, titles, pictures, last messages.
    expect(page.locator(".invitation")).to_have_count(100)
    shown = [isolated(text) for text in page.locator(".invitation .about").all_text_contents()]
    same([name for name in names if isolated(name) in "\n".join(shown)] != [], True)
    check(page, "invitations")
    total = 2 * len(XSS) + 1
    while page.locator(".channels > ul .channel").count() < total:
        page.locator(".channels").evaluate("element => element.scrollTop = element.scrollHeight")
        frames(page)
    titles = page.locator(".channels > ul .name").all_text_contents()
    same_texts(titles, [*names, *names, "Everybody"])
    check(page, "list")
    # The document's title, the header, the placeholder and the details of each; the menu of its row.
    for number, name in enumerate(names):
        for channel in (f"group-{number}", f"ann:u{number}") if number % 4 == 0 else (f"group-{number}",):
            show(page, channel)
            page.wait_for_function("""name => {
              const { shadowRoot } = document.querySelector("roost-chat");
              return shadowRoot.querySelector(".conversation-header h2").textContent === name
                && name.split(/[\u2066-\u2069\u202a-\u202e]/)
                  .every(part => document.title.includes(part.trim().replace(/\\s+/g, " ")));
            }""", arg=name)
        check(page, name)
    for number in range(0, len(XSS), 6):
        show(page, f"ann:u{number}")
        page.locator(".conversation-header .icon-button").last.click()
        same(page.locator("dialog h3[dir=auto]").evaluate("title => title.textContent"), names[number])
        expect(page.locator("dialog .item.danger").nth(1)).to_be_visible()
        page.locator("dialog .item.danger").nth(1).click()
        expect(page.locator("dialog")).to_have_count(2)
        check(page, names[number])
        escape(page)
        escape(page)
    # Search finds each by its name, and repeats what it does not find.
    search = page.get_by_role("searchbox", name="Search conversations")
    for name in names[::4]:
        search.fill(name)
        page.wait_for_function("""() => document.querySelector("roost-chat").shadowRoot
          .querySelector(".channels > ul .channel, .list-state:not([hidden])")""")
        search.fill(f"{name}?!")
        expect(page.locator(".channels .list-state")).to_contain_text("Nothing found")
        check(page, name)
    search.fill("")
    # All members in the details, their menus, and the lines of the log.
    show(page, everybody)
    page.locator(".conversation-header .icon-button").last.click()
    expect(page.locator("dialog .person")).to_have_count(len(XSS) + 1)
    found = page.locator("dialog .person bdi").evaluate_all("all => all.map(bdi => bdi.textContent)")
    same_texts(found, [*names, "Ann Lee", "ann", *(f"u{number}" for number in range(len(XSS)))])
    for number in range(1, len(XSS), 12):
        page.locator("dialog .person").nth(number).click()
        expect(page.locator("dialog.menu")).to_be_visible()
        check(page, "member menu")
        escape(page)
    escape(page)
    # Who can be mentioned, who can be invited, and the open channels.
    page.get_by_role("textbox", name="Message").press_sequentially("@")
    expect(page.locator("[role=option]").first).to_be_visible()
    for prefix in "<j{_$&":
        page.get_by_role("textbox", name="Message").fill("")
        page.get_by_role("textbox", name="Message").press_sequentially(f"@{prefix}")
        expect(page.locator("[role=option]").first).to_be_visible()
        check(page, f"@{prefix}")
        page.keyboard.press("Enter")
    page.locator(".channel-list > header .icon-button").click()
    page.locator("dialog .item").nth(1).click()
    expect(page.locator("dialog .person").nth(20)).to_be_visible()
    for number in range(0, 20, 4):
        page.locator("dialog .person").nth(number).click()
    check(page, "new group")
    escape(page)
    page.locator(".open-channels > .item").click()
    for count in (30, 60, 90, 120):
        expect(page.locator("dialog .person")).to_have_count(count)
        if count < 120:
            page.get_by_role("button", name="Show more").click()
    found = page.locator("dialog .person bdi").evaluate_all("all => all.map(bdi => bdi.textContent)")
    same_texts(found, names)
    check(page, "open channels")


def contents(text):
    """A message of each kind that holds a string wherever it takes one; and in how many places it must be read."""
    keys = {key: text[:100] for key in ("__proto__", "constructor", "prototype", "toString", "text", "<b>")}
    category = {"category": cut(text, 64)} if cut(text, 64).strip() else {}
    return [
        {"type": "text", "text": text, "extras": keys, **category}, {"type": "sticker", "text": text},
        {"type": "location", "location": {"latitude": 1.5, "longitude": -2, "address": cut(text, 1000)}},
        {"type": "location", "text": text, "location": {"latitude": 1.5, "longitude": -2}},
        {"type": "custom", "text": text, "attributes": 35, "extras": keys},
        {"type": "callReceived", "call": {"callID": "c", "kind": "video"}, "text": text},
    ]


@test("120 hostile strings in texts, replies, mentions, places, files, votes and reactions are shown as they are")
def _(stage):
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob")
    names = people(world)
    single = world.single("ann", "bob")
    probe = world.send("ann", single, "probe")["messageID"]
    emoji = []
    for each in GRAPHEMES:
        try:
            world.call("bob", "reaction.add", channel=single, messageID=probe, emoji=each)
            emoji.append(each)
        except AssertionError as error:
            same('"code":6' in str(error), True, str(error))
    # What is no emoji is no reaction.
    same(emoji, [])
    emoji = ["👍", "❤️", "🏳️\u200d🌈"]
    for number, text in enumerate(XSS):
        text = cut(text, 8000, True)
        user, channel = f"u{number}", f"room-{number}"
        world.group(user, ["ann", "bob"], names[number], channel=channel)
        world.call(user, "message.sendMany", channels=[channel], messages=contents(text))
        first = world.send(user, channel, text)["messageID"]
        world.send("ann", channel, f"@{names[number]} {text}"[:8000], replyTo=first,
                   mentions=[{"userID": user, "start": 0, "length": len(names[number].encode("utf-16-le")) // 2 + 1}])
        file = upload(world, user, text or "x", f"text/x{re.sub('[^a-z0-9.+-]', '', text)[:60]}", b"hello")
        world.send(user, channel, text, type="document", file={"fileID": file})
        option = [{"type": "text", "text": f"{text[:900]} {each}"} for each in "ab"]
        world.call(user, "vote.create", channel=channel, subject=text, vote={"options": option})
        world.call(user, "message.forward", channel=channel, messageIDs=[first], channels=[channel])
        world.call(user, "reaction.add", channel=channel, messageID=first, emoji=emoji[number % len(emoji)])
        if number < 100:  # More are not allowed.
            world.call("ann", "schedule.create", channels=[channel], messages=[{"type": "text", "text": text}],
                   sendAt=round(time.time() * 1000) + 86_400_000)
    page = watched(world, height=4000)
    for number, text in enumerate(XSS):
        text = cut(text, 8000, True)
        show(page, f"room-{number}", 10)
        words = page.evaluate(WORDS)
        expect(page.locator(".vote .option")).to_have_count(2)
        same(words.count(text) >= 5, True, f"{text!r} in {words!r}")
        expect(page.locator(".reaction .emoji")).to_have_text(emoji[number % len(emoji)])
        if number < 100:
            expect(page.locator(".scheduled .item")).to_be_visible()
        check(page, text)


@test("hostile strings that arrive while somebody looks: read aloud, typing, answered, forwarded, news, announcements")
def _(stage):
    world = World(stage)
    world.users(ann="Ann Lee", cat="Cat")
    names, call = people(world), operator(world)
    world.open_channel("cat", "room", cut(XSS[16], 200))
    call("channel.create", "news", kind="publicNews", channel="news", title=cut(XSS[15], 200))
    world.call("ann", "member.join", channel="news")
    page = watched(world, height=1200)
    show(page, "room")
    last = f"({WORDS})().at(-1)"
    spoken = """text => [...document.querySelector("roost-chat").shadowRoot.querySelectorAll("[aria-live=polite]")]
      .some(region => region.textContent.includes(text))"""

    def act(name):
        page.locator(".message-row .bubble").last.click(button="right", position={"x": 5, "y": 5})
        expect(page.locator("dialog.menu")).to_be_visible()
        page.get_by_role("menuitem", name=name).click()

    for number, text in enumerate(XSS[::3]):
        text, user = cut(text, 900, True), f"u{3 * number}"
        page.evaluate("""([userID, name]) => document.querySelector("roost-chat").client.core.sync.tell(
          { type: "event", event: { event: "typing.started", channel: "room", body: { userID, name } } })""", [user, names[3 * number]])
        page.wait_for_function("""name => document.querySelector("roost-chat").shadowRoot.querySelector(".typing")
          .textContent.includes(name.slice(0, 20).trim().split(/[\u2066-\u2069\u202a-\u202e]/)[0])""",
                               arg=names[3 * number])
        message = world.send(user, "room", text)["messageID"]
        page.wait_for_function(f"text => {last} === text", arg=text)
        page.wait_for_function(spoken, arg=re.split("[\u2066-\u2069\u202a-\u202e\x00-\x1f\x7f-\x9f\u2028\u2029]",
                                                    text)[0][:30].strip())
        world.call("cat", "reaction.add", channel="room", messageID=message, emoji="👍")
        check(page, text)
        # The sheet to start a conversation with the sender, the answer, forwarding, and who has reacted.
        page.locator(".message-row .bubble").last.click(position={"x": 5, "y": 5})
        expect(page.locator("dialog.sheet")).to_be_visible()
        check(page, text)
        escape(page)
        act("Reply")
        expect(page.locator(".replying .quote")).to_be_visible()
        check(page, text)
        page.get_by_role("button", name="Cancel the reply").click()
        act("Forward")
        page.locator("dialog input[type=search]").fill(cut(text, 100))
        expect(page.locator("dialog .people .quiet-text, dialog .people label").first).to_be_visible()
        check(page, text)
        page.locator("dialog header .icon-button").click()
        act("Reactions")
        expect(page.locator("dialog .people bdi")).to_have_text("Cat")
        check(page, text)
        escape(page)
        call("news.publish", f"news-{number}", channel="news", text=text)
        if number % 5 == 0:
            call("message.announce", f"say-{number}", channel="room", text=text)
            expect(page.locator(".message-row.announcement").last).to_be_visible()
            check(page, text)
    show(page, "news", 5)
    check(page, "news")


@test("120 hostile strings typed by the user: sign-in, token, address, draft, message, dialogs and settings")
def _(stage):
    # Wrong tokens are refused.
    stage.allow(r"console error: Failed to load resource: .* 401 .*/v1/refresh/start")
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob")
    page = stage.page()
    page.add_init_script(WATCH)
    page.goto(world.url + "/")
    submit = page.get_by_role("button", name="Sign in", exact=True)
    for text in XSS:
        page.get_by_label("Your name").fill(cut(text, 200))
        page.get_by_label("User ID").fill(cut(text, 64))
        if not re.fullmatch(r"[\w.@-]{1,64}", cut(text, 64), re.ASCII):
            submit.click()
            expect(page.get_by_text("Use 1 to 64 letters")).to_be_visible()
        check(page, f"sign-in {text!r}")
    # As a token in the address, and then in the field.
    def open_link(token):
        page.evaluate("text => { location.hash = `token=${encodeURIComponent(text)}`; }", token)
        page.wait_for_function("() => !location.hash.includes('token')")

    for text in XSS[::2]:
        open_link(cut(text, 4000, True))
        expect(page.get_by_role("alert").filter(has_text="This link is not valid")).to_be_visible()
        check(page, f"token {text!r}")
    # As the name in a token, which the page reads before the server has checked it.
    for text in XSS[1::4]:
        claims = base64.urlsafe_b64encode(json.dumps({"sub": "tom", "name": cut(text, 200)}).encode()).decode()
        open_link(f"eyJhbGciOiJIUzI1NiJ9.{claims.rstrip('=')}.c2ln")
        question = page.get_by_role("dialog")
        expect(question.get_by_text("User ID tom")).to_be_visible()
        check(page, f"question {text!r}")
        question.get_by_role("button", name="Do not sign in").click()
        expect(question).to_have_count(0)
    page.get_by_role("tab", name="With a token").click()
    for text in XSS[1::8]:
        page.get_by_role("textbox", name="Token").fill(cut(text, 4000, True))
        submit.click()
        expect(page.get_by_role("alert").filter(has_text="does not accept this token")).to_be_visible()
        expect(submit).to_be_enabled()
        check(page, f"token {text!r}")
    # In a conversation: the draft, what is sent, and the address of a channel that cannot exist.
    for channel in ("one", "two"):
        world.group("ann", ["bob"], f"Group {channel}", channel=channel)
    page = watched(world, height=1200)
    field = page.get_by_role("textbox", name="Message")
    show(page, "one")
    for number, text in enumerate(XSS):
        text = cut(text, 8000, True).replace("\r", "")
        field.fill(text)
        typed = field.input_value()
        if number % 5 == 0:
            show(page, "two")
            expect(row(page, "Group one").locator(".preview")).to_contain_text("Draft")
            check(page, f"draft {text!r}")
            show(page, "one")
            expect(field).to_have_value(typed)
        field.press("Enter")
        page.wait_for_function(f"text => ({WORDS})().includes(text)", arg=typed)
        check(page, f"sent {text!r}")
    for text in XSS:
        page.evaluate("text => { location.hash = `channel=${encodeURIComponent(text)}`; }",
                      cut(text, 8000, True))
        page.wait_for_function("""() => document.querySelector("roost-chat").conversation?.error
          || document.querySelector("roost-chat").conversation?.hasLoaded""")
        check(page, f"address {text!r}")
    show(page, "one")
    for text in (name_of(text) for text in XSS[::12]):
        field.fill(text)
        page.get_by_role("button", name="More to send").click()
        page.get_by_role("menuitem").nth(3).click()
        same(page.locator("dialog blockquote").evaluate("quote => quote.textContent"), text)
        check(page, "schedule")
        page.get_by_role("button", name="Schedule", exact=True).click()
        expect(page.locator("dialog")).to_have_count(0)
        page.get_by_role("button", name="More to send").click()
        page.get_by_role("menuitem").nth(2).click()
        for input in page.locator("dialog input[maxlength]").all():
            input.fill(f"{text} {input.evaluate('input => input.placeholder')}")
        page.get_by_role("button", name="Create", exact=False).last.click()
        expect(page.locator("dialog")).to_have_count(0)
        page.locator(".conversation-header .icon-button").last.click()
        page.get_by_role("button", name="Change the title").click()
        page.locator("dialog").last.locator("input").fill(text)
        page.locator("dialog").last.locator("[type=submit]").click()
        expect(page.locator("dialog")).to_have_count(1)
        escape(page)
        page.wait_for_function("text => document.title.includes(text.trim().replace(/\\s+/g, ' '))", arg=text)
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("dialog").get_by_label("Name").fill(text)
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        page.wait_for_function("text => document.querySelector('roost-chat').client.user.name === text",
                               arg=text.strip())
        check(page, "settings")
        escape(page)
    page.locator(".scheduled > .item").click()
    check(page, "schedules")
    # All of it after a reload, from the store.
    page.reload()
    show(page, "one", 5)
    check(page, "reload")


@test("120 hostile strings in pushes and notifications are their words; a click with one opens nothing else")
def _(stage):
    stage.allow(r"console error: Failed to load resource")
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "Hello")
    page = watched(world, permissions=["notifications"])
    expect(row(page, "Hello")).to_be_visible()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    until(page, """async () => Boolean(await caches.match("/web/app/notification-words.json"))""")
    worker = page.context.service_workers[0]
    other = stage.tab(page, world.url + "/healthz")
    for each in (page, other):
        stage.session(each).send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    other.bring_to_front()
    push = """async text => {
      const event = new PushEvent("push", { data: text });
      const done = new Promise(resolve => (event.waitUntil = resolve));
      dispatchEvent(event);
      await (await done);
      const shown = await registration.getNotifications();
      const found = shown.map(({ title, body, icon, data, actions }) =>
        [title, body, new URL(icon).pathname, data.channel, actions.length]);
      for (const notification of shown) notification.close();
      return [...found, "hit" in self || Object.keys(Object.prototype).length];
    }"""
    for number, text in enumerate(XSS):
        text = cut(text, 200, True)
        payload = {"kind": "alert", "pushID": f"{number}", "badge": 3, "sentAt": 1, "channelKind": "single",
                   "type": text,
                   "channel": text, "title": text, "body": text, "senderName": text, "icon": text, "image": text}
        shown = [text, text, "/web/app/icon-192.png", text, 0]
        same(worker.evaluate(push, json.dumps({"roost": payload})), [shown, 0])
        payload = {**payload, "text": text, "messageID": text, "channelKind": "group", "locKey": text}
        same(worker.evaluate(push, json.dumps({"roost": payload})), [shown, 0])
    for strange in ("", "x", "null", "[]", "7", '{"roost":null}', '{"__proto__":{"hit":1}}'):
        same(worker.evaluate(push, strange), [0])
    for text in XSS[::10]:
        page.evaluate("open => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { open } }))",
                      text)
        page.wait_for_function("() => document.querySelector('roost-chat').conversation?.error")
        check(page, text)


@test("of 60 hostile addresses only http, https, mailto and tel become links, and look-alikes show their host")
def _(stage):
    same((len(LINKS), len({text for text, _, _ in LINKS})), (60, 60))
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.single("ann", "bob")
    for text, _, _ in LINKS:
        world.send("bob", "ann:bob", text)
    page = watched(world, height=6000)
    show(page, "ann:bob", len(LINKS))
    found = page.locator(".words").evaluate_all("""all => all.map(words =>
      [...words.querySelectorAll("a")].map(link => [link.href, link.rel, link.target, link.textContent,
        link.nextElementSibling?.textContent.trim() ?? null]))""")
    for (text, href, host), links in zip(LINKS, found, strict=True):
        same([[link[0], link[1], link[2]] for link in links],
             [[href, "noopener noreferrer nofollow ugc", "_blank"]] if href else [], text)
        same([link[4] for link in links], [host and f"({host})"] if href else [], text)
        same([link[3] in text for link in links], [True] * len(links), text)
    same(page.evaluate(WORDS), [text for text, _, _ in LINKS])
    check(page)


@test("uploads with scripts in them run nothing: shown, opened, saved, framed, and loaded as a script or worker")
def _(stage):
    # What is refused here says so; how a browser shows a file of its own is no business of the page.
    stage.allow(r"console error: .*(Failed to load resource|Blocked script execution|Refused to|Loading the script|"
                r"violates the following|Content Security Policy|requires 'Trusted|MIME type)")
    # The harness looks into frames, too; those of a file have no storage.
    stage.allow(r"page error: Failed to read the 'sessionStorage' property")
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.single("ann", "bob")
    for media_type, content in LIARS:
        # Bytes that are not what they claim to be are kept, and are no picture.
        try:
            file = {"fileID": upload(world, "bob", "x.png", media_type, content)}
            world.send("bob", "ann:bob", "no picture", type="image", file=file)
            refused = False
        except (AssertionError, OSError) as error:
            refused = '"code":7023' in str(error) or '"code":6' in str(error)
        same(refused, True, media_type)
    kinds = []
    for name, media_type, content in FILES:
        file = {"fileID": upload(world, "bob", name, media_type, content)}
        for kind in ("document", "image", "video", "contact"):
            try:
                world.send("bob", "ann:bob", f"{kind} {name}", type=kind, file=file)
                kinds.append(kind)
            except AssertionError as error:
                # A picture must be one.
                same('"code":7023' in str(error), True, str(error))
    same(kinds.count("document"), len(FILES))
    page = watched(world, height=12_000)
    show(page, "ann:bob", len(kinds))
    check(page, "files")
    files = page.evaluate("""async () => {
      const { conversation, client } = document.querySelector("roost-chat");
      const messages = conversation.items.filter(item => item.message?.type === "document");
      return Promise.all(messages.map(async ({ message: { file } }) => [file.name, await client.fileURL(file.fileID)]));
    }""")
    same(len(files), len(FILES))
    for media in page.locator(".media .open").all():
        media.click()
        expect(page.locator("dialog.lightbox .stage :is(img, video, p)")).to_be_visible()
        check(page, "lightbox")
        escape(page)
    for number, (name, link) in enumerate(files):
        caption = page.get_by_text(f"document {FILES[number][0]}", exact=True)
        message = page.locator(".message-row", has=caption).locator(".document")
        with page.expect_download() as download:
            message.click()
        same(download.value.url, link)
        answer = page.evaluate("""async link => {
          const { headers } = await fetch(link);
          return ["content-type", "content-security-policy", "x-content-type-options"].map(name => headers.get(name));
        }""", link)
        same(answer[1:], ["default-src 'none'; sandbox; frame-ancestors 'none'", "nosniff"], name)
        # In a tab of its own: it is saved, or shown in a sandbox without an origin.
        tab = stage.tab(page)
        tab.add_init_script(WATCH)
        try:
            tab.goto(link)
        except Error as error:
            same(bool(re.search("Download is starting|ERR_ABORTED", str(error))), True, str(error))
        same(tab.evaluate("() => ['hit' in window, origin]"), [False, "null"], name)
        tab.close()
        # In the page itself, by somebody who could already add elements.
        same(page.evaluate("""async link => {
          const tried = [];
          for (const name of ["iframe", "object", "embed"]) {
            const element = document.createElement(name);
            try {
              element[name === "object" ? "data" : "src"] = link;
            } catch {
              continue;
            }
            const settled = new Promise(done => element.onload = element.onerror = done);
            document.body.append(element);
            if (name === "iframe") await settled;
            tried.push(Boolean(element.contentDocument?.body?.childElementCount));
            element.remove();
          }
          return tried;
        }""", link).count(True), 0, name)
        for script in ("new Worker(link)", "navigator.serviceWorker.register(link)",
                       "document.body.append(Object.assign(document.createElement('script'), { src: link }))"):
            attempt = f"async link => {{ try {{ await ({script}); }} catch (error) {{ return error.name; }} }}"
            same(page.evaluate(attempt, link),
                 "TypeError", f"{name} {script}")
        same(page.evaluate("link => import(link).then(() => 'ran', error => error.name)", link), "TypeError", name)
        same(page.evaluate("() => 'hit' in window"), False, name)


def pictured(stage, *options):
    """A page with pictures of other servers, and what was asked of those."""
    world = World(stage, *options)
    world.users(ann="Ann", bob="Bob", cat="Cat", dan="Dan")
    for user, address in (("bob", "https://pictures.example/bob.png"), ("cat", "http://pictures.example/cat.png"),
                          ("dan", "https://pictures.example@elsewhere.example/dan.png")):
        world.call(user, "user.setProfile", profile={"imageURL": address})
    group = world.group("bob", ["ann", "cat", "dan"], "Four", profile={"avatar": "https://elsewhere.example/four.png"})
    for user in ("bob", "cat", "dan"):
        world.send(user, group, "Hello")
        world.single(user, "ann")
        world.send(user, f"ann:{user}", "Hello")
    asked = []

    def answer(route):
        asked.append((route.request.url, route.request.resource_type, route.request.headers.get("referer")))
        route.fulfill(body=b"<script>hit=1</script>", content_type="text/html")

    page = watched(world, before=lambda page: page.route("**://*.example/**", answer))
    show(page, group, 3)
    return page, asked


@test("a picture of another server is not asked for, because its host would learn who looks at it")
def _(stage):
    page, asked = pictured(stage)
    check(page)
    same(asked, [])


@test("a picture of a server that the operator allows is asked for without a referrer, and is only a picture")
def _(stage):
    stage.allow(r"foreign request: https://pictures\.example/")
    page, asked = pictured(stage, "--image-origin", "https://pictures.example")
    page.wait_for_function("() => performance.getEntriesByType('resource').some(({ name }) => /pictures/.test(name))")
    check(page)
    same(set(asked), {("https://pictures.example/bob.png", "image", None)})


@test("the app is framed by nobody, and nothing in it can be made from a string: Trusted Types and the policy hold")
def _(stage):
    stage.allow(r"console error: .*(Trusted|Content Security Policy|frame-ancestors|violates|X-Frame-Options|Refused)")
    world = World(stage)
    other = stage.new_site(headers={"Content-Security-Policy": "frame-src *; object-src *"})
    for path in ("/", "/web/app/index.html", "/?x"):
        page = stage.page(other.add_page("/frame.html", f"<iframe src='{world.url}{path}'></iframe>"
                                                        f"<object data='{world.url}{path}'></object>"))
        framed = [frame for frame in page.frames if frame != page.main_frame]
        same(len(framed) >= 1, True)
        same([frame.url for frame in framed if frame.url.startswith(world.url)], [])
    page = watched(world)
    same(page.evaluate("() => violations"), [])
    # Not as tools run it, who may always make code.
    tried = stage.session(page).send("Runtime.evaluate", {
        "returnByValue": True, "allowUnsafeEvalBlockedByCSP": False, "expression": """(() => {
      const ways = {
        innerHTML: () => { document.body.innerHTML += "<b></b>"; },
        shadow: () => { document.getElementById("app").shadowRoot.innerHTML = "<b></b>"; },
        outerHTML: () => { document.querySelector("main").outerHTML = "<b></b>"; },
        adjacent: () => document.body.insertAdjacentHTML("beforeend", "<b></b>"),
        write: () => document.write("<b></b>"),
        parser: () => new DOMParser().parseFromString("<b></b>", "text/html"),
        fragment: () => document.createRange().createContextualFragment("<b></b>"),
        eval: () => (0, eval)("window.hit = 1"),
        function: () => new Function("window.hit = 1")(),
        timer: () => setTimeout("window.hit = 1"),
        script: () => { document.createElement("script").text = "window.hit = 1"; },
        source: () => { document.createElement("script").src = "/web/app/app.js"; },
        srcdoc: () => { document.createElement("iframe").srcdoc = "<b></b>"; },
        handler: () => document.body.setAttribute("onclick", "window.hit = 1"),
        worker: () => new Worker("/worker.js"),
        policy: () => trustedTypes.createPolicy("mine", { createHTML: text => text }),
        again: () => trustedTypes.createPolicy("roost", { createHTML: text => text }),
        default: () => trustedTypes.createPolicy("default", { createHTML: text => text }),
      };
      return Object.entries(ways).filter(([, way]) => {
        try {
          way();
          return true;
        } catch {
          return false;
        }
      }).map(([name]) => name);
    })()"""})["result"]["value"]
    # That attribute does nothing: the policy allows no script in markup.
    same(set(tried) - {"handler"}, set())
    page.evaluate("() => { document.body.click(); location.href = 'javascript:window.hit=1'; }")
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.append("window.hit = 1");
      try { document.body.append(script); } catch { }
    }""")
    frames(page)
    same(page.evaluate("() => 'hit' in window"), False)
    for path in ("/worker.js", "/web/app/app.js", "/web/app/index.html"):
        policy = page.evaluate("async path => (await fetch(path)).headers.get('x-content-type-options')", path)
        same(policy, "nosniff", path)


run()
