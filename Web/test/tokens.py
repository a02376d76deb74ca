#!/usr/bin/env python3
"""Pages whose token ends, is renewed or is revoked while they are open. Needs ROOST, the server's binary."""

import base64
import hashlib
import hmac
import json
import time
import uuid

from app_driver import World, agree
from browser import LOST, expect, run, same, test
from conversation_pages import Chat, address, serve

SIGNED_OUT = "Your sign-in has expired. Sign in again."


# How long the server accepts a token after its end, in s.
LEEWAY = 60


def encoded(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Backend:
    """The backend of an app: it makes tokens for a user, which the server accepts for some seconds, unless it is down."""

    def __init__(self, server, user, seconds):
        self.server, self.user, self.seconds = server, user, seconds
        self.calls, self.isDown = 0, False
        self.secret = bytes.fromhex(open(f"{server.folder}/data/secret").read().strip())

    def make(self, seconds=None):
        end = int(time.time()) + (seconds or self.seconds) - LEEWAY
        claims = {"iss": "roost", "aud": "roost", "use": "user", "sub": self.user, "jti": uuid.uuid4().hex, "op": False,
                  "iat": min(int(time.time()), end - 1), "exp": end}
        signed = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
        return f"{signed}.{encoded(hmac.digest(self.secret, signed.encode(), hashlib.sha256))}"

    def give(self):
        self.calls += 1
        return "" if self.isDown else self.make()


def enter(stage, server, backend, **attributes):
    """Opens the chat of a page that gets tokens from its backend."""
    page = stage.page()
    page.expose_function("askBackend", backend.give)
    page.add_init_script("""
      window.seen = [];
      addEventListener("DOMContentLoaded", () => {
        const chat = document.querySelector("roost-chat");
        chat.connect({ token: async () => {
          const token = await askBackend();
          if (!token) throw new Error("The backend is down.");
          return token;
        } });
        chat.client.addEventListener("state", () => seen.push(chat.client.state));
        new MutationObserver(() => {
          const banner = chat.shadowRoot.querySelector(".connection");
          if (banner && !banner.hidden) seen.push(banner.textContent);
        }).observe(chat.shadowRoot, { subtree: true, childList: true, attributes: true });
      });
    """)
    page.goto(address(stage, server, attributes))
    return Chat(page).until_ready()


def messages(chat):
    """The texts of the messages that a page shows, and the states of their delivery."""
    return chat.run("""host => host.conversation.items.filter(({ kind }) => kind === "message")
      .map(({ message, state }) => [message.text, state])""")


@test("a token that ends while the page is open is renewed, and nobody notices")
def _(stage):
    server = serve(stage)
    backend = Backend(server, "ann", 6)
    ann = enter(stage, server, backend, channel="lobby")
    same(backend.calls, 1)
    ann.page.evaluate("() => { seen.length = 0; }")
    sent = []
    # Each token is renewed halfway to its end.
    for calls in range(2, 6):
        wait_for_calls(ann.page, backend, calls)
        sent.append(f"with token {calls}")
        server.roost("send", "--as", "bob", "--channel", "lobby", sent[-1])
        expect(ann.row(sent[-1])).to_be_visible()
        ann.write(f"answer {calls}")
        sent.append(f"answer {calls}")
        ann.until_sent(sent[-1])
    same(ann.page.evaluate("() => seen"), [])
    same(messages(ann), [[text, "sent"] for text in sent])


@test("while the backend gives no token the page is offline and keeps what is written, and then goes on")
def _(stage):
    server = serve(stage)
    backend = Backend(server, "ann", 6)
    ann = enter(stage, server, backend, channel="lobby")
    backend.isDown = True
    banner = ann.host.locator(".connection")
    expect(banner).to_contain_text("Offline. Messages are sent when you are back.")
    ann.write("written without a token")
    server.roost("send", "--as", "bob", "--channel", "lobby", "missed")
    same(ann.state("written without a token"), "sending")
    stage.shot(ann.page, "no-token")
    backend.isDown = False
    ann.until_sent("written without a token")
    expect(ann.row("missed")).to_be_visible()
    expect(banner).to_be_hidden()
    same(sorted(messages(ann)), [["missed", "sent"], ["written without a token", "sent"]])
    same("refused" in ann.page.evaluate("() => seen"), False)


@test("after all devices were logged out, a page with a backend comes back with a new token, and the old one is refused")
def _(stage):
    server = serve(stage)
    backend = Backend(server, "ann", 3600)
    old = backend.make()
    ann = enter(stage, server, backend, channel="lobby")
    calls = backend.calls
    server.roost("login", "end", "--all", "--token", backend.make())
    wait_for_calls(ann.page, backend, calls + 1)
    ann.write("back")
    ann.until_sent("back")
    same("refused" in ann.page.evaluate("() => seen"), False)
    # The next revocation ends it for good: the backend gives the old token again.
    backend.make = lambda seconds=None: old
    operator = server.roost("token", "--data", f"{server.folder}/data", "--user", "root", "--operator", is_local=True)
    server.roost("login", "end", "--all", "--of", "ann", "--token", operator.strip())
    expect(ann.host.locator(".connection")).to_have_text(SIGNED_OUT)
    same(ann.run("host => host.client.state"), "refused")
    calls = backend.calls
    ann.write("too late")
    same(ann.page.evaluate("() => seen").count("refused"), 1)
    same(backend.calls, calls)
    stage.shot(ann.page, "revoked")


@test("the app says that a token has ended or was revoked, and the next one continues with what was written")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    backend = Backend(world.server, "tom", 5)
    page = stage.page(f"{world.url}/#token={backend.make()}&channel=lobby")
    agree(page)
    expect(page.get_by_role("heading", name="lobby")).to_be_visible()
    page.get_by_label("Message", exact=True).fill("half a sentence")
    expect(page.get_by_role("alert").filter(has_text=SIGNED_OUT)).to_be_visible()
    stage.shot(page, "signed-out")

    def sign_in(token):
        page.get_by_role("tab", name="With a token").click()
        page.get_by_role("textbox", name="Token").fill(token)
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("heading", name="lobby")).to_be_visible()

    token = backend.make(3600)
    sign_in(token)
    expect(page.get_by_label("Message", exact=True)).to_have_value("half a sentence")
    world.server.roost("login", "end", "--all", "--token", token)
    ended = int(time.time())
    expect(page.get_by_role("alert").filter(has_text=SIGNED_OUT)).to_be_visible()
    # A token from the second of the logout counts as older than it.
    page.wait_for_function("(second) => Date.now() >= (second + 1) * 1000", arg=ended)
    sign_in(backend.make(3600))
    page.get_by_label("Message", exact=True).press("Enter")
    expect(page.locator(".bubble").filter(has_text="half a sentence")).to_be_visible()
    # While the first page is read, what was sent is in none of both for a moment.
    page.wait_for_function("""() => document.querySelector("roost-chat").conversation.items
      .filter(({ kind }) => kind === "message").map(({ message }) => message.text).join() === "half a sentence" """)


def wait_for_calls(page, backend, calls):
    """Waits until the backend was asked for this many tokens; the page hands its questions over meanwhile."""
    for _ in range(1_200):
        if backend.calls >= calls:
            return
        page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    raise AssertionError(f"the backend was asked {backend.calls} times instead of {calls}")


if __name__ == "__main__":
    run()
