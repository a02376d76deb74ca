#!/usr/bin/env python3
"""The app in browsers whose storage throws, never answers or is full. Needs ROOST, the server's binary."""
from app_driver import World, row, sign_in
from browser import expect, run, same, test

# Chromium throws these where a user has blocked all data of the site.
THROWS = """for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("Access is denied.", "SecurityError"); } });
}
LockManager.prototype.request = async () => { throw new DOMException("Access is denied.", "SecurityError"); };
"""
SILENT = """IDBFactory.prototype.open = () => new EventTarget();
IDBFactory.prototype.deleteDatabase = () => new EventTarget();
"""
# From the moment that a test says so, each transaction that puts something ends as with a full disk.
FULL = """{
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...words) {
    const request = put.apply(this, words);
    if (window.isFull) {
      window.refused = (window.refused ?? 0) + 1;
      Object.defineProperty(this.transaction, "error", { value: new DOMException("Full.", "QuotaExceededError") });
      this.transaction.abort();
    }
    return request;
  };
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (...words) {
    if (window.isFull) throw new DOMException("Full.", "QuotaExceededError");
    setItem.apply(this, words);
  };
}
"""


def begin(stage, script):
    """A page in such a browser, and a user who writes to the one who signs in there."""
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob")
    world.single("bob", "ann")
    world.send("bob", "ann:bob", "zero")
    page = stage.page()
    page.add_init_script(script)
    page.goto(world.url)
    return world, page


def talk(world, page):
    """Sends and receives, and says how often something was told to have failed."""
    row(page, "Bob").click()
    for text in ("one", "two"):
        page.get_by_role("textbox", name="Message").fill(text)
        page.keyboard.press("Enter")
    expect(page.locator(".own-bubble, [part~=own-bubble]").filter(has_text="two")).to_be_visible()
    # The other one's message comes after those that the server has.
    page.wait_for_function("""() => document.querySelector("roost-chat").conversation.items
      .filter(({ kind }) => kind === "message").every(({ state }) => state === "sent")""")
    world.send("bob", "ann:bob", "three")
    expect(page.locator(".timeline").get_by_text("three", exact=True)).to_be_visible()
    texts = [event["body"]["text"] for event in world.call("bob", "message.list", channel="ann:bob", limit=10)["events"]
             if event["event"] == "message.sent"]
    same(texts, ["zero", "one", "two", "three"])
    expect(page.get_by_role("alert").filter(has_text="fail")).to_have_count(0)


def log_out(page):
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Log out").click()
    page.locator("dialog").last.get_by_role("button", name="Log out").last.click()
    expect(page.get_by_label("User ID")).to_be_visible()


@test("where storage throws, a guest signs in, writes, reads and logs out; a reload asks again")
def _(stage):
    world, page = begin(stage, THROWS)
    sign_in(page, "ann", "Ann Lee")
    talk(world, page)
    same(page.evaluate("document.querySelector('roost-chat').client.core.cache.store"), None)
    log_out(page)
    sign_in(page, "ann", "Ann Lee")
    expect(row(page, "Bob")).to_be_visible()
    page.reload()
    expect(page.get_by_label("User ID")).to_be_visible()


@test("a database that never opens is left out after some seconds, for writing and for logging out, too")
def _(stage):
    world, page = begin(stage, SILENT)
    sign_in(page, "ann", "Ann Lee")
    talk(world, page)
    log_out(page)


@test("a disk that gets full costs what is kept: the page goes on, and the next start has no hole in it")
def _(stage):
    world, page = begin(stage, FULL)
    sign_in(page, "ann", "Ann Lee")
    world.send("bob", "ann:bob", "kept")
    row(page, "Bob").click()
    expect(page.locator(".timeline").get_by_text("kept", exact=True)).to_be_visible()
    page.evaluate("document.querySelector('roost-chat').client.flush()")
    page.evaluate("window.isFull = true")
    world.send("bob", "ann:bob", "lost")
    expect(page.locator(".timeline").get_by_text("lost", exact=True)).to_be_visible()
    page.wait_for_function("() => window.refused > 0")
    page.evaluate("document.querySelector('roost-chat').client.flush()")
    page.get_by_role("textbox", name="Message").fill("sent")
    page.keyboard.press("Enter")
    expect(page.locator(".timeline").get_by_text("sent", exact=True)).to_be_visible()
    page.evaluate("window.isFull = false")
    world.send("bob", "ann:bob", "after")
    expect(page.locator(".timeline").get_by_text("after", exact=True)).to_be_visible()
    page.evaluate("document.querySelector('roost-chat').client.flush()")
    page.reload()
    row(page, "Bob").click()
    for text in ("kept", "lost", "sent", "after"):
        expect(page.locator(".timeline").get_by_text(text, exact=True)).to_be_visible()
    log_out(page)


run()
