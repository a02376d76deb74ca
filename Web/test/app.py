#!/usr/bin/env python3
"""The app at "/" against a real server: signing in, the list, settings, offline, by keyboard, and the whole sample.

Needs ROOST, the server's binary. See also app_channels.py, app_notifications.py and app_states.py.
"""
import http.server
import json
import re
import threading

from app_driver import World, agree, escape, focus_of, label, row, sign_in, titles, until
from browser import LOST, expect, run, same, test, until_answered



# Signing in

@test("a guest signs in, and a reload goes straight in; nothing but the guest's name is kept outside of the store")
def _(stage):
    world = World(stage)
    page = stage.page(world.url + "/")
    expect(page.get_by_text("development mode")).to_be_visible()
    sign_in(page, "not allowed!")
    expect(page.get_by_text("Use 1 to 64 letters")).to_be_visible()
    same(focus_of(page).startswith("User ID"), True)
    sign_in(page, "ann", "Ann Lee")
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    same(json.loads(page.evaluate("localStorage.getItem('roost.guest')")), {"userID": "ann", "name": "Ann Lee"})
    page.reload()
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    same(page.evaluate("Object.keys(localStorage)"), ["roost.guest"])


@test("a token of a link or the field signs in, and is kept nowhere")
def _(stage):
    world = World(stage)
    token = world.server.roost("token", "--data", f"{world.server.folder}/data", "--user", "tom", "--name", "Tom",
                               is_local=True).strip()
    page = stage.page(f"{world.url}/#token={token}&channel=lobby")
    agree(page)
    expect(page.get_by_role("heading", name="lobby")).to_be_visible()
    same(page.url, f"{world.url}/#channel=lobby")
    same(page.evaluate("document.querySelector('roost-chat').client.user"), {"userID": "tom", "name": "Tom"})
    kept = page.evaluate("""async () => {
      const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.documentElement.outerHTML];
      for (const { name } of await indexedDB.databases()) {
        const request = indexedDB.open(name);
        const database = await new Promise((done) => (request.onsuccess = () => done(request.result)));
        for (const store of database.objectStoreNames) {
          const all = database.transaction(store).objectStore(store).getAll();
          kept.push(JSON.stringify(await new Promise((done) => (all.onsuccess = () => done(all.result)))));
        }
        database.close();
      }
      return kept.join();
    }""")
    same(token in kept, False)
    page.reload()
    expect(page.get_by_role("heading", name="lobby")).to_be_visible()
    # What keeps the browser signed in is gone; an answer on its way would bring it back.
    page.wait_for_function("() => document.querySelector('roost-chat').client.state === 'live'")
    stage.allow(LOST)
    page.context.clear_cookies()
    page.reload()
    page.get_by_role("tab", name="With a token").click()
    page.get_by_role("textbox", name="Token").fill("wrong")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="does not accept this token")).to_be_visible()
    page.get_by_role("textbox", name="Token").fill(token)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="lobby")).to_be_visible()


@test("a user who is banned is told so, and can sign in as somebody else")
def _(stage):
    world = World(stage)
    page = world.app()
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    operator = world.server.roost("token", "--data", f"{world.server.folder}/data", "--user", "root", "--operator",
                                  is_local=True).strip()
    page.evaluate("""async ([token]) => {
      await fetch("/v1/user.setAccess", { method: "POST", body: JSON.stringify({ userID: "ann", canChat: false }),
        headers: { Authorization: `Bearer ${token}`, "Idempotency-Key": "ban-1" } });
    }""", [operator])
    expect(page.get_by_role("alert").filter(has_text="may not use the server")).to_be_visible()
    sign_in(page, "bob", "Bob")
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    same(page.evaluate("document.querySelector('roost-chat').client.user.userID"), "bob")


# The list

@test("a row has the title from the members, their number, the last message, its time, unread, mentions and muted")
def _(stage):
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob", cat="Cat")
    world.send("bob", world.single("ann", "bob"), "Hello")
    group = world.group("bob", ["ann", "cat"])
    world.send("cat", group, "@Ann Lee come!", mentions=[{"userID": "ann", "start": 0, "length": 8}])
    garden = world.group("ann", ["bob"], "The garden")
    world.call("ann", "channel.setPreference", channel=garden, isMuted=True)
    for _ in range(120):
        world.send("bob", garden, "Weeds")
    page = world.app()
    same(titles(page), ["The garden", "Bob, Cat", "Bob"])
    same(" unread" in label(page, "The garden") and "Muted" in label(page, "The garden"), True)
    expect(row(page, "The garden").locator(".badge")).to_have_text("99+")
    expect(row(page, "The garden").locator(".count")).to_have_text("2 members")
    same(label(page, "Bob, Cat").split(", ")[2], "3 members")
    same("Cat: @Ann Lee come!" in label(page, "Bob, Cat"), True)
    same(label(page, "Bob, Cat").endswith("1 unread message, 1 mention"), True)
    expect(row(page, "Hello").locator("time")).to_have_attribute("datetime", re.compile(r"^20.*Z$"))
    same("members" in label(page, "Hello"), False)
    # Muted channels are not in the total.
    expect(page).to_have_title("(2) Roost")
    world.call("ann", "readMark.setAll", device="http")
    expect(page).to_have_title("Roost")
    expect(row(page, "Hello").locator(".badge")).to_have_count(0)


@test("a message moves its conversation to the top, and takes neither scroll, focus nor selection with it")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    channels = [world.group("bob", ["ann"], f"Group {number:02}") for number in range(40)]
    page = world.app(height=600)
    list_box = page.locator(".channels")
    row(page, "Group 10").click()
    expect(page.get_by_role("heading", name="Group 10")).to_be_visible()
    row(page, "Group 12").locator(".open").focus()
    # At the top, a new row is seen at once.
    list_box.evaluate("element => element.scrollTop = 0")
    world.send("bob", channels[5], "Old one")
    expect(page.get_by_role("list", name="Conversations").locator(".name").first).to_have_text("Group 05")
    same(focus_of(page).startswith("Group 12"), True)
    # Further down, what is on the screen stays where it is.
    row(page, "Group 20").scroll_into_view_if_needed()
    list_box.evaluate("element => element.scrollTop += 7")
    place = row(page, "Group 20").bounding_box()["y"]
    for channel in (channels[3], channels[38], channels[12]):
        world.send("bob", channel, "New")
        expect(page.get_by_role("list", name="Conversations").locator(".name").first).to_have_text(
            f"Group {channels.index(channel):02}")
        same(abs(row(page, "Group 20").bounding_box()["y"] - place) <= 1, True, "moved")
    same(focus_of(page).startswith("Group 12"), True)
    expect(row(page, "Group 10").locator(".open")).to_have_attribute("aria-current", "true")
    same(len(titles(page)), 40)
    same(len(set(titles(page))), 40)


@test("the end of the list loads the next page, once, and search finds what is not loaded yet")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    for number in range(130):
        world.group("bob", ["ann"], f"Group {number:03}")
    page = world.app()
    expect(row(page, "Group 129")).to_be_visible()
    expect(page.locator(".channels > ul .channel")).to_have_count(30)
    search = page.get_by_role("searchbox", name="Search conversations")
    search.fill("group 003")
    expect(row(page, "Group 003")).to_be_visible()
    same(titles(page), ["Group 003"])
    search.fill("nothing like this")
    expect(page.get_by_text("Nothing found for “nothing like this”.")).to_be_visible()
    search.press("Escape")
    expect(row(page, "Group 129")).to_be_visible()
    # Only what was scrolled to is drawn; the focus goes to the end, and on, when more is there.
    page.reload()
    rows = page.locator(".channels > ul .channel")
    for count in (30, 60, 90, 120, 130):
        expect(rows).to_have_count(count)
        page.locator(".channels").evaluate("element => element.scrollTop = element.scrollHeight")
    expect(page.locator(".channels .spinner")).to_be_hidden()
    same(sorted(titles(page)), [f"Group {number:03}" for number in range(130)])


@test("a preview whose words run the other way than the language keeps their beginning")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    pair = world.single("ann", "bob")
    for language, text in (("ar", "Of course, " + "and many more words " * 10), ("en", "بالطبع، " + "وكلمات أخرى كثيرة " * 10)):
        world.send("ann", pair, text)
        page = world.app(look={"language": language})
        preview = row(page, "Bob").locator(".preview")
        expect(preview).to_contain_text(text[:5])
        outside = preview.evaluate("""(preview, start) => {
          const walker = document.createTreeWalker(preview, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          const boxes = [];
          for (let node; (node = walker.nextNode()); ) {
            const at = node.data.indexOf(start);
            if (at < 0) continue;
            range.setStart(node, at);
            range.setEnd(node, at + start.length);
            boxes.push(range.getBoundingClientRect());
          }
          const { left, right } = preview.getBoundingClientRect();
          return boxes.length === 1 && boxes.filter((box) => box.left < left - 1 || box.right > right + 1).length;
        }""", text[:5])
        same(outside, 0, language)
        stage.shot(row(page, "Bob"), f"preview-{language}")


@test("the menu of a row marks, mutes, hides and ends a conversation")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob", cat="Cat")
    world.send("bob", world.single("ann", "bob"), "Hello")
    world.send("cat", world.single("ann", "cat"), "Good day")
    page = world.app()

    def choose(text, action):
        row(page, text).click(button="right")
        page.get_by_role("menuitem", name=action).click()

    choose("Hello", "Mark as read")
    expect(row(page, "Hello").locator(".badge")).to_have_count(0)
    choose("Hello", "Mark as unread")
    expect(row(page, "Hello").locator(".badge.dot")).to_be_visible()
    choose("Good day", "Mute")
    expect(row(page, "Good day").locator(".badge.muted")).to_be_visible()
    choose("Good day", "Unmute")
    choose("Hello", "Hide")
    expect(row(page, "Hello")).to_have_count(0)
    world.send("bob", "ann:bob", "Hello again")
    expect(row(page, "Hello again")).to_be_visible()
    choose("Hello again", "End conversation")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    same(focus_of(page).startswith("Bob"), True)
    choose("Hello again", "End conversation")
    page.get_by_role("dialog").get_by_role("button", name="End conversation").click()
    expect(row(page, "Hello again")).to_have_count(0)
    until_answered(lambda: [each["channel"] for each in world.call("ann", "channel.list")["channels"]], ["ann:cat"])


@test("an invitation stands above the list, and is accepted or declined")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    page = world.app()
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    for title in ("Book club", "Chess"):
        world.group("bob", [{"userID": "ann", "role": "invited"}], title)
    expect(page.get_by_text("Bob invites you to “Chess”")).to_be_visible()
    page.get_by_role("button", name="Decline the invitation to Chess").click()
    expect(page.get_by_text("Bob invites you to “Chess”")).to_have_count(0)
    page.get_by_role("button", name="Accept the invitation to Book club").click()
    expect(page.get_by_role("heading", name="Book club")).to_be_visible()
    same(titles(page), ["Book club"])


# Settings

@test("settings: language and theme at once and after a reload, own name and picture for everybody")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("ann", world.single("ann", "bob"), "Hello")
    page = world.app()
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_label("Name").fill("Ann Other")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".toast", has_text="Saved")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        dialog.get_by_role("button", name="Change the picture").click()
    chooser.value.set_files({"name": "p.png", "mimeType": "image/png", "buffer": page.screenshot()})
    expect(dialog.locator(".avatar img")).to_be_visible()
    expect(page.locator(".account img")).to_be_visible()
    user = world.call("bob", "user.get", userIDs=["ann"])["users"][0]
    same((user["name"], user["imageURL"][:5]), ("Ann Other", "file:"))
    dialog.get_by_label("Dark").check()
    body = page.locator("body")
    expect(body).to_have_css("background-color", "rgb(20, 24, 27)")
    dialog.get_by_label("Language").select_option("ar")
    expect(page.get_by_role("dialog", name="الإعدادات")).to_be_visible()
    same(page.evaluate("[document.documentElement.lang, document.documentElement.dir]"), ["ar", "rtl"])
    page.reload()
    expect(page.get_by_role("heading", name="المحادثات")).to_be_visible()
    expect(body).to_have_css("background-color", "rgb(20, 24, 27)")
    same(page.locator("roost-chat").get_attribute("theme"), "dark")


@test("logging out empties this device: no database, no name, no way back in")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "Secret")
    page = world.app()
    other = stage.tab(page, world.url + "/")
    for each in (page, other):
        row(each, "Secret").click()
        expect(each.get_by_role("heading", name="Bob")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Log out").click()
    expect(page.get_by_text("See you soon.")).to_be_visible()
    # The other tab is signed out with it.
    expect(other.get_by_label("User ID")).to_be_visible()
    same(page.evaluate("async () => (await indexedDB.databases()).length"), 0)
    same(page.evaluate("localStorage.getItem('roost.guest')"), None)
    same(page.url, f"{world.url}/")
    page.reload()
    expect(page.get_by_label("User ID")).to_have_value("")
    until_answered(lambda: world.call("ann", "device.list")["devices"], [])


# Without a connection

@test("the app opens without a server, with what was there, and goes on when the server is back")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "Before the storm")
    page = world.app()
    row(page, "Before the storm").click()
    expect(page.locator(".bubble", has_text="Before the storm")).to_be_visible()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.evaluate("() => document.querySelector('roost-chat').client.flush()")
    world.server.kill()
    page.reload()
    expect(page.locator(".connection")).to_contain_text("Offline.")
    expect(page.locator(".bubble", has_text="Before the storm")).to_be_visible()
    expect(row(page, "Before the storm")).to_be_visible()
    # What is loaded only when it is needed is there, too.
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("textbox", name="Message").fill("Written in the dark")
    page.keyboard.press("Enter")
    world.server.start()
    expect(page.locator(".connection")).to_be_hidden()
    expect(row(page, "Written in the dark")).to_be_visible()
    page.wait_for_function("() => document.querySelector('roost-chat').client.queue.length === 0")
    same(world.call("bob", "message.list", channel="ann:bob")["events"][-1]["body"]["text"], "Written in the dark")


@test("a first visit without a server says what to do, and a second try works")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    page = stage.page(world.url + "/")
    expect(page.get_by_label("User ID")).to_be_visible()
    world.server.kill()
    sign_in(page, "ann", "Ann")
    expect(page.get_by_role("alert").filter(has_text="The server cannot be reached.")).to_be_visible()
    world.server.start()
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("No conversations yet")).to_be_visible()


def put_other_version(page):
    """Puts another version of the app into the cache, with a page that links to a file of its own."""
    page.evaluate("""async () => {
      const cache = await caches.open("roost-app-1");
      const html = await (await cache.match("/", { ignoreVary: true })).text();
      const link = '<link id="old" rel="prefetch" href="web/app/only-old.js">';
      const headers = { ETag: "old", "Content-Type": "text/html" };
      await cache.put("/", new Response(html.replace("</head>", `${link}</head>`), { headers }));
      await cache.put("/web/app/only-old.js", new Response("old"));
      for (const { url } of await cache.keys()) {
        if (url.includes("/settings")) await cache.put(url, new Response("old", { headers: { ETag: "old" } }));
      }
    }""")


@test("the app starts from its own files without asking, and a newer version is told and kept beside the one that runs")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    page = world.app()
    page.evaluate("() => navigator.serviceWorker.ready")
    paths = page.evaluate("""async () => {
      const cache = await caches.open("roost-app-1");
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    }""")
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    own = {path for path in loaded if path.startswith("/web/")}
    same(own - set(paths), set())
    same([path for path in paths if path.startswith("/v1/")], [])
    same({"/", "/app.webmanifest", "/web/app/app.js", "/web/app/badge-96.png"} <= set(paths), True)
    # What is loaded only when it is needed.
    settings, _ = (next(path for path in paths if f"/{name}" in path) for name in ("settings", "texts-ko"))
    page.wait_for_function("() => navigator.serviceWorker.controller")
    put_other_version(page)
    page.goto(f"{world.url}/?")
    same(page.locator("#old").count(), 1)
    reload = page.get_by_role("button", name="Reload")
    expect(reload).to_be_visible()
    same("old" != page.evaluate("async (path) => (await caches.match(path)).text()", settings), True)
    # A file that only the older version has is there for the pages that still run it.
    same(page.evaluate("fetch('/web/app/only-old.js').then((response) => response.text())"), "old")
    reload.click()
    expect(page.locator("#old")).to_have_count(0)
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    expect(reload).to_be_hidden()
    # Who reloads gets what the server has.
    put_other_version(page)
    page.reload()
    same(page.locator("#old").count(), 0)
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    # The server may be replaced while the page is open.
    put_other_version(page)
    world.server.kill()
    expect(page.locator(".connection")).to_contain_text("Offline.")
    world.server.start()
    expect(reload).to_be_visible()
    # Nor does the app outlive a server that does not serve it any more.
    world.server.kill()
    expect(page.locator(".connection")).to_contain_text("Offline.")
    world.server.words = ("--no-web",)
    world.server.start()
    until(page, """async () => !(await navigator.serviceWorker.getRegistration())
      && !(await caches.keys()).includes("roost-app-1")""")
    page.goto(f"{world.url}/?")
    expect(page.locator("body")).to_contain_text('"server":"roost"')


class LoginPage(http.server.BaseHTTPRequestHandler):
    """A proxy that wants its users to log in: it redirects everything to its own page."""

    def do_GET(self):
        is_login = self.path == "/login"
        self.send_response(200 if is_login else 302)
        self.send_header("Location", "/login")
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if is_login:
            self.wfile.write(b"<title>Log in</title>Who are you?")

    def log_message(self, *arguments):
        pass


@test("a proxy that wants a login shows its page to whoever reloads, and the app is back after it")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    page = world.app()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    world.server.kill()
    with http.server.ThreadingHTTPServer(("127.0.0.1", world.server.port), LoginPage) as proxy:
        threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        page.reload()
        expect(page.get_by_text("Who are you?")).to_be_visible()
        proxy.shutdown()
    world.server.start()
    page.goto(f"{world.url}/?")
    expect(page.get_by_text("No conversations yet")).to_be_visible()


@test("the app can be installed")
def _(stage):
    world = World(stage)
    page = world.app()
    page.evaluate("() => navigator.serviceWorker.ready")
    session = stage.session(page)
    manifest = session.send("Page.getAppManifest")
    same(manifest["errors"], [])
    found = json.loads(manifest["data"])
    same((found["display"], found["start_url"], found["scope"]), ("standalone", "./", "./"))
    sizes = page.evaluate("""(icons) => Promise.all(icons.map(async ({ src }) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return image.naturalWidth;
    }))""", [icon for icon in found["icons"] if icon["type"] == "image/png"])
    same(sizes, [192, 512, 512])
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window without a profile cannot install anything.
    same([error for error in errors if error["errorId"] != "in-incognito"], [])


# Everything by keyboard, and the whole sample

@test("everything by keyboard: list, menus, dialogs and conversation, and the focus is always somewhere")
def _(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    for number in range(3):
        world.send("bob", world.group("bob", ["ann"], f"Group {number}"), f"Text {number}")
    page = world.app()
    expect(row(page, "Group 2")).to_be_visible()
    search = page.get_by_role("searchbox", name="Search conversations")
    search.focus()
    page.keyboard.press("ArrowDown")
    same(focus_of(page).startswith("Group 2"), True, focus_of(page))
    page.keyboard.press("End")
    same(focus_of(page).startswith("Group 0"), True, focus_of(page))
    page.keyboard.press("ArrowUp")
    same(focus_of(page).startswith("Group 1"), True, focus_of(page))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(search).to_be_focused()
    page.keyboard.press("ArrowDown")
    # The row's own button is the next stop; the rows themselves are one stop.
    page.keyboard.press("Tab")
    same(focus_of(page), "Actions for Group 2")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    same(focus_of(page), "Mute")
    escape(page)
    same(focus_of(page).startswith("Group 2"), True, focus_of(page))
    page.keyboard.press("ContextMenu")
    expect(page.get_by_role("menu")).to_be_visible()
    escape(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    page.keyboard.type("By hand")
    page.keyboard.press("Enter")
    expect(row(page, "You: By hand")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(search).to_be_focused()
    page.keyboard.press("Shift+Tab")
    same(focus_of(page), "New conversation")
    page.keyboard.press("Enter")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="New group")).to_be_visible()
    escape(page)
    same(focus_of(page), "New conversation")
    page.keyboard.press("Shift+Tab")
    same(focus_of(page), "Settings")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    escape(page)
    same(focus_of(page), "Settings")


@test("the sample does what the product does: two people, an open channel, a 1-on-1, a group, marks and history [L-3]")
def _(stage):
    world = World(stage)
    ann, bob = stage.page(world.url + "/"), stage.page(world.url + "/")
    for page, user, name in ((ann, "ann", "Ann"), (bob, "bob", "Bob")):
        sign_in(page, user, name)
        page.get_by_role("button", name="Open channels").first.click()
        page.get_by_label("Channel ID").fill("lobby")
        page.get_by_role("button", name="Create").click()
        expect(page.get_by_role("heading", name="lobby")).to_be_visible()

    def write(page, text):
        page.get_by_role("textbox", name="Message").fill(text)
        page.keyboard.press("Enter")

    write(bob, "Anybody here?")
    ann.locator(".bubble", has_text="Anybody here?").click()
    ann.get_by_role("menuitem", name="Start messaging with Bob").click()
    expect(ann.get_by_role("heading", name="Bob")).to_be_visible()
    write(ann, "Yes, I am")
    row(bob, "Yes, I am").click()
    expect(bob.locator(".bubble", has_text="Yes, I am")).to_be_visible()
    bob.get_by_role("textbox", name="Message").press_sequentially("So")
    expect(ann.get_by_text("Bob is typing…").first).to_be_visible()
    write(bob, "So let us make a group")
    expect(ann.locator(".bubble", has_text="So let us make a group")).to_be_visible()
    ann.get_by_role("button", name="Details").click()
    ann.get_by_role("button", name="New group").click()
    ann.get_by_role("textbox", name="Title").fill("We two")
    ann.get_by_role("button", name="Create group").click()
    expect(ann.get_by_role("heading", name="We two")).to_be_visible()
    write(ann, "Here we are")
    expect(row(bob, "Ann: Here we are")).to_be_visible()
    expect(row(bob, "We two").locator(".badge")).to_have_text("1")
    row(bob, "We two").click()
    expect(row(bob, "We two").locator(".badge")).to_have_count(0)
    bob.reload()
    expect(bob.locator(".bubble", has_text="Here we are")).to_be_visible()
    same(titles(bob), ["We two", "Ann"])


run()
