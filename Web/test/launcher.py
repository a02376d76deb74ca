#!/usr/bin/env python3
"""<roost-launcher>: the button, its badge and its panel. Needs ROOST, the server's binary."""

import datetime

from browser import expect, run, same, test, until_same
from conversation_pages import serve

STYLE = "html { color-scheme: light dark; } body { margin: 0; min-height: 200vh; font: 16px/1.5 sans-serif; }" \
        "main { max-width: 60ch; padding: 24px; }"
PAGE = """<main><h1>Shop</h1><p>Umbrellas, roofs and everything between.</p><button id="before">Before</button></main>
<roost-launcher {}></roost-launcher>"""
SCRIPT = """
import "/web/roost-launcher.js";
window.events = [];
const launcher = document.querySelector("roost-launcher");
for (const type of ["open", "close", "unread", "message", "error"]) {
  launcher.addEventListener(type, ({ detail }) => events.push([type, detail?.total ?? null]));
}
"""


class Launcher:
    """A page with a launcher."""

    def __init__(self, stage, server, script=SCRIPT, emulation=None, before=None, **attributes):
        words = {"server": server.url, "lang": "en", **attributes}
        body = PAGE.format(" ".join(f'{name}="{value}"' for name, value in words.items()))
        stage.site.add("/shop.css", STYLE)
        stage.site.add_page("/shop.html", body, script, language=words["lang"],
                            head='<link rel="stylesheet" href="/shop.css">')
        self.page = stage.page(**(emulation or {}))
        if before:
            before(self.page)
        self.page.goto(stage.site.url + "/shop.html")
        self.host = self.page.locator("roost-launcher")
        self.button, self.panel, self.badge = (self.host.locator(f"[part~={part}]") for part in ("button", "panel", "badge"))
        self.greeting, self.chat = self.host.locator("[part~=greeting]"), self.host.locator("roost-chat")

    def evaluate(self, script, argument=None):
        return self.host.evaluate(script, argument)

    def until_live(self):
        self.page.wait_for_function("() => document.querySelector('roost-launcher').client?.state === 'live'")
        return self

    def until_shown(self, text):
        expect(self.chat.locator(".words").filter(has_text=text).last).to_be_visible()


def loaded(stage, name):
    return [path for path in stage.site.requests if path.endswith(name)]


def world(stage):
    server = serve(stage)
    for name in ("ann", "bob"):
        server.roost("send", "--as", name, "--to", name, "me")
    return server


@test("the launcher loads the chat when it is opened, and the keyboard opens and closes it")
def _(stage):
    server = world(stage)
    launcher = Launcher(stage, server)
    expect(launcher.button).to_have_attribute("aria-expanded", "false")
    expect(launcher.host.get_by_role("button", name="Chat", exact=True)).to_be_visible()
    expect(launcher.panel).to_be_hidden()
    same(loaded(stage, "/roost-chat.js"), [])
    stage.axe(launcher.page)
    launcher.page.keyboard.press("Tab")
    launcher.page.keyboard.press("Tab")
    expect(launcher.button).to_be_focused()
    launcher.page.keyboard.press("Enter")
    expect(launcher.panel).to_be_visible()
    expect(launcher.button).to_have_attribute("aria-expanded", "true")
    expect(launcher.panel).to_be_focused()
    expect(launcher.chat).to_be_attached()
    same(len(loaded(stage, "/roost-chat.js")), 1)
    launcher.page.keyboard.press("Escape")
    expect(launcher.panel).to_be_hidden()
    expect(launcher.button).to_be_focused()
    expect(launcher.button).to_have_attribute("aria-expanded", "false")
    launcher.button.click()
    launcher.host.get_by_role("button", name="Close the chat").click()
    expect(launcher.panel).to_be_hidden()
    same(launcher.page.evaluate("() => events.map(([type]) => type)"), ["open", "close", "open", "close"])


@test("the badge counts what is unread in the conversation while the launcher is closed, and reading empties it")
def _(stage):
    server = world(stage)
    server.roost("send", "--as", "bob", "--to", "ann", "one")
    launcher = Launcher(stage, server, guest="ann Ann", user="bob").until_live()
    expect(launcher.badge).to_have_text("1")
    expect(launcher.host.get_by_role("button", name="Chat, 1 unread message")).to_be_visible()
    same(launcher.host.locator("roost-chat").count(), 0)
    server.roost("send", "--as", "bob", "--to", "ann", "two")
    expect(launcher.badge).to_have_text("2")
    stage.shot(launcher.page, "launcher-closed")
    launcher.button.click()
    launcher.until_shown("two")
    expect(launcher.chat.get_by_label("Message", exact=True)).to_be_focused()
    until_same(launcher.page, "() => document.querySelector('roost-launcher').client.totalUnread", 0)
    stage.axe(launcher.page)
    stage.shot(launcher.page, "launcher-open")
    launcher.page.keyboard.press("Escape")
    expect(launcher.badge).to_be_hidden()
    # The chat stays in the page, and nothing in it counts as read.
    server.roost("send", "--as", "bob", "--to", "ann", "three")
    expect(launcher.badge).to_have_text("1")
    until_same(launcher.page, "() => events.filter(([type]) => type === 'unread').map(([, total]) => total)", [1, 2, 0, 1])
    launcher.button.click()
    launcher.until_shown("three")
    until_same(launcher.page, "() => document.querySelector('roost-launcher').client.totalUnread", 0)


@test("what is unread in other conversations is not on the badge of one, and is on that of all")
def _(stage):
    server = world(stage)
    server.roost("send", "--as", "bob", "--to", "ann", "hello")
    one = Launcher(stage, server, guest="ann Ann", channel="lobby").until_live()
    same(one.evaluate("host => host.client.totalUnread"), 1)
    expect(one.badge).to_be_hidden()
    everything = Launcher(stage, server, guest="ann Ann").until_live()
    expect(everything.badge).to_have_text("1")


@test("Escape closes what is open in the chat before the launcher")
def _(stage):
    server = world(stage)
    launcher = Launcher(stage, server, guest="ann Ann", user="bob")
    launcher.button.click()
    field = launcher.chat.get_by_label("Message", exact=True)
    field.fill("hello")
    field.press("Enter")
    launcher.until_shown("hello")
    launcher.chat.get_by_label("More to send").click()
    expect(launcher.chat.get_by_role("menu")).to_be_visible()
    launcher.page.keyboard.press("Escape")
    expect(launcher.chat.get_by_role("menu")).to_be_hidden()
    expect(launcher.panel).to_be_visible()
    field.focus()
    launcher.page.keyboard.press("Escape")
    expect(launcher.panel).to_be_hidden()


@test("a tab keeps whether the launcher is open and the greeting hidden, another tab does not")
def _(stage):
    server = world(stage)
    launcher = Launcher(stage, server, guest="ann Ann", user="bob", greeting="Hello! Do you have a question?")
    expect(launcher.greeting).to_contain_text("Do you have a question?")
    stage.axe(launcher.page)
    stage.shot(launcher.page, "launcher-greeting")
    launcher.greeting.get_by_text("Hello!").click()
    expect(launcher.panel).to_be_visible()
    expect(launcher.greeting).to_be_hidden()
    launcher.page.reload()
    expect(launcher.panel).to_be_visible()
    expect(launcher.chat.get_by_label("Message", exact=True)).to_be_visible()
    same(launcher.page.evaluate("() => document.activeElement.localName"), "body")
    launcher.button.click()
    launcher.page.reload()
    expect(launcher.button).to_be_visible()
    expect(launcher.panel).to_be_hidden()
    expect(launcher.greeting).to_be_hidden()
    other = stage.tab(launcher.page, "/shop.html")
    expect(other.locator("roost-launcher [part~=greeting]")).to_be_visible()
    other.locator("roost-launcher").get_by_label("Hide the greeting").click()
    expect(other.locator("roost-launcher [part~=greeting]")).to_be_hidden()
    expect(other.locator("roost-launcher [part~=button]")).to_be_focused()


@test("a token comes from a function of the page, and a launcher that is removed closes its connection")
def _(stage):
    server = world(stage)
    token = server.roost("token", "--data", f"{server.folder}/data", "--user", "ann", "--name", "Ann", is_local=True).strip()
    launcher = Launcher(stage, server, script=SCRIPT + """
import "/web/roost-launcher.js";
launcher.addEventListener("open", () => launcher.connect({ token: async () => (await fetch("/token.txt")).text() }));
""", user="bob")
    stage.site.add("/token.txt", token)
    same(launcher.evaluate("host => host.client"), None)
    launcher.button.click()
    launcher.until_live()
    expect(launcher.chat.get_by_label("Message", exact=True)).to_be_focused()
    same(launcher.evaluate("host => { window.client = host.client; host.remove(); return client.user.userID; }"), "ann")
    until_same(launcher.page, "() => client.state", "closed")


@test("on a phone the panel fills the screen, in the dark, from right to left and with reduced motion, too")
def _(stage):
    server = world(stage)
    server.roost("send", "--as", "bob", "--to", "ann", "Good morning! The umbrella is ready.")
    phone = {"width": 390, "height": 844, "has_touch": True, "scale": 2}
    for name, emulation, words in [
        ("phone", phone, {}), ("dark", {"is_dark": True}, {}), ("dark-phone", {**phone, "is_dark": True}, {}),
        ("arabic", {}, {"lang": "ar", "greeting": "مرحبًا! كيف يمكننا مساعدتك؟"}),
        ("reduced", {"has_reduced_motion": True}, {"theme": "dark"}),
    ]:
        launcher = Launcher(stage, server, emulation=emulation, guest="ann Ann", user="bob", **words)
        expect(launcher.badge).to_be_visible()
        stage.axe(launcher.page)
        stage.shot(launcher.page, f"launcher-{name}-closed")
        launcher.button.click()
        launcher.until_shown("Good morning!")
        stage.axe(launcher.page)
        box, size = launcher.panel.bounding_box(), launcher.page.viewport_size
        if emulation.get("has_touch"):
            same(box, {"x": 0, "y": 0, **size})
            expect(launcher.button).to_be_hidden()
        else:
            same(box["x"] < 100, words.get("lang") == "ar")
        if name == "reduced":
            same(launcher.panel.evaluate("e => parseFloat(getComputedStyle(e).animationDuration) <= 0.001"), True)
        stage.shot(launcher.page, f"launcher-{name}")
        # What is read here would be missing in the next round.
        launcher.page.context.close()
        server.roost("send", "--as", "bob", "--to", "ann", "Good morning! It rains again.")


@test("colours that a page sets on the launcher are those of the chat in it")
def _(stage):
    server = world(stage)
    launcher = Launcher(stage, server, guest="ann Ann", user="bob")
    launcher.evaluate("host => host.style.setProperty('--roost-accent', 'rgb(122, 46, 142)')")
    launcher.button.click()
    expect(launcher.button).to_have_css("background-color", "rgb(122, 46, 142)")
    expect(launcher.chat.get_by_label("Message", exact=True)).to_be_visible()
    same(launcher.chat.evaluate("e => getComputedStyle(e).getPropertyValue('--roost-accent')"), "rgb(122, 46, 142)")


@test("a chat whose code cannot be loaded says so in the panel")
def _(stage):
    server = world(stage)
    stage.allow(r"console error: Failed to load resource")
    launcher = Launcher(stage, server, user="bob",
                        before=lambda page: page.route("**/roost-chat.js", lambda route: route.abort()))
    launcher.button.click()
    expect(launcher.panel.get_by_role("alert")).to_have_text("The chat could not be loaded.")
    stage.axe(launcher.page)


def visitor_world(stage):
    """A server with a key for visitors to Sue; returns it, the tokens of an operator and of Sue, and the key."""
    server = serve(stage)

    def token(*words):
        return server.roost("token", "--data", f"{server.folder}/data", *words, is_local=True).strip()
    boss, sue = token("--user", "boss", "--operator"), token("--user", "sue", "--name", "Sue")
    server.roost("send", "--token", sue, "--to", "sue", "Hello")
    key = server.roost("key", "create", "--token", boss, "shop", "--scope", "visitors", "--of", "sue").strip()
    return server, boss, sue, key


@test("a visitor without a token talks to the user of the key, is known after a reload, and begins anew after a logout")
def _(stage):
    server, boss, sue, key = visitor_world(stage)
    asked = []

    def note(request):
        if "visitor.start" in request.url:
            asked.append(request.url)
    launcher = Launcher(stage, server, before=lambda page: page.on("request", note),
                        **{"visitor-key": key, "visitor-name": "Kim"})
    expect(launcher.button).to_be_visible()
    same(loaded(stage, "/roost-chat.js"), [])
    same(asked, [], "nothing is asked before the chat is opened")
    launcher.button.click()
    expect(launcher.chat.get_by_role("heading", name="Sue")).to_be_visible()
    stage.axe(launcher.page)
    field = launcher.chat.locator(".field-text")
    field.fill("Is the shop open?")
    field.press("Enter")
    launcher.until_shown("Is the shop open?")
    launcher.page.wait_for_function(
        "() => document.querySelector('roost-launcher').chat.conversation.items.at(-1).state === 'sent'")
    # What a visitor may not do is not offered.
    launcher.chat.locator(".composer .icon-button").first.click()
    expect(launcher.chat.get_by_role("menuitem", name="Attach a file")).to_be_visible()
    expect(launcher.chat.get_by_role("menuitem", name="Create a vote")).to_have_count(0)
    launcher.page.keyboard.press("Escape")
    stage.shot(launcher.page, "visitor")
    user = launcher.evaluate("launcher => launcher.client.user.userID")
    launcher.button.click()
    launcher.page.reload()
    launcher.until_live()
    same(launcher.evaluate("launcher => launcher.client.user.userID"), user)
    same(len(asked), 1)
    server.roost("send", "--token", sue, "--to", user, "Until eight.")
    expect(launcher.badge).to_have_text("1")
    launcher.button.click()
    launcher.until_shown("Until eight.")
    server.roost("login", "end", "--token", boss, "--all", "--of", user)
    launcher.page.wait_for_function("""user => {
      const { client } = document.querySelector("roost-launcher");
      return client?.state === "live" && client.user.userID !== user;
    }""", arg=user)


@test("a visit that ends while the panel is closed begins anew when it opens, and one ends with its key")
def _(stage):
    server, boss, _, key = visitor_world(stage)
    asked = []

    def note(request):
        if "visitor.start" in request.url:
            asked.append(request.url)
    # The clock of the device does not decide whether a visit has ended.
    launcher = Launcher(stage, server, before=lambda page: (page.on("request", note), page.clock.install(
        time=datetime.datetime.now() + datetime.timedelta(days=90))), **{"visitor-key": key})
    launcher.button.click()
    launcher.until_live()
    user = launcher.evaluate("launcher => launcher.client.user.userID")
    launcher.button.click()
    server.roost("login", "end", "--token", boss, "--all", "--of", user)
    launcher.page.wait_for_function("() => !document.querySelector('roost-launcher').client")
    launcher.button.click()
    launcher.until_live()
    same(launcher.evaluate("launcher => launcher.client.user.userID") == user, False)
    # At the start, for a token after the logout, and for the new visitor.
    same(len(asked), 3)
    launcher.evaluate("launcher => launcher.removeAttribute('visitor-key')")
    launcher.page.wait_for_function("() => !document.querySelector('roost-launcher').client")


@test("a visit that ends goes on as the one that another tab has begun anew")
def _(stage):
    server, boss, _, key = visitor_world(stage)
    launcher = Launcher(stage, server, **{"visitor-key": key})
    launcher.button.click()
    launcher.until_live()
    user = launcher.evaluate("launcher => launcher.client.user.userID")
    # What another tab does, with the place where the browser keeps the visit.
    other = launcher.page.evaluate("""async ([server, key]) => {
      const answer = await fetch(`${server}/v1/visitor.start`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ key }) });
      const { userID, host, token } = await answer.json();
      localStorage.setItem(`roost-visit ${server} ${key}`, JSON.stringify({ userID, host, token, keptAt: Date.now() }));
      return userID;
    }""", [server.url, key])
    server.roost("login", "end", "--token", boss, "--all", "--of", user)
    launcher.page.wait_for_function("""user => {
      const { client } = document.querySelector("roost-launcher");
      return client?.state === "live" && client.user.userID === user;
    }""", arg=other)


@test("a key that is not valid says that the chat could not be loaded, and a token of the page counts more than a key")
def _(stage):
    server, _, sue, _ = visitor_world(stage)
    stage.allow(r"console error: Failed to load resource: .* 401")
    launcher = Launcher(stage, server, **{"visitor-key": "roost-key-" + "0" * 64})
    launcher.button.click()
    expect(launcher.panel.get_by_role("alert")).to_have_text("The chat could not be loaded.")
    launcher.evaluate("(launcher, token) => launcher.connect({ token })", sue)
    launcher.until_live()
    same(launcher.evaluate("launcher => launcher.client.user.userID"), "sue")


run()
