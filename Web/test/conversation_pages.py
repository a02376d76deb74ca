"""Pages with <roost-chat> for the browser tests of the conversation."""

import json
import struct
import urllib.parse
import zlib

from browser import LOST, expect, frames

SCRIPT = """
import "/web/roost-chat.js";
window.events = [];
for (const [index, words] of new URLSearchParams(location.search).getAll("chat").entries()) {
  const chat = document.createElement("roost-chat");
  chat.id = `chat${index}`;
  for (const [name, value] of Object.entries(JSON.parse(words))) chat.setAttribute(name, value);
  for (const type of ["ready", "message", "unread", "error", "open", "close"]) {
    chat.addEventListener(type, ({ detail }) => events.push([chat.id, type, detail?.channel ?? detail?.total ?? null]));
  }
  document.querySelector("main").append(chat);
}
"""
STYLE = """html, body { margin: 0; height: 100%; } main { display: flex; height: 100dvh; } roost-chat { flex: 1; }
h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }"""
# Where the first row stands that is wholly on the screen.
ANCHOR = """host => {
  const list = host.shadowRoot.querySelector(".scroller");
  const { top } = list.getBoundingClientRect();
  const row = [...list.querySelectorAll("[data-key]")].find(row => row.getBoundingClientRect().top >= top + 30);
  return [row.dataset.key, row.getBoundingClientRect().top];
}"""
# Where a row stands.
POSITION = """(host, key) => host.shadowRoot.querySelector(`[data-key="${key}"]`)?.getBoundingClientRect().top"""


def png(width, height, colour=(20, 120, 100)):
    """The bytes of a picture of one colour, with some noise so that it has a size."""
    row = b"".join(bytes(((colour[0] + x * 7) % 256, colour[1], (x * 31) % 256)) for x in range(width))
    data = zlib.compress(b"".join(b"\0" + row[y % 50:] + row[:y % 50] for y in range(height)), 1)

    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


class Chat:
    """A <roost-chat> in a page."""

    def __init__(self, page, number=0):
        self.page, self.host = page, page.locator(f"#chat{number}")
        self.field, self.send = self.host.get_by_label("Message", exact=True), self.host.get_by_label("Send", exact=True)
        self.rows, self.texts = self.host.locator(".message-row"), self.host.locator(".words")
        self.scroller, self.jump = self.host.locator(".scroller"), self.host.locator(".jump")
        self.sheet, self.menu = self.host.locator("dialog.sheet"), self.host.get_by_role("menu")

    def run(self, script, argument=None):
        return self.host.evaluate(script, argument)

    def row(self, text):
        # Not in the whole row: the time follows at once, and "line 3" at 9:05 has "line 39" in it.
        return self.rows.filter(has=self.page.locator(".words, .file-name", has_text=text))

    def bubble(self, text):
        return self.row(text).locator(".bubble")

    def write(self, text):
        self.field.fill(text)
        self.field.press("Enter")

    def state(self, text):
        """The delivery state of a message, by its text."""
        return self.run("""(host, text) => host.conversation.items
          .find(item => item.kind === "message" && item.message.text === text)?.state""", text)

    def until_sent(self, *texts):
        self.page.wait_for_function("""([id, texts]) => texts.every(text => document.getElementById(id).conversation?.items
          .some(item => item.message?.text === text && item.state === "sent"))""", arg=[self.id, list(texts)])

    def until_read(self, text):
        """Waits until this message is there, and everything is read."""
        self.page.wait_for_function("""([id, text]) => {
          const { items, channel } = document.getElementById(id).conversation;
          return channel.readSeq >= channel.seq && items.some(item => item.message?.text.startsWith(text));
        }""", arg=[self.id, text])
        self.run("host => host.client.flush()")

    @property
    def id(self):
        return self.host.get_attribute("id")

    def until_ready(self):
        self.page.wait_for_function("""id => {
          const chat = document.getElementById(id);
          return window.events?.some(event => event[0] === id && event[1] === "ready")
            && chat.client.state === "live" && (!chat.conversation || chat.conversation.hasLoaded);
        }""", arg=self.id)
        return self

    @property
    def from_end(self):
        return self.scroller.evaluate("list => list.scrollHeight - list.clientHeight - list.scrollTop")

    def scroll(self, top):
        self.scroller.evaluate("(list, top) => { list.scrollTop = top; }", top)
        frames(self.page)

    def events(self, kind):
        return [event[2] for event in self.page.evaluate("() => events") if event[1] == kind and event[0] == self.id]


def serve(stage, *words):
    # What a page asks for when its server is away is no fault.
    stage.allow(LOST)
    limits = [word for name in ("sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond")
              for word in ("--limit", f"{name}=0")]
    stage.site.add("/chat.css", STYLE)
    stage.site.add_page("/chat.html", "<main><h1>Test</h1></main>", SCRIPT, head='<link rel="stylesheet" href="/chat.css">')
    return stage.server("--allow-origin", stage.site.url, *limits, *words)


def address(stage, server, *chats):
    words = [("chat", json.dumps({"server": server.url, "lang": "en", **chat})) for chat in chats]
    return f"{stage.site.url}/chat.html?{urllib.parse.urlencode(words)}"


def enter(stage, server, guest, page=None, waits=True, emulation=None, **attributes):
    """Opens the chat of a guest, in a page of its own unless one is given."""
    page = page or stage.page(**(emulation or {}))
    page.goto(address(stage, server, {"guest": guest, **attributes}))
    chat = Chat(page)
    return chat.until_ready() if waits else chat


def pair(stage, *words, **options):
    """Ann's and Bob's pages of their 1-on-1."""
    server = serve(stage, *words)
    server.roost("send", "--as", "bob", "--to", "bob", "me")
    ann = enter(stage, server, "ann Ann", user="bob", **options)
    bob = enter(stage, server, "bob Bob", user="ann")
    return server, ann, bob


def lobby(stage, **options):
    """Ann's and Bob's pages of an open channel."""
    server = serve(stage)
    ann = enter(stage, server, "ann Ann", channel="lobby", **options)
    bob = enter(stage, server, "bob Bob", channel="lobby")
    return server, ann, bob


def fill(chat, count, prefix="line", size=0):
    """Sends many messages at once, and waits until they are there."""
    chat.run("""async (host, [count, prefix, size]) => {
      for (let number = 0; number < count; number += 1) {
        const text = `${prefix} ${number} ${"word ".repeat((number * 7) % (size + 1))}`.trim();
        host.conversation.send({ text });
      }
    }""", [count, prefix, size])
    chat.page.wait_for_function("""([id, text]) => document.getElementById(id).conversation.items.every(item =>
      item.kind !== "message" || item.state === "sent") && document.getElementById(id).conversation.items.some(item =>
      item.message?.text.startsWith(text))""", arg=[chat.id, f"{prefix} {count - 1}"])


def history(stage, count=160, **options):
    """Ann's page of a 1-on-1 with a long history, which begins at its end."""
    server, ann, bob = pair(stage, **options)
    fill(bob, count, size=40)
    ann.until_read(f"line {count - 1}")
    ann.page.reload()
    ann.until_ready()
    expect(ann.row(f"line {count - 1}")).to_be_visible()
    return server, ann, bob


def choose(chat, item, files):
    """Picks files with the picker behind an item of the menu; returns what the picker offers."""
    chat.host.get_by_label("More to send").click()
    with chat.page.expect_file_chooser() as found:
        chat.menu.get_by_role("menuitem", name=item).click()
    accept = found.value.element.get_attribute("accept")
    if files is not None:
        found.value.set_files(files)
    return accept


PICTURE = {"name": "roof.png", "mimeType": "image/png", "buffer": png(900, 600)}
FILM = {"name": "clip.mov", "mimeType": "video/quicktime", "buffer": b"\0\0\0\x14ftypqt  \0\0\0\0qt  " + b"\0" * 5000}
MP4 = {"name": "clip.mp4", "mimeType": "video/mp4", "buffer": b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0" * 5000}
