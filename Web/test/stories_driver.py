"""What the stories share: what is in a page and on the server, terminals beside the browsers, and pictures."""
import struct
import sys
import zlib

from browser import ROOT
from conversation_pages import png

sys.path.append(str(ROOT / "Tests/screen"))
from chat import Chat as Terminal  # noqa: E402

HEAD = "const { conversation, client } = document.querySelector('roost-chat');"
ITEMS = HEAD + "const items = conversation?.items.filter(({ kind }) => kind === 'message') ?? [];"


def write(page, text):
    page.get_by_role("textbox", name="Message").fill(text)
    page.keyboard.press("Enter")


def bubble(page, text):
    # By its words: the time follows at once, and may begin with a digit.
    return page.locator(".bubble", has=page.locator(".words", has_text=text))


def send_all(page, texts):
    """Sends many texts at once."""
    page.evaluate("texts => { " + HEAD + " for (const text of texts) conversation.send({ text }); }", texts)


def shown(page):
    """The texts of the messages in the page, and the names of files without one, in their order."""
    return page.evaluate(
        "() => { " + ITEMS + " return items.map(({ message }) => message.text || message.file?.name); }")


def channel_of(page):
    """The channel that the page shows."""
    return page.evaluate("() => { " + HEAD + " return conversation.id; }")


def unsent(page):
    """The same of the messages that the server does not have yet, as far as the page knows."""
    return page.evaluate("() => { " + ITEMS + """ return items.filter(({ state }) => state !== "sent")
      .map(({ message }) => message.text || message.file?.name); }""")


def until_sent(page, count):
    """Waits until the page has so many messages, all of them sent."""
    page.wait_for_function(
        "count => { " + ITEMS + " return items.length === count && items.every(({ state }) => state === 'sent'); }",
        arg=count)


def of_server(world, channel):
    """The texts of a channel, or the names of files without one, as the server has them."""
    events = world.call("ann", "message.list", channel=channel, limit=100)["events"]
    return [event["body"]["text"] or event["body"]["file"]["name"] for event in events
            if event["event"] == "message.sent"]


class Screen(Terminal):
    """`roost chat` in a pseudo-terminal; `expect` waits until its screen is as wanted."""

    def expect(self, condition, about=""):
        if not self.wait(condition, 45):
            raise AssertionError(f"the terminal never showed {about or condition!r}\n{self.text}")

    def sees(self, text):
        self.expect(lambda _: text in self.text, text)

    def misses(self, text):
        self.expect(lambda _: text not in self.text, f"a screen without {text}")

    @property
    def messages(self):
        """The lines beside the list."""
        return [line.split("│", 1)[1] for line in self.lines if "│" in line]


class Terminals:
    """The terminals of a test, which end with it."""

    def __enter__(self):
        self.all = []
        return self

    def __exit__(self, *_):
        for each in self.all:
            each.close()

    def chat(self, server, user, *words, **options):
        self.all.append(Screen(server, user, *words, **options))
        return self.all[-1]


# The SHA-256 of the last file of a conversation, as its browser downloads it.
DIGEST = """async (host) => {
  const { message } = host.conversation.items.at(-1);
  const bytes = await (await fetch(await host.client.fileURL(message.file.fileID))).arrayBuffer();
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))];
}"""


def picture_file(path, size, orientation=None):
    """A picture of this many bytes; with an orientation its viewers turn it, which is an edited version of it."""
    content = png(600, 400)
    if orientation:
        exif = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x112, 3, 1, orientation, 0, 0)
        content = content[:33] + struct.pack(">I", len(exif)) + b"eXIf" + exif + struct.pack(
            ">I", zlib.crc32(b"eXIf" + exif)) + content[33:]
    path.write_bytes(content.ljust(size, b"\0"))
    return path
