#!/usr/bin/env python3
"""The story of pictures and films: two browsers and the command line. Needs ROOST, the server's binary."""
import hashlib
import json
import pathlib
import re
import urllib.request

from browser import expect, run, same, test, until_answered
from conversation_pages import FILM, choose, enter, serve
from stories_driver import DIGEST, picture_file

# Pictures that were sent together are one row.
HAS_MESSAGES = """count => document.getElementById("chat0").conversation.items
  .filter(({ message }) => message).length === count"""
SHOW = """isHidden => {
  Object.defineProperty(document, "visibilityState", {
    configurable: true, get: () => isHidden ? "hidden" : "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@test("pictures and films in a 1-on-1 at both ends: picked, uploaded, downloaded, refused, read, and missed [SC-001]")
def _(stage):
    # Ann has room for the picture and the film, and not for a third file.
    server = serve(stage, "--limit", "fileBytesPerUser=950000")
    stage.allow(r"the server responded with a status of 4")
    server.roost("send", "--as", "bob", "--to", "bob", "me")
    page, sockets = stage.page(), []
    page.on("websocket", lambda socket: sockets.append(socket))
    ann = enter(stage, server, "ann Ann", page=page, user="bob")
    bob = enter(stage, server, "bob Bob", user="ann")
    ann.run("host => host.client.perform('device.setSettings', { sound: 'knock' })")
    operator = server.roost("token", "--data", f"{server.folder}/data", "--user", "root", "--operator", is_local=True
                            ).strip()
    original = picture_file(stage.folder / "roof.png", 300_000, orientation=6)
    edited = picture_file(stage.folder / "roof (edited).png", 200_000)
    film = stage.folder / "clip.mov"
    film.write_bytes(FILM["buffer"].ljust(500_000, b"\0"))

    def is_live():
        return ann.run("host => host.client.state"), ann.page.evaluate("() => window.states")

    def is_connected():
        """What the server says of Ann's page."""
        answer = server.roost("push", "test", "--token", operator, "--user", "ann", "--json")
        return not next(step["passed"] for step in json.loads(answer)["steps"] if step["check"] == "connection")

    def send_gated(path):
        """Sends the file in the tray piece by piece: busy from the first to the last byte, and not after that."""
        held, is_open = [], []

        def gate(route):
            if is_open or route.request.method != "PATCH":
                route.continue_()
            else:
                held.append(route)

        ann.page.route(re.compile("/v1/files/"), gate)
        busy = ann.host.get_by_role("progressbar", name=f"Upload of {path.name}")
        with ann.page.expect_request(lambda request: request.method == "PATCH"):
            ann.send.click()
        expect(busy).to_have_attribute("aria-valuenow", "0")
        # A part has arrived, and the next one is on its way.
        with ann.page.expect_request(lambda request: request.method == "PATCH"):
            held.pop().continue_()
        expect(busy).not_to_have_attribute("aria-valuenow", "0")
        expect(bob.host.get_by_role("button", name=path.name)).to_have_count(0)
        is_open.append(True)
        held.pop().continue_()
        expect(busy).to_have_count(0)
        ann.page.unroute(re.compile("/v1/files/"))

    def check_at_bob(path, kind, content_type):
        """What Bob has: the link and what it says of the file, the bytes in the page and in the terminal, read."""
        ann.page.wait_for_function("""name => {
          const last = document.getElementById("chat0").conversation.items.at(-1);
          return last.message?.file.name === name && last.state === "sent" && last.unreadBy === 0;
        }""", arg=path.name)
        expect(ann.rows.last.get_by_label("Read", exact=True)).to_be_visible()
        message = bob.run("host => host.conversation.items.at(-1).message")
        file = message["file"]
        same((message["type"], message.get("extras"), message.get("text", "")), (kind, None, ""))
        same((file["name"], file["contentType"], file["size"]), (path.name, content_type, path.stat().st_size))
        found = json.loads(server.roost("file", "info", "--as", "bob", "--json", file["fileID"]))
        same({key: found["file"][key] for key in ("name", "contentType", "size")},
             {"name": path.name, "contentType": content_type, "size": path.stat().st_size})
        with urllib.request.urlopen(server.url + found["link"]) as answer:
            same(answer.read() == path.read_bytes(), True, "the bytes of the link")
        same(bytes(bob.run(DIGEST)), hashlib.sha256(path.read_bytes()).digest(), "the bytes in the browser")
        copy = stage.folder / f"copy of {path.name}"
        server.roost("file", "get", "--as", "bob", file["fileID"], str(copy))
        same(copy.read_bytes() == path.read_bytes(), True, "the bytes in the terminal")
        bob.host.get_by_role("button", name=path.name).click()
        with bob.page.expect_download() as download:
            bob.host.get_by_role("dialog").get_by_role("button", name="Download").click()
        same(pathlib.Path(download.value.path()).read_bytes() == path.read_bytes(), True, "the bytes in the folder")
        bob.page.keyboard.press("Escape")
        expect(bob.host.get_by_role("dialog")).to_have_count(0)

    # 1. How it opens.
    for chat, title in ((ann, "Bob"), (bob, "Ann")):
        expect(chat.host.get_by_role("heading", name=title)).to_be_visible()
        expect(chat.host.locator(".page-loading")).to_be_hidden()
        expect(chat.host.locator(".spinner:visible")).to_have_count(0)
        expect(chat.host.locator(".typing")).to_have_text("")
        expect(chat.host.locator(".bar")).to_have_css("border-top-width", "1px")
        expect(chat.host.get_by_role("progressbar")).to_have_count(0)
    ann.run("""host => {
      window.states = [];
      host.client.addEventListener("state", () => states.push(host.client.state));
    }""")

    # 2. A picture: first nothing is picked, then the original.
    picker = ann.host.locator(".file-input")
    choose(ann, "Picture or Video", None)
    expect(picker).to_have_count(1)
    picker.dispatch_event("cancel")
    expect(picker).to_have_count(0)
    expect(ann.host.locator(".tray li")).to_have_count(0)
    same(is_live(), ("live", []))
    choose(ann, "Picture or Video", [original])
    # What the page shows of it is edited, that is, turned.
    ann.page.wait_for_function("""() => {
      const { naturalWidth, naturalHeight } = document.getElementById("chat0").shadowRoot.querySelector(".tray img");
      return naturalWidth === 400 && naturalHeight === 600;
    }""")
    send_gated(original)
    check_at_bob(original, "image", "image/png")

    # 3. A film, and an upload that the server refuses.
    choose(ann, "Picture or Video", [film])
    send_gated(film)
    check_at_bob(film, "video", "video/quicktime")
    choose(ann, "Picture or Video", [edited])
    ann.send.click()
    failure = ann.host.locator(".failure-row")
    expect(failure).to_contain_text("Not sent")
    expect(ann.host.get_by_role("alert")).to_contain_text("Not sent")
    expect(ann.host.get_by_role("progressbar")).to_have_count(0)
    failure.get_by_role("button", name="Discard").click()
    ann.page.wait_for_function(HAS_MESSAGES, arg=2)
    ann.write("no third file")
    expect(bob.texts).to_have_text(["no third file"])
    bob.page.wait_for_function(HAS_MESSAGES, arg=3)

    # 4. Hidden while the picker is open: the connection stays. Gone without it: it ends; what was missed comes once.
    choose(ann, "Picture or Video", None)
    ann.page.evaluate(SHOW, True)
    bob.write("while it is open")
    expect(ann.texts.last).to_have_text("while it is open")
    same(is_live(), ("live", []))
    ann.page.evaluate(SHOW, False)
    picker.dispatch_event("cancel")
    expect(picker).to_have_count(0)
    same(is_connected(), True)
    ann.page.goto("about:blank")
    until_answered(is_connected, False)
    missed = picture_file(stage.folder / "missed.png", 20_000)
    server.roost("send", "--as", "bob", "--to", "ann", "--file", str(missed), "you were away")
    expect(bob.row("you were away")).to_have_count(1)
    ann.page.go_back()
    ann.until_ready()
    expect(ann.row("you were away").locator(".media.is-loaded img")).to_be_visible()
    bob.write("last")
    expect(ann.texts.last).to_have_text("last")
    same(len(sockets), 2)
    expect(ann.row("you were away")).to_have_count(1)
    names = """host => host.conversation.items.flatMap(({ message }) => message?.file?.name ?? [])"""
    for chat in (ann, bob):
        same(chat.run(names), ["roof.png", "clip.mov", "missed.png"])

    # 5. Bob has read everything on receiving it, and Ann's page says so after the return, too.
    for name in ("roof.png", "clip.mov"):
        expect(ann.rows.filter(has=ann.page.get_by_role("button", name=name)).get_by_label("Read", exact=True)
               ).to_be_visible()


run()
