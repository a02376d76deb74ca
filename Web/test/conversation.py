#!/usr/bin/env python3
"""The conversation of <roost-chat> in a real browser, against a real server. Needs ROOST, the server's binary."""

import re

from browser import expect, frames, run, same, test
from conversation_pages import FILM, MP4, PICTURE, choose, enter, fill, lobby, pair

# Pressing messages


@test("pressing somebody's text opens a sheet with two actions and no title [J-10]")
def _(stage):
    _, ann, bob = lobby(stage)
    bob.write("hello")
    ann.bubble("hello").click()
    expect(ann.sheet).to_be_visible()
    expect(ann.sheet.get_by_role("menuitem")).to_have_text(["Start messaging with Bob", "Cancel"])
    expect(ann.sheet.get_by_role("heading")).to_have_count(0)
    same(ann.sheet.inner_text().split("\n"), ["Start messaging with Bob", "Cancel"])
    stage.axe(ann.page)


@test("pressing an own message does nothing [J-11]")
def _(stage):
    _, ann, bob = lobby(stage)
    ann.write("mine")
    ann.until_sent("mine")
    ann.bubble("mine").click()
    bob.write("theirs")
    ann.bubble("theirs").click()
    # The sheet of the second press is the only one that opened.
    expect(ann.host.locator("dialog")).to_have_count(1)
    expect(ann.sheet.get_by_role("menuitem").first).to_have_text("Start messaging with Bob")


@test("pressing a file, an announcement or a server line does nothing [J-12]")
def _(stage):
    server, ann, bob = lobby(stage)
    token = server.roost("token", "--data", f"{server.folder}/data", "--user", "root", "--operator", is_local=True)
    server.roost("message", "announce", "--token", token.strip(), "--channel", "lobby", "closed today")
    bob.run("""async host => {
      await host.conversation.createVote({ question: "when?", options: ["now", "later"] });
      host.conversation.sendFile(new File(["text"], "notes.txt", { type: "text/plain" }));
    }""")
    expect(bob.rows.filter(has_text="when?")).to_be_visible()
    bob.run("""host => host.conversation.closeVote(host.conversation.items
      .find(item => item.message?.vote).message.messageID)""")
    expect(ann.host.locator(".line-row")).to_be_visible()
    ann.host.locator(".line-row .server-line").click()
    ann.bubble("closed today").locator(".words").click()
    expect(ann.bubble("notes.txt")).to_be_visible()
    ann.bubble("notes.txt").click(position={"x": 3, "y": 3})
    bob.write("a text")
    ann.bubble("a text").click()
    expect(ann.host.locator("dialog")).to_have_count(1)
    expect(ann.sheet).to_be_visible()


@test("the first action starts a conversation with the sender once, Cancel and Escape only close [J-13]")
def _(stage):
    _, ann, bob = lobby(stage)
    bob.write("hello")
    ann.run("""host => {
      window.started = [];
      const { startConversation } = host.client;
      host.client.startConversation = user => (started.push(user), startConversation.call(host.client, user));
    }""")
    for close in (lambda: ann.sheet.get_by_role("menuitem", name="Cancel").click(),
                  lambda: ann.page.keyboard.press("Escape"),
                  lambda: ann.page.mouse.click(30, 30)):
        ann.bubble("hello").click()
        expect(ann.sheet).to_be_visible()
        close()
        expect(ann.sheet).to_have_count(0)
    same((ann.page.evaluate("() => started"), ann.events("open")), ([], ["lobby"]))
    ann.bubble("hello").click()
    ann.sheet.get_by_role("menuitem", name="Start messaging with Bob").click()
    expect(ann.host.get_by_role("heading", name="Bob")).to_be_visible()
    same(ann.page.evaluate("() => started"), ["bob"])


@test("the started 1-on-1 opens over the open channel, which is told when it closes [J-15]")
def _(stage):
    _, ann, bob = lobby(stage)
    bob.write("hello")
    ann.bubble("hello").click()
    ann.sheet.get_by_role("menuitem").first.click()
    expect(ann.host.get_by_role("heading", name="Bob")).to_be_visible()
    ann.write("just us")
    ann.until_sent("just us")
    same((ann.events("open"), ann.events("close")), (["lobby", "ann:bob"], []))
    ann.host.get_by_label("Back").click()
    expect(ann.host.get_by_role("heading", name="lobby")).to_be_visible()
    expect(ann.texts.filter(has_text="hello")).to_be_visible()
    same((ann.events("open"), ann.events("close")), (["lobby", "ann:bob", "lobby"], ["ann:bob"]))
    # The channel lives on.
    bob.write("still here")
    expect(ann.texts.filter(has_text="still here")).to_be_visible()


@test("with the other button and by keyboard all actions open, and the focus returns")
def _(stage):
    _, ann, bob = pair(stage)
    bob.write("hello")
    # The menu is whole when the pinned messages are known.
    ann.run("async host => void await host.conversation.loadPins()")
    frames(ann.page)
    ann.bubble("hello").click(button="right")
    expect(ann.menu.get_by_role("menuitem")).to_have_text(
        ["Reply", "Copy text", "Forward", "Pin", "Select", "Report…", "Delete for me"])
    stage.axe(ann.page)
    ann.page.keyboard.press("Escape")
    expect(ann.menu).to_have_count(0)
    expect(ann.row("hello")).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(ann.menu.get_by_role("menuitem").first).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(ann.host.locator(".replying")).to_contain_text("Bob")
    expect(ann.field).to_be_focused()
    ann.page.keyboard.press("Escape")
    expect(ann.host.locator(".replying")).to_be_hidden()
    expect(ann.field).to_be_focused()
    # Asked for twice before it could open, it opens once.
    ann.row("hello").evaluate("""row => {
      for (let i = 0; i < 2; i += 1) {
        row.dispatchEvent(new MouseEvent("contextmenu", { button: 2, bubbles: true, cancelable: true }));
      }
    }""")
    expect(ann.menu.get_by_role("menuitem").first).to_be_focused()
    frames(ann.page)
    expect(ann.menu).to_have_count(1)


# The screen


@test("at first there is the title, no loading sign and no typing bar, and a keyboard gets room [J-18]")
def _(stage):
    _, ann, bob = pair(stage, emulation={"width": 390, "height": 844, "has_touch": True})
    expect(ann.host.get_by_role("heading", name="Bob")).to_be_visible()
    expect(ann.host.locator(".page-loading")).to_be_hidden()
    expect(ann.host.locator(".spinner:visible")).to_have_count(0)
    expect(ann.host.locator(".typing")).to_have_text("")
    fill(ann, 40)
    ann.field.focus()
    before = ann.field.bounding_box()["y"]
    # What a phone does whose keyboard lies over the page.
    ann.page.evaluate("""() => {
      Object.defineProperty(visualViewport, "height", { configurable: true, get: () => innerHeight - 300 });
      visualViewport.dispatchEvent(new Event("resize"));
    }""")
    frames(ann.page)
    same(round(before - ann.field.bounding_box()["y"]), 300)
    same(ann.from_end < 1, True, "the newest message stays above the keyboard")
    ann.page.evaluate("""() => {
      delete visualViewport.height;
      visualViewport.dispatchEvent(new Event("resize"));
    }""")
    frames(ann.page)
    same(round(before - ann.field.bounding_box()["y"]), 0)
    same(ann.from_end < 1, True)


@test("a page shows the messages of one conversation, and of no other [Z-1]")
def _(stage):
    server, ann, bob = pair(stage)
    cid = enter(stage, server, "cid Cid", user="ann")
    bob.write("from Bob")
    cid.write("from Cid")
    cid.until_sent("from Cid")
    ann.write("from Ann")
    expect(bob.texts).to_have_text(["from Bob", "from Ann"])
    expect(ann.texts).to_have_text(["from Bob", "from Ann"])
    expect(ann.row("from Bob")).to_have_class(re.compile(r"\bother\b"))
    expect(ann.row("from Ann")).to_have_class(re.compile(r"\bown\b"))
    # After a reload it is the same.
    ann.page.reload()
    expect(ann.texts).to_have_text(["from Bob", "from Ann"])


@test("the return key and the button send the text alike, and only once [J-34]")
def _(stage):
    _, ann, bob = pair(stage)
    ann.field.fill("by key")
    ann.field.press("Enter")
    ann.field.fill("by button")
    ann.send.click()
    for chat in (ann, bob):
        expect(chat.texts).to_have_text(["by key", "by button"])
    expect(ann.field).to_have_value("")
    expect(ann.field).to_be_focused()
    # A new line, white space and a composition send nothing.
    ann.field.press_sequentially("two")
    ann.field.press("Shift+Enter")
    ann.field.press_sequentially("lines")
    ann.field.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    ann.field.dispatch_event("keydown", {"key": "Enter", "keyCode": 229})
    same(ann.field.input_value(), "two\nlines")
    ann.field.press("Enter")
    ann.write("   ")
    expect(bob.texts).to_have_text(["by key", "by button", "two\nlines"], use_inner_text=True)
    expect(ann.send).to_be_hidden()


@test("a message shows at once, keeps its place when it is stored, and stays after a failure until it is sent again")
def _(stage):
    server, ann, bob = pair(stage)
    bob.run("host => host.client.perform('user.block', { userID: 'ann' })")
    ann.write("refused")
    failure = ann.row("refused").locator(".failure-row")
    expect(failure).to_contain_text("Not sent: One of you has blocked the other.")
    expect(ann.host.get_by_role("alert")).to_contain_text("Not sent")
    stage.axe(ann.page)
    key = ann.row("refused").get_attribute("data-key")
    bob.run("host => host.client.perform('user.unblock', { userID: 'ann' })")
    failure.get_by_role("button", name="Send again").click()
    expect(bob.texts).to_have_text(["refused"])
    expect(ann.row("refused")).to_have_class(re.compile(r"\bsent\b"))
    same(ann.row("refused").get_attribute("data-key"), key)
    expect(failure).to_have_count(0)
    server.kill()
    ann.write("waits")
    same(ann.state("waits"), "sending")
    expect(ann.row("waits")).to_be_visible()
    expect(ann.host.locator(".connection")).to_contain_text("Offline")
    stage.axe(ann.page)
    server.start()
    expect(bob.texts).to_have_text(["refused", "waits"])
    expect(ann.host.locator(".connection")).to_be_hidden()


# Files


BYTES = """async (host, index) => {
  const items = host.conversation.items.filter(item => item.kind === "message");
  const { message } = items.at(index);
  const response = await fetch(await host.client.fileURL(message.file.fileID));
  return [message.type, message.file.contentType, message.file.name,
    [...new Uint8Array(await response.arrayBuffer())]];
}"""


@test("the picker offers pictures and films first, and the connection stays while it is open [J-38]")
def _(stage):
    _, ann, bob = pair(stage)
    ann.run("host => { window.states = []; host.client.addEventListener('state', () => states.push(host.client.state)); }")
    same(choose(ann, "Picture or Video", None), "image/*,video/*,.mov")
    # It is still open: messages come in.
    bob.write("meanwhile")
    expect(ann.texts).to_have_text(["meanwhile"])
    ann.host.locator(".file-input").dispatch_event("cancel")
    same(choose(ann, "Attach a file", [PICTURE]), None)
    expect(ann.host.locator(".tray li")).to_have_count(1)
    same((ann.page.evaluate("() => states"), ann.run("host => host.client.state")), ([], "live"))


@test("of a picked picture the original bytes go out, and both see it [J-39]")
def _(stage):
    _, ann, bob = pair(stage)
    choose(ann, "Picture or Video", [PICTURE])
    expect(ann.host.locator(".tray img")).to_be_visible()
    stage.axe(ann.page)
    expect(ann.rows).to_have_count(0)
    ann.field.fill("the roof")
    ann.field.press("Enter")
    for chat in (ann, bob):
        expect(chat.row("the roof").locator(".media.is-loaded img")).to_be_visible()
    ann.until_sent("the roof")
    kind, media_type, name, content = bob.run(BYTES, -1)
    same((kind, media_type, name), ("image", "image/png", "roof.png"))
    same(bytes(content) == PICTURE["buffer"], True, "the same bytes")
    # Its place was reserved in its own proportions.
    box = bob.row("the roof").locator(".media").bounding_box()
    same(round(box["width"] / box["height"], 1), 1.5)


@test("a picked film is posted as a film, by the way of a picture [J-41]")
def _(stage):
    _, ann, bob = pair(stage)
    choose(ann, "Picture or Video", [FILM])
    ann.send.click()
    expect(bob.rows.locator(".media.video")).to_be_visible()
    kind, media_type, name, content = bob.run(BYTES, -1)
    same((kind, media_type, name, bytes(content) == FILM["buffer"]), ("video", "video/quicktime", "clip.mov", True))


@test("films of both kinds and names are taken, from the picker, by drag and by paste [C-J7]")
def _(stage):
    _, ann, bob = pair(stage)
    choose(ann, "Picture or Video", [FILM, MP4])
    expect(ann.host.locator(".tray li")).to_have_count(2)
    ann.send.click()
    expect(bob.host.locator(".media.video")).to_have_count(2)
    for event in ("drop", "paste"):
        ann.run("""(host, [event, words]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(words)], `${event}.mp4`, { type: "video/mp4" }));
          const target = host.shadowRoot.querySelector(event === "drop" ? ".conversation" : "textarea");
          target.dispatchEvent(event === "drop"
            ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""", [event, list(MP4["buffer"])])
        expect(ann.host.locator(".tray li")).to_have_count(1)
        ann.field.press("Enter")
    expect(bob.host.locator(".media.video")).to_have_count(4)
    same([bob.run(BYTES, index)[:3] for index in range(-4, 0)], [
        ["video", "video/quicktime", "clip.mov"], ["video", "video/mp4", "clip.mp4"],
        ["video", "video/mp4", "drop.mp4"], ["video", "video/mp4", "paste.mp4"]])


@test("a failed upload posts nothing, and its error is shown and read aloud [J-43]")
def _(stage):
    _, ann, bob = pair(stage)
    # The server looks at the bytes: this is no picture.
    choose(ann, "Attach a file", [{"name": "fake.png", "mimeType": "image/png", "buffer": b"MZ" + b"x" * 3000}])
    ann.send.click()
    failure = ann.host.locator(".failure-row")
    expect(failure).to_contain_text("Not sent: This file is not what its type says. Send it as a document.")
    expect(ann.host.get_by_role("alert")).to_contain_text("This file is not what its type says")
    expect(ann.host.get_by_role("progressbar")).to_have_count(0)
    ann.write("after")
    expect(bob.texts).to_have_text(["after"])
    expect(bob.rows).to_have_count(1)
    failure.get_by_role("button", name="Discard").click()
    expect(failure).to_have_count(0)
    expect(ann.rows).to_have_count(1)


@test("a sign of being busy shows during an upload, with its progress, and goes away; it can be cancelled [J-44]")
def _(stage):
    server, ann, bob = pair(stage)
    held = []
    is_open = False

    def gate(route):
        if is_open or route.request.method != "PATCH":
            route.continue_()
        else:
            held.append(route)

    def is_patch(request):
        return request.method == "PATCH"

    ann.page.route(re.compile(r"/v1/files/"), gate)
    busy = ann.host.get_by_role("progressbar", name="Upload of roof.png")
    picture = {**PICTURE, "buffer": PICTURE["buffer"] + b"\0" * 600_000}
    choose(ann, "Picture or Video", [picture])
    with ann.page.expect_request(is_patch):
        ann.send.click()
    expect(busy).to_have_attribute("aria-valuenow", "0")
    stage.axe(ann.page)
    # A part has arrived, and the next one is on its way.
    with ann.page.expect_request(is_patch):
        held.pop().continue_()
    expect(busy).not_to_have_attribute("aria-valuenow", "0")
    same(0 < int(busy.get_attribute("aria-valuenow")) < 100, True)
    is_open = True
    held.pop().continue_()
    expect(busy).to_have_count(0)
    expect(bob.host.locator(".media.image")).to_have_count(1)
    is_open = False
    choose(ann, "Picture or Video", [picture])
    with ann.page.expect_request(is_patch):
        ann.send.click()
    expect(busy).to_be_visible()
    ann.host.get_by_role("button", name="Cancel the upload").click()
    expect(busy).to_have_count(0)
    expect(ann.rows).to_have_count(1)
    ann.write("after")
    expect(bob.texts).to_have_text(["after"])
    expect(bob.rows).to_have_count(2)


@test("a voice message is recorded with the keyboard, sent, and played by the other; a discarded one is not sent")
def _(stage):
    _, ann, bob = pair(stage)
    # A microphone that hums.
    ann.page.evaluate("""() => {
      navigator.mediaDevices.getUserMedia = async () => {
        const audio = new AudioContext();
        const hum = audio.createOscillator();
        const microphone = audio.createMediaStreamDestination();
        hum.connect(microphone);
        hum.start();
        window.hum = hum;
        while (audio.currentTime === 0) await new Promise(requestAnimationFrame);
        window.microphone = microphone.stream.getTracks()[0];
        return microphone.stream;
      };
    }""")
    record = ann.host.get_by_label("Record a voice message")
    record.click()
    expect(ann.host.locator(".recording")).to_contain_text("Recording, 0:0")
    stage.axe(ann.page)
    ann.page.keyboard.press("Escape")
    expect(ann.host.locator(".recording")).to_be_hidden()
    same(ann.page.evaluate("() => microphone.readyState"), "ended")
    expect(ann.field).to_be_focused()
    # Pressed twice before there is a microphone, it records once.
    record.evaluate("button => { button.click(); button.click(); }")
    expect(ann.host.locator(".recording")).to_contain_text("Recording, 0:01")
    ann.page.keyboard.press("Enter")
    voice = bob.host.locator(".voice")
    expect(voice).to_have_count(1)
    kind, media_type, name, content = bob.run(BYTES, -1)
    same((kind, media_type.split("/")[0], name.split(".")[0], len(content) > 500), ("voice", "audio", "voice", True))
    expect(voice).to_contain_text(re.compile("0:0[1-9]"))
    voice.get_by_role("button", name="Play").click()
    expect(voice.get_by_role("button", name="Pause")).to_be_visible()
    expect(voice.get_by_role("button", name="Play")).to_be_visible()
    expect(ann.rows).to_have_count(1)
    stage.axe(bob.page)
    # A microphone that gives nothing.
    ann.page.evaluate("""() => {
      navigator.mediaDevices.getUserMedia = async () => new AudioContext().createMediaStreamDestination().stream;
      MediaRecorder.prototype.start = function () {
        Object.defineProperty(this, "state", { value: "recording" });
      };
      MediaRecorder.prototype.stop = function () { queueMicrotask(() => this.onstop?.()); };
    }""")
    record.click()
    expect(ann.host.locator(".recording")).to_contain_text("Recording, 0:0")
    expect(ann.host.get_by_role("button", name="Send voice message")).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(ann.host.get_by_role("alert")).to_have_text("No sound was recorded. Try again.")
    expect(ann.rows).to_have_count(1)


@test("pictures open over the page, by keyboard too, and the focus returns")
def _(stage):
    _, ann, bob = pair(stage)
    other = {**PICTURE, "name": "wall.png"}
    choose(ann, "Picture or Video", [PICTURE, other])
    ann.send.click()
    expect(bob.host.locator(".media.is-loaded")).to_have_count(2)
    bob.host.get_by_role("button", name="Picture roof.png").click()
    box = bob.host.get_by_role("dialog", name="Pictures")
    expect(box.get_by_role("img", name="roof.png")).to_be_visible()
    expect(box).to_contain_text("1 of 2")
    expect(box.get_by_label("Previous picture")).to_be_hidden()
    stage.axe(bob.page)
    bob.page.keyboard.press("ArrowRight")
    expect(box.get_by_role("img", name="wall.png")).to_be_visible()
    expect(box.get_by_label("Next picture")).to_be_hidden()
    bob.page.keyboard.press("ArrowLeft")
    expect(box.get_by_role("img", name="roof.png")).to_be_visible()
    bob.page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    expect(bob.host.get_by_role("button", name="Picture roof.png")).to_be_focused()


run()
