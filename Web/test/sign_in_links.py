#!/usr/bin/env python3
"""Links with a token or a one-time code: they ask before they sign in. Needs ROOST, the server's binary."""
import base64
import json
import time

from app_driver import World, agree, question, row
from browser import LOST, expect, run, same, test

ENTRIES = "() => navigation.entries().map(({ url }) => url)"
IGNORED = "You are signed in already, so the link was not used."


def made(world, *words, user="tom"):
    """What `roost token` prints."""
    return world.server.roost("token", "--data", f"{world.server.folder}/data", "--user", user, *words,
                              is_local=True).strip()


def code_link(world, *words, user="tom"):
    """A link with a code."""
    return made(world, "--code", "--link", world.url, *words, user=user)


def unsigned(user, name):
    """A token of nobody, whose claims the question shows nevertheless."""
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": user, "name": name})
    words = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*words, "c2lnbmF0dXJl"])


def open_link(stage, url, **emulation):
    """Opens a link in a new browser; returns the page and the list of what it asks of the server's commands."""
    page, calls = stage.page(**emulation), []
    page.on("request", lambda request: "/v1/" in request.url and calls.append(request.url))
    page.on("websocket", lambda socket: calls.append(socket.url))
    page.goto(url)
    return page, calls


def has_secret(page):
    """Whether the address or an entry of the history of this tab has a token or a code."""
    return any(word in text for text in [page.url, *page.evaluate(ENTRIES)] for word in ("token", "code", "eyJ"))


def user_of(page):
    return page.evaluate("document.querySelector('roost-chat')?.client.user.userID ?? null")


@test("a link with a token asks who is meant, sends nothing before the answer, and signs in after a yes")
def _(stage):
    world = World(stage)
    token = made(world, "--name", "Tom Lee")
    page, calls = open_link(stage, f"{world.url}/#token={token}&channel=lobby")
    expect(question(page)).to_be_visible()
    expect(question(page)).to_have_accessible_name("Sign in as Tom Lee?")
    expect(question(page).get_by_text("User ID tom")).to_be_visible()
    # Nobody says yes by a key that was meant for something else.
    expect(question(page).get_by_role("button", name="Do not sign in")).to_be_focused()
    same((page.url, has_secret(page), calls, user_of(page)), (f"{world.url}/#channel=lobby", False, [], None))
    stage.axe(page)
    agree(page)
    expect(page.get_by_role("heading", name="lobby")).to_be_visible()
    expect(question(page)).to_have_count(0)
    same((user_of(page), has_secret(page)), ("tom", False))


@test("a no, Escape and Close leave nothing behind, and no code is used up")
def _(stage):
    world = World(stage)
    link = code_link(world)
    for number, say_no in enumerate([
        lambda page: question(page).get_by_role("button", name="Do not sign in").click(),
        lambda page: page.keyboard.press("Escape"),
        lambda page: question(page).get_by_role("button", name="Close").click(),
        lambda page: page.keyboard.press("Enter"),
    ]):
        page, calls = open_link(stage, link)
        expect(question(page)).to_be_visible()
        say_no(page)
        expect(question(page)).to_have_count(0)
        expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
        same(calls, [], f"no {number}")
        same(has_secret(page), False)
        kept = page.evaluate("""async () => [Object.keys(localStorage), Object.keys(sessionStorage),
          (await indexedDB.databases()).map(({ name }) => name)]""")
        same(kept, [[], [], []])
        page.reload()
        expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
        expect(question(page)).to_have_count(0)
    page, _ = open_link(stage, link)
    agree(page)
    expect(page.get_by_text("No conversations yet")).to_be_visible()


@test("a link with a code signs in once, and the second time says that it was used")
def _(stage):
    stage.allow(r"console error: Failed to load resource.* 401")
    world = World(stage)
    link = code_link(world, "--name", "Tom Lee")
    page, calls = open_link(stage, link)
    expect(question(page)).to_have_accessible_name("Sign in as Tom Lee?")
    same((page.url, has_secret(page), calls), (f"{world.url}/", False, []))
    agree(page)
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    same((user_of(page), calls[0], has_secret(page)), ("tom", f"{world.url}/v1/refresh/start", False))
    again, _ = open_link(stage, link)
    agree(again)
    expect(again.get_by_role("alert").filter(has_text="This link was used already")).to_be_visible()
    same((user_of(again), has_secret(again)), (None, False))
    stage.shot(again, "link-used")
    # Nothing happens to who has signed in with it.
    page.reload()
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    same(user_of(page), "tom")


@test("a code whose time is over says so, and so do a token that has been changed and a link that cannot be read")
def _(stage):
    stage.allow(r"console error: Failed to load resource.* 401")
    world = World(stage)
    link = code_link(world, "--ttl", "1s")
    page, _ = open_link(stage, link)
    expect(question(page)).to_be_visible()
    page.wait_for_function("(ms) => Date.now() > ms", arg=(int(time.time()) + 2) * 1000)
    agree(page)
    expect(page.get_by_role("alert").filter(has_text="its time is over")).to_be_visible()
    changed, _ = open_link(stage, f"{world.url}/#token={unsigned('tom', 'Tom')}")
    agree(changed)
    expect(changed.get_by_role("alert").filter(has_text="does not accept this token")).to_be_visible()
    # A token is no code.
    swapped, _ = open_link(stage, f"{world.url}/#code={made(world)}")
    agree(swapped)
    expect(swapped.get_by_role("alert").filter(has_text="This link was used already")).to_be_visible()
    for words in ["token=", "token=a", "code=..", "code=a.b.c", "token=%00.%FF.x", "code=" + "x" * 5_000]:
        unread, calls = open_link(stage, f"{world.url}/#{words}")
        expect(unread.get_by_role("alert").filter(has_text="This link is not valid")).to_be_visible()
        same((calls, unread.url, unread.locator("dialog").count()), ([], f"{world.url}/", 0), words)


@test("while somebody is signed in, links change nothing but the address, at the start and later, and use no code up")
def _(stage):
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "hello")
    token, link = made(world), code_link(world)
    code = link.split("#code=")[1]
    page = world.app(at=f"#token={token}")
    note = page.locator(".toast", has_text=IGNORED)
    expect(note).to_be_visible()
    same((page.url, user_of(page)), (f"{world.url}/", "ann"))
    row(page, "Bob").click()
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    page.get_by_label("Message", exact=True).fill("half a sentence")
    address = page.url
    for words in [f"token={token}", f"code={code}", f"token={token}&channel=lobby", f"channel=lobby&code={code}",
                  f"code={code}&token={token}", "token=", f"token={unsigned('ann', 'Ann Lee')}"]:
        note.get_by_role("button", name="Close").click()
        expect(note).to_have_count(0)
        page.evaluate("words => { location.hash = words; }", words)
        expect(note).to_be_visible()
        expect(question(page)).to_have_count(0)
        same((page.url, user_of(page), has_secret(page)), (address, "ann", False), words)
        expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    expect(page.get_by_label("Message", exact=True)).to_have_value("half a sentence")
    stage.shot(page, "link-ignored")
    # Whoever logs out and opens the link again is asked.
    page.evaluate("document.querySelector('roost-chat').client.logOut()")
    other, _ = open_link(stage, link)
    agree(other)
    expect(other.get_by_text("No conversations yet")).to_be_visible()
    same(user_of(other), "tom")


@test("a link that is opened while a question is open does not take its place")
def _(stage):
    world = World(stage)
    page, calls = open_link(stage, f"{world.url}/#token={made(world)}")
    expect(question(page)).to_have_accessible_name("Sign in as tom?")
    page.evaluate("words => { location.hash = words; }", f"token={made(world, user='eve')}")
    page.wait_for_function("() => !location.hash")
    expect(question(page)).to_have_accessible_name("Sign in as tom?")
    same((page.locator("dialog").count(), has_secret(page), calls), (1, False, []))
    agree(page)
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    same(user_of(page), "tom")


@test("if the server cannot be reached the question says so, and the same link works when it is back")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    for number, link in enumerate([code_link(world), f"{world.url}/#token={made(world)}"]):
        page, _ = open_link(stage, link)
        expect(question(page)).to_be_visible()
        world.server.kill()
        agree(page)
        expect(question(page).get_by_role("alert")).to_contain_text("The server cannot be reached")
        stage.shot(page, f"link-unreachable-{number}")
        world.server.start()
        agree(page)
        expect(page.get_by_text("No conversations yet")).to_be_visible()
        same(user_of(page), "tom")


@test("a guest who signs in under an open question of a link closes it")
def _(stage):
    world = World(stage)
    page, _ = open_link(stage, f"{world.url}/#token={made(world)}")
    expect(question(page)).to_be_visible()
    page.evaluate("""() => {
      const root = document.getElementById("app").shadowRoot;
      root.getElementById("userid").value = "ann";
      root.querySelector("form").requestSubmit();
    }""")
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    expect(question(page)).to_have_count(0)
    same(user_of(page), "ann")


@test("the question is in each language, in the dark and on a phone, and holds any name")
def _(stage):
    world = World(stage)
    titles = {"en-US": "Sign in as", "de": "anmelden?", "zh-TW": "的身分登入嗎", "ko": "로그인할까요",
              "ar": "تسجيل الدخول باسم"}
    for locale, words in titles.items():
        for is_dark in (False, True):
            page, _ = open_link(stage, code_link(world, "--name", "Tom Lee"), locale=locale, is_dark=is_dark)
            expect(question(page).get_by_role("heading")).to_contain_text(words)
            expect(question(page).get_by_role("heading")).to_contain_text("Tom Lee")
            stage.axe(page)
            stage.shot(page, f"link-{locale}-{'dark' if is_dark else 'light'}")
    names = ["<img src=x onerror=alert(1)>", "W" * 200, "\u202egnp.kcatta", "سارة", "Ann\n\n\nSign in", "👩‍👩‍👧‍👦" * 20]
    for number, name in enumerate(names):
        page, _ = open_link(stage, f"{world.url}/#token={unsigned('x' * 64, name)}", width=320, height=568)
        expect(question(page)).to_be_visible()
        expect(question(page).get_by_role("button", name="Do not sign in")).to_be_in_viewport()
        sizes = question(page).evaluate("""dialog => [dialog, dialog.querySelector(".body"), dialog.querySelector("h2")]
          .map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)""")
        same(sizes, [True, True, True], name)
        same(question(page).locator("img").count(), 0)
        stage.shot(page, f"link-name-{number}")


if __name__ == "__main__":
    run()
