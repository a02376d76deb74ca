"""What the tests of the app share: a server that serves the working files, users and what they do, and signing in."""
import base64
import itertools
import json
import os
import socket
import struct
import time
import urllib.error
import urllib.parse
import urllib.request

from browser import LIMIT_MS, SOURCES, expect

_ids = itertools.count(1)


class World:
    """A server with users who act over HTTP."""

    def __init__(self, stage, *words, folder=None):
        """`folder` is served as the page in place of the working files."""
        limits = [word for name in ("sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond")
                  for word in ("--limit", f"{name}=0")]
        # The working files, or those that the binary was built with.
        files = [] if os.environ.get("ROOST_EMBEDDED") else ["--web-folder", str(folder or SOURCES)]
        self.stage, self.server = stage, stage.server(*files, *limits, *words)
        self.url = self.server.url

    def call(self, user, command, device=None, **body):
        """Carries out a command as a user; fails with the server's error."""
        request = urllib.request.Request(f"{self.url}/v1/{command}", data=json.dumps(body).encode(), headers={
            "Roost-Guest": user, "Idempotency-Key": f"test-{next(_ids)}", "Roost-Device": device or f"{user}-device"})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{command}: {error.read().decode()}") from None

    def users(self, **names):
        """Makes users known to the server, which happens when they connect."""
        for user, name in names.items():
            hello = {"version": 1, "deviceID": f"{user}-device", "guest": {"userID": user, "name": name}}
            self.connect({"id": "1", "cmd": "hello", "body": hello})

    def connect(self, frame):
        """Sends one frame over a WebSocket, and waits for its answer."""
        place = urllib.parse.urlsplit(self.url)
        with socket.create_connection((place.hostname, place.port)) as connection:
            key = base64.b64encode(os.urandom(16)).decode()
            connection.sendall((f"GET /v1/connect HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\n"
                                f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
                                ).encode())
            with connection.makefile("rb") as answers:
                while answers.readline() not in (b"\r\n", b""):
                    pass
                text, mask = json.dumps(frame).encode(), os.urandom(4)
                size = (struct.pack("!BB", 0x81, 0x80 | len(text)) if len(text) < 126
                        else struct.pack("!BBH", 0x81, 0xFE, len(text)))
                connection.sendall(size + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(text)))
                answers.read(2)

    def single(self, user, other):
        return self.call(user, "channel.create", kind="single", members=[other])["channel"]

    def group(self, user, members, title=None, **more):
        named = {"title": title} if title else {}
        return self.call(user, "channel.create", kind="group", members=members, **named, **more)["channel"]

    def open_channel(self, user, channel, title):
        return self.call(user, "channel.create", kind="open", channel=channel, title=title)["channel"]

    def send(self, user, channel, text, **more):
        return self.call(user, "message.send", channel=channel, text=text, **more)

    def app(self, user="ann", name="Ann Lee", at="", look=None, waits=True, **emulation):
        """A page in which a guest is signed in already, as after an earlier visit."""
        page = self.stage.page(**emulation)
        self.remember(page, {"userID": user, "name": name}, look)
        page.goto(f"{self.url}/{at}")
        if waits:
            expect(page.locator(".channel-list")).to_be_attached()
        return page

    def remember(self, page, guest, look=None):
        """What an earlier visit has left in the browser; only for the first page of a tab."""
        page.add_init_script("""if (!sessionStorage.getItem("test")) {
          sessionStorage.setItem("test", "1");
          localStorage.setItem("roost.guest", %s);
          localStorage.setItem("roost.look", %s);
        }""" % (json.dumps(json.dumps(guest)), json.dumps(json.dumps(look or {}))))


def token(server):
    """The token of an operator."""
    words = ["token", "--data", f"{server.folder}/data", "--user", "root", "--name", "Root", "--operator"]
    return server.roost(*words, is_local=True).strip()


def operate(server, command, **body):
    """Carries out a command as an operator."""
    request = urllib.request.Request(f"{server.url}/v1/{command}", data=json.dumps(body).encode(), headers={
        "Authorization": f"Bearer {token(server)}", "Idempotency-Key": f"operator-{next(_ids)}"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{command}: {error.read().decode()}") from None


def full_world(stage, **options):
    """Ann has conversations of all kinds, an invitation, unread messages and mentions."""
    world = World(stage, **options)
    world.users(ann="Ann Lee", bob="Bob Marsh", cat="Cat Okafor", dan="Dan", eve="Eve de Vries", fay="فاطمة")
    world.send("bob", world.single("ann", "bob"), "Tea at four?")
    world.send("ann", "ann:bob", "With pleasure")
    world.send("cat", world.single("ann", "cat"),
               "The drawings are ready. I put them into the shared folder so that everybody can comment until Friday.")
    world.send("fay", world.single("ann", "fay"), "مرحبا آن، كيف حالك؟")
    garden = world.garden = world.group("ann", ["bob", "cat", "dan", "eve"], "The garden team")
    world.send("dan", garden, "Who has the key to the shed?")
    world.send("eve", garden, "@Ann Lee do you have it?", mentions=[{"userID": "ann", "start": 0, "length": 8}])
    quiet = world.group("dan", ["ann", "bob"])
    world.send("bob", quiet, "A group without a title")
    world.call("ann", "channel.setPreference", channel=quiet, isMuted=True)
    world.group("cat", [{"userID": "ann", "role": "invited"}], "Book club")
    for channel, title in (("lobby", "The lobby"), ("help", "Help"), ("random", "Random")):
        world.open_channel("bob", channel, title)
        world.send("bob", channel, f"Welcome to {title}")
    return world


def row(page, text):
    """The row of the list with a text."""
    return page.locator(".channels > ul .channel", has_text=text)


def titles(page):
    """The titles of the rows, from the top."""
    return page.locator(".channels > ul .name").all_text_contents()


def label(page, text):
    """What a screen reader says of a row."""
    return row(page, text).locator(".open").get_attribute("aria-label")


def sign_in(page, user, name=None):
    page.get_by_label("User ID").fill(user)
    if name:
        page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sign in", exact=True).click()


def question(page):
    """The dialog in which a link asks whether it may sign in."""
    return page.locator("dialog.sign-in-question")


def agree(page):
    """Lets a link sign in."""
    question(page).get_by_role("button", name="Sign in", exact=True).click()


def focus_of(page):
    """The text or label of the element with the focus, inside of shadow roots, too."""
    return page.evaluate("""() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute("aria-label") || element?.labels?.[0]?.textContent || element?.textContent || "";
    }""")


def escape(page):
    """Closes the open dialog or menu by the keyboard, and waits until it is gone."""
    count = page.locator("dialog").count()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(count - 1)


def until(target, expression):
    """Waits until the result of an expression, which may be a promise, is true in a page or a worker."""
    end = time.monotonic() + LIMIT_MS / 1000
    while not target.evaluate(expression):
        if time.monotonic() > end:
            raise AssertionError(f"never came true: {expression}")
        time.sleep(0.02)
