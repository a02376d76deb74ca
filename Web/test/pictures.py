#!/usr/bin/env python3
"""Pictures that move or that few browsers show, and films whose link ends, in <roost-chat>. Needs ROOST."""
import re
import struct

from browser import expect, run, same, test
from conversation_pages import choose, enter, pair, png

HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 4000


def gif(width=300, height=300, frames=2):
    """An animation that is larger than what is shown without a still."""
    def picture(number):
        data = bytearray()
        for start in range(0, width * height, 100):
            # After each clear code all codes have eight bits for a while.
            data += b"\x80" + bytes((at * 7 + number * 40) % 128 for at in range(start, min(start + 100, width * height)))
        data += b"\x81"
        blocks = b"".join(bytes([len(data[at:at + 255])]) + data[at:at + 255] for at in range(0, len(data), 255))
        return (b"\x21\xf9\x04\x04\x14\0\0\0" + b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x07"
                + blocks + b"\0")

    colours = bytes(value for at in range(128) for value in (at * 2, 90, 255 - at * 2))
    return (b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF6, 0, 0) + colours
            + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0" + b"".join(map(picture, range(frames))) + b";")


def wav(seconds):
    data = bytes(128 + (at // 20 % 2) * 8 for at in range(8000 * seconds))
    return (b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
            + b"data" + struct.pack("<I", len(data)) + data)


def send(chat, kind, name, media_type, content, thumbnail=None):
    """Sends a file with a still that the sender has made."""
    chat.run("""async (host, [type, name, contentType, words, still]) => {
      const { client, conversation } = host;
      const upload = (words, name, type) => client.upload(new File([new Uint8Array(words)], name, { type }), name);
      const { fileID } = await upload(words, name, contentType);
      const thumbnail = still && await upload(still, "still.png", "image/png");
      await client.perform("message.send", { channel: conversation.id, type, text: "", file: { fileID },
        ...(thumbnail && { thumbnail: { fileID: thumbnail.fileID } }) });
    }""", [kind, name, media_type, list(content), list(thumbnail) if thumbnail else None])


@test("a HEIC that is picked goes out as a picture; who cannot decode it sees the server's, and may save the original")
def _(stage):
    _, ann, bob = pair(stage)
    choose(ann, "Picture or Video", [{"name": "photo.heic", "mimeType": "image/heic", "buffer": HEIC}])
    ann.send.click()
    expect(bob.rows).to_have_count(1)
    same(bob.run("host => host.conversation.items.at(-1).message.type"), "image")
    same(bob.run("""async () => {
      const { messageType } = await import("/web/client/file-types.js");
      return [messageType("", "IMG_1.HEIC"), messageType("image/heif", "x"), messageType("", "x.txt")];
    }"""), ["image", "image", "document"])
    send(ann, "image", "roof.heic", "image/heic", HEIC, png(300, 200))
    bob.host.get_by_role("button", name="Picture roof.heic").click()
    box = bob.host.get_by_role("dialog", name="Pictures")
    expect(box.get_by_role("img", name="roof.heic")).to_be_visible()
    same(box.get_by_role("img", name="roof.heic").evaluate("picture => picture.naturalWidth"), 300)
    stage.axe(bob.page)
    stage.shot(bob.page, "heic")
    with bob.page.expect_download() as found:
        box.locator(".instead").get_by_role("button").click()
    same(found.value.suggested_filename, "roof.heic")


@test("a large GIF shows its still with a sign, and moves while it is pointed at or has the focus")
def _(stage):
    _, ann, bob = pair(stage)
    send(ann, "image", "cat.gif", "image/gif", gif(), png(300, 300))
    media, moving = bob.host.locator(".media"), bob.host.locator(".media .moving")
    expect(media.locator(".chip")).to_have_text("GIF")
    expect(moving).to_have_count(0)
    stage.shot(bob.page, "gif-still")
    media.hover()
    expect(moving).to_have_count(1)
    expect(media.locator(".chip")).to_be_hidden()
    same(moving.evaluate("picture => picture.complete && picture.naturalWidth"), 300)
    bob.field.hover()
    expect(moving).to_have_count(0)
    expect(media.locator(".chip")).to_be_visible()
    media.get_by_role("button").focus()
    expect(moving).to_have_count(1)
    bob.field.focus()
    expect(moving).to_have_count(0)
    stage.axe(bob.page)


@test("on a phone the first tap lets a GIF move and the second one opens it; with less motion, pointing is not enough")
def _(stage):
    server, ann, bob = pair(stage, emulation={"has_touch": True, "width": 400, "height": 800})
    send(bob, "image", "cat.gif", "image/gif", gif(), png(300, 300))
    moving = ann.host.locator(".media .moving")
    expect(ann.host.locator(".media .chip")).to_have_text("GIF")
    ann.host.locator(".media").tap()
    expect(moving).to_have_count(1)
    expect(ann.host.locator("dialog.lightbox")).to_have_count(0)
    ann.host.locator(".media").tap()
    expect(ann.host.locator("dialog.lightbox img")).to_be_visible()
    calm = enter(stage, server, "ann Ann", emulation={"has_reduced_motion": True}, user="bob")
    expect(calm.host.locator(".media .chip")).to_have_text("GIF")
    calm.host.locator(".media").hover()
    calm.host.locator(".media").get_by_role("button").focus()
    expect(calm.host.locator(".media .moving")).to_have_count(1)


class Film:
    """A film whose links end when a test says so: 60 seconds in the place of what was sent."""

    def __init__(self, chat):
        self.content, self.ended, self.links = wav(60), set(), []
        chat.page.route(re.compile(r"/v1/files/"), self.answer)
        self.chat = chat

    def answer(self, route):
        url = route.request.url
        if url in self.ended:
            return route.fulfill(status=403, body="The link has ended.")
        if url not in self.links:
            self.links.append(url)
        first, last = re.match(r"bytes=(\d+)-(\d*)", route.request.headers.get("range", "bytes=0-")).groups()
        start, end = int(first), min(int(last) if last else len(self.content) - 1, len(self.content) - 1)
        headers = {"Content-Type": "audio/wav", "Accept-Ranges": "bytes", "Content-Range":
                   f"bytes {start}-{end}/{len(self.content)}"}
        return route.fulfill(status=206, headers=headers, body=self.content[start:end + 1])

    def end_links(self):
        """All links end now, as after ten minutes."""
        self.ended = set(self.links)
        self.chat.run("""async host => {
          const { links } = await host.client.core.files.load();
          for (const link of links.values()) link.until = 0;
          // Links of one second are the same.
          const { fileURL } = host.client;
          host.client.fileURL = async (id) => `${await fileURL.call(host.client, id)}&again`;
        }""")


@test("a film goes on at the same time with a new link when its link has ended")
def _(stage):
    stage.allow("Failed to load resource")
    _, ann, bob = pair(stage)
    send(ann, "video", "long.mp4", "video/mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0" * 5000, png(30, 20))
    film = Film(bob)
    bob.host.locator(".media .open").click()
    video = bob.host.locator("dialog.lightbox video")
    bob.page.wait_for_function("id => document.getElementById(id).shadowRoot.querySelector('video')?.currentTime > 0.1",
                               arg=bob.id)
    film.end_links()
    video.evaluate("video => { video.currentTime = 40; }")
    bob.page.wait_for_function("""id => {
      const video = document.getElementById(id).shadowRoot.querySelector("video");
      return video.src.endsWith("&again") && video.currentTime > 40.1 && !video.paused;
    }""", arg=bob.id)
    same(video.evaluate("video => video.currentTime < 50"), True)
    # The browser finds out by itself that the link has ended.
    film.end_links()
    video.evaluate("video => { video.pause(); video.src = video.src; }")
    bob.page.wait_for_function("""id => {
      const video = document.getElementById(id).shadowRoot.querySelector("video");
      return video.src.endsWith("&again&again") && video.readyState > 0;
    }""", arg=bob.id)
    # An error that no link cures is said.
    video.evaluate("video => { video.src = '/nothing.mp4'; }")
    expect(bob.host.locator("dialog.lightbox")).to_contain_text("could not be loaded")


run()
