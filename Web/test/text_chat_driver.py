"""A text chat in a page or a frame, as the tests of <roost-text-chat> see and drive it."""
import re

from browser import expect, frames, set_language, stop_clock

START = "2025-06-03T10:05:00Z"
COUNTER = re.compile(r"^(\d+) characters? left$")
TOLD = """host => {
  window.asked = [];
  window.answer = "accept";
  host.onmessagereadytosend = event => {
    window.asked.push({ ...event.detail, sentAt: event.detail.sentAt.getTime() });
    if (window.answer === "refuse") event.preventDefault();
    if (window.answer === "later") {
      event.respondWith(new Promise((resolve, reject) => { window.settle = { resolve, reject }; }));
    }
  };
}"""
ROWS = """host => [...host.shadowRoot.querySelectorAll("[part~=row]")].map(row => {
  const part = name => row.querySelector(`[part~=${name}]`)?.textContent ?? null;
  const list = row.parentElement.getBoundingClientRect();
  const bubble = row.querySelector("[part~=bubble]").getBoundingClientRect();
  return { text: part("text"), name: part("name"), time: part("time"), status: part("status"),
    isSent: row.part.contains("sent") && !row.part.contains("received"),
    side: Math.abs(bubble.left - list.left) < 1 ? "left" : Math.abs(bubble.right - list.right) < 1 ? "right" : "",
    colour: getComputedStyle(row.querySelector("[part~=bubble]")).backgroundColor,
    hasDivider: parseFloat(getComputedStyle(row).borderTopWidth) > 0 };
})"""


class Chat:
    """A text chat in a page or a frame."""

    def __init__(self, place):
        self.place, self.host = place, place.locator("roost-text-chat")
        self.field, self.send = self.part("field"), self.part("send")
        self.list, self.banner, self.error, self.counter = (
            self.part("list"), self.part("banner"), self.part("error"), self.part("counter"))
        self.texts = self.host.locator("[part~=text]")

    def part(self, name):
        return self.host.locator(f"[part~={name}]")

    def run(self, script, argument=None):
        return self.host.evaluate(script, argument)

    def tell(self, answer="accept"):
        """Sets a host that records what it is asked, or the answer of the one that is set."""
        if not self.place.evaluate("() => 'asked' in window"):
            self.run(TOLD)
        self.place.evaluate("answer => { window.answer = answer; }", answer)

    @property
    def asked(self):
        return self.place.evaluate("() => window.asked")

    def add(self, text, sender="5678", alias="Bob", at=None):
        self.run("(host, message) => host.addMessage(message)",
                 {"senderID": sender, "alias": alias, "text": text, **({} if at is None else {"sentAt": at})})

    def write(self, text, key="Enter"):
        self.field.fill(text)
        self.field.press(key)

    @property
    def rows(self):
        return self.run(ROWS)

    def column(self, *names):
        return [tuple(row[name] for name in names) if len(names) > 1 else row[names[0]] for row in self.rows]

    @property
    def left(self):
        return int(COUNTER.match(self.counter.text_content())[1])

    @property
    def is_red(self):
        return self.counter.evaluate("e => getComputedStyle(e).color") == "rgb(179, 38, 30)"

    @property
    def top(self):
        return self.list.evaluate("e => e.scrollTop")

    @property
    def from_end(self):
        return self.list.evaluate("e => e.scrollHeight - e.scrollTop - e.clientHeight")

    def fill(self, count=40, at=0):
        """Adds so many received messages at once."""
        self.run("""(host, [count, at]) => {
          for (let i = 0; i < count; i += 1) {
            host.addMessage({ senderID: "5678", alias: "Bob", text: `m${i}`, sentAt: at + i * 1000 });
          }
        }""", [count, at])

    def scroll_up(self, pixels=400):
        """Scrolls up with the wheel, as a person does, and waits until that is done."""
        before = self.top
        box = self.list.bounding_box()
        mouse = self.host.page.mouse
        mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
        mouse.wheel(0, -pixels)
        wait(self.list, "(e, top) => Math.abs(e.scrollTop - top) < 1", max(0, before - pixels))
        frames(self.host.page)


def wait(locator, condition, argument=None):
    """Waits until a condition on an element holds."""
    element = locator.element_handle()
    locator.page.wait_for_function(f"([e, argument]) => ({condition})(e, argument)", arg=[element, argument])
    element.dispose()


def open_chat(stage, attributes='sender-id="1234" alias="Me"', language="en", time=None, **emulation):
    """A page that has nothing but a text chat, as large as the window."""
    stage.site.add("/chat.css", "body, h1 { margin: 0; } h1 { position: absolute; clip-path: inset(50%); } "
                                ".box { height: 100dvh; }")
    stage.site.add_page(
        "/chat.html",
        f'<main><h1>Chat</h1><div class="box"><roost-text-chat {attributes}></roost-text-chat></div></main>',
        'import "/web/roost-text-chat.js";', title="Chat", head='<link rel="stylesheet" href="/chat.css">')
    page = stage.page(**emulation)
    if time:
        stop_clock(page, time)
    page.goto(stage.site.url + "/chat.html")
    if language != "en":
        set_language(page, language)
    expect(page.locator("roost-text-chat [part~=field]")).to_be_visible()
    return Chat(page)
