#!/usr/bin/env python3
"""Pictures over the whole page, enlarged and moved, and the pictures and files of a conversation. Needs ROOST."""
from app_driver import World, escape, focus_of
from browser import expect, run, same, test
from conversation_pages import png

CHAT = "document.querySelector('roost-chat')"
SHADOW = f"{CHAT}.shadowRoot"
# The place of the picture: its width on the screen, and how far its middle is from that of its place.
PLACE = f"""() => {{
  const stage = {SHADOW}.querySelector(".lightbox .stage");
  const [picture, place] = [stage.querySelector("img").getBoundingClientRect(), stage.getBoundingClientRect()];
  return {{ width: picture.width, x: Math.round(picture.x + picture.width / 2 - place.x - place.width / 2),
    y: Math.round(picture.y + picture.height / 2 - place.y - place.height / 2) }};
}}"""


def send(page, kind, name, media_type, content):
    page.evaluate("""async ([type, name, contentType, words]) => {
      const { client, conversation } = document.querySelector("roost-chat");
      const { fileID } = await client.upload(new File([new Uint8Array(words)], name, { type: contentType }), name);
      await client.perform("message.send", { channel: conversation.id, type, text: "", file: { fileID } });
    }""", [kind, name, media_type, list(content)])


def conversation(stage, names=("one.png", "two.png"), **emulation):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "Hello")
    bob = world.app("bob", "Bob", at="#channel=ann:bob")
    expect(bob.locator(".bubble", has_text="Hello")).to_be_visible()
    for at, name in enumerate(names):
        send(bob, "image", name, "image/png", png(600, 400, (20 + at * 60, 120, 100)))
    page = world.app(at="#channel=ann:bob", **emulation)
    expect(page.get_by_role("button", name="Picture two.png")).to_be_visible()
    return world, page, bob


def opened(page, name):
    page.get_by_role("button", name=f"Picture {name}").click()
    box = page.get_by_role("dialog", name="Pictures", exact=True)
    expect(box.locator("img")).to_be_visible()
    return box


def place(page):
    return page.evaluate(PLACE)


@test("a picture says who sent it and when, and is enlarged and moved by keys and buttons")
def _(stage):
    _, page, _ = conversation(stage)
    box = opened(page, "one.png")
    expect(box.locator(".about")).to_contain_text("Bob, Today")
    expect(box.locator(".quiet-text")).to_have_text("1 of 2")
    first = place(page)
    stage.axe(page)
    stage.shot(page, "lightbox")
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("+")
    same(place(page)["width"] > 3 * first["width"], True)
    stage.shot(page, "lightbox-zoomed")
    # Now arrow keys move the picture, up to its edges.
    page.keyboard.press("ArrowRight")
    same(place(page)["x"] < -100, True)
    expect(box.locator(".quiet-text")).to_have_text("1 of 2")
    for _ in range(30):
        page.keyboard.press("ArrowDown")
    lowest = place(page)
    page.keyboard.press("ArrowDown")
    same(place(page), lowest)
    page.keyboard.press("-")
    page.keyboard.press("0")
    same(place(page), first)
    expect(box.get_by_role("button", name="Zoom out")).to_have_attribute("aria-disabled", "true")
    box.get_by_role("button", name="Zoom in").click()
    same(place(page)["width"] > first["width"], True)
    # The next one has its own size.
    page.keyboard.press("PageDown")
    expect(box.locator(".quiet-text")).to_have_text("2 of 2")
    expect(box.locator("img[alt='two.png']")).to_be_visible()
    same(place(page)["width"], first["width"])
    page.keyboard.press("ArrowLeft")
    expect(box.locator(".quiet-text")).to_have_text("1 of 2")
    escape(page)


@test("a picture is enlarged by the wheel and a double click where the pointer is, and dragged without closing")
def _(stage):
    _, page, _ = conversation(stage)
    box = opened(page, "one.png")
    first = place(page)
    middle = box.locator("img").bounding_box()
    left, top = middle["x"] + 270, middle["y"] + 180
    page.mouse.move(left, top)
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"() => ({PLACE})().width > 1.5 * {first['width']}")
    # What was under the pointer stays there.
    box_now = box.locator("img").bounding_box()
    scale = box_now["width"] / middle["width"]
    same(abs(box_now["x"] + 270 * scale - left) < 2, True)
    page.mouse.wheel(0, 4000)
    page.wait_for_function(f"() => ({PLACE})().width === {first['width']}")
    page.mouse.dblclick(left, top)
    same(round(place(page)["width"] / first["width"], 1), 2.5)
    before = place(page)
    page.mouse.move(640, 400)
    page.mouse.down()
    page.mouse.move(700, 440, steps=4)
    page.mouse.move(600, 380, steps=4)
    page.mouse.up()
    same(place(page)["x"] - before["x"], -40)
    expect(box).to_be_visible()
    page.mouse.dblclick(640, 400)
    same(place(page), first)
    page.mouse.click(10, 400)
    expect(box).to_have_count(0)


@test("on a phone two fingers enlarge a picture, one moves it, and a swipe goes to the next one")
def _(stage):
    _, page, _ = conversation(stage, width=390, height=844, has_touch=True)
    box = opened(page, "one.png")
    first = place(page)

    def touch(kind, *points, time=None):
        stage.session(page).send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)],
            **({"timestamp": time} if time else {})})

    touch("touchStart", (150, 420), (240, 420))
    for step in range(1, 6):
        touch("touchMove", (150 - step * 10, 420), (240 + step * 10, 420))
    touch("touchEnd")
    page.wait_for_function(f"() => ({PLACE})().width > 1.8 * {first['width']}")
    before = place(page)
    touch("touchStart", (200, 420))
    for step in range(1, 6):
        touch("touchMove", (200 - step * 10, 420))
    touch("touchEnd")
    page.wait_for_function(f"() => ({PLACE})().x < {before['x']} - 30")
    expect(box.locator(".quiet-text")).to_have_text("1 of 2")
    stage.shot(page, "lightbox-phone")
    now = page.evaluate("Date.now()") / 1000
    for at in (0, 0.1):
        touch("touchStart", (200, 420), time=now + at)
        touch("touchEnd", time=now + at + 0.05)
    page.wait_for_function(f"() => ({PLACE})().width === {first['width']}")
    touch("touchStart", (300, 420))
    for step in range(1, 6):
        touch("touchMove", (300 - step * 30, 420))
    touch("touchEnd")
    expect(box.locator(".quiet-text")).to_have_text("2 of 2")
    expect(box.locator("img[alt='two.png']")).to_be_visible()


def media(page, label="Details of Bob", title="Pictures and files"):
    page.get_by_role("button", name=label).click()
    page.get_by_role("button", name=title).click()
    return page.get_by_role("dialog", name=title)


@test("the details lead to the pictures and files of a conversation, read page by page, the newest first")
def _(stage):
    world, page, bob = conversation(stage)
    send(bob, "document", "plan.txt", "text/plain", b"A plan")
    for number in range(250):
        world.send("bob", "ann:bob", f"Text {number}")
    send(bob, "image", "three.png", "image/png", png(300, 500, (200, 40, 40)))
    expect(page.get_by_role("button", name="Picture three.png")).to_be_visible()
    dialog = media(page)
    pictures = dialog.get_by_role("button", name="Picture")
    expect(pictures).to_have_count(3)
    same([each.get_attribute("aria-label").split(",")[0] for each in pictures.all()],
         ["Picture three.png", "Picture two.png", "Picture one.png"])
    expect(dialog.locator(".media-grid img")).to_have_count(3)
    stage.axe(page)
    stage.shot(page, "media-pictures")
    same(focus_of(page), "Pictures and videos")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    box = page.get_by_role("dialog", name="Pictures", exact=True)
    expect(box.locator(".quiet-text")).to_have_text("1 of 3")
    escape(page)
    same(focus_of(page).startswith("Picture three.png"), True)
    dialog.get_by_role("tab", name="Pictures and videos").focus()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("tab", name="Files")).to_be_focused()
    file = dialog.get_by_role("button", name="Download plan.txt")
    expect(file).to_contain_text("Bob, Today")
    stage.axe(page)
    stage.shot(page, "media-files")
    with page.expect_download() as found:
        file.click()
    same(found.value.suggested_filename, "plan.txt")


@test("a long conversation without files is read in parts, a recalled picture is left out, and a failure is told")
def _(stage):
    world, page, bob = conversation(stage)
    # The picture that is recalled may be asked for.
    stage.allow(r"console error: Failed to load resource")
    recalled = world.call("bob", "message.list", channel="ann:bob")["events"][-1]["body"]["messageID"]
    world.call("bob", "message.recall", channel="ann:bob", messageIDs=[recalled])
    expect(page.get_by_role("button", name="Picture two.png")).to_have_count(0)
    dialog = media(page)
    expect(dialog.get_by_role("button", name="Picture")).to_have_count(1)
    dialog.get_by_role("tab", name="Files").click()
    expect(dialog.get_by_text("There are no files here.")).to_be_visible()
    escape(page)
    # A server that answers each page with nothing but an older one before it.
    page.evaluate("""() => {
      const { client } = document.querySelector("roost-chat");
      const { read } = client;
      let from = 5000;
      globalThis.asked = 0;
      client.read = async (command, body) => {
        if (command !== "message.list") return read.call(client, command, body);
        globalThis.asked += 1;
        if (globalThis.asked === 15) throw new TypeError("no connection");
        from -= 100;
        return { events: [], from, to: from + 99, hasBefore: from > 3000, hasAfter: false };
      };
    }""")
    page.get_by_role("button", name="Pictures and files").click()
    more = dialog.get_by_role("button", name="Show more")
    expect(more).to_be_visible()
    same(page.evaluate("asked"), 10)
    more.click()
    again = dialog.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    stage.axe(page)
    again.click()
    expect(dialog.get_by_text("There are no pictures or videos here.")).to_be_visible()


@test("the pictures of a conversation in Arabic, in the dark and on a phone")
def _(stage):
    _, page, _ = conversation_arabic(stage)
    page.locator(".conversation-header button").last.click()
    page.get_by_role("button", name="الصور والملفات").click()
    expect(page.locator(".media-grid img")).to_have_count(2)
    stage.axe(page)
    stage.shot(page, "media-arabic")
    page.locator(".media-grid button").first.click()
    expect(page.locator(".lightbox img")).to_be_visible()
    # From right to left: the name, the day, the time.
    about = page.locator(".lightbox .about")
    expect(about).to_contain_text("اليوم")
    places = about.evaluate("""line => ["Bob", "اليوم", ":"].map(word => {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (!walker.nextNode().data.includes(word));
      const range = new Range();
      range.setStart(walker.currentNode, walker.currentNode.data.indexOf(word));
      range.setEnd(walker.currentNode, walker.currentNode.data.indexOf(word) + word.length);
      return range.getBoundingClientRect().left;
    })""")
    same(places, sorted(places, reverse=True))
    stage.shot(page, "lightbox-arabic")


def conversation_arabic(stage):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "Hello")
    bob = world.app("bob", "Bob", at="#channel=ann:bob")
    for at, name in enumerate(("one.png", "two.png")):
        expect(bob.locator(".bubble", has_text="Hello")).to_be_visible()
        send(bob, "image", name, "image/png", png(600, 400, (20 + at * 60, 120, 100)))
    page = world.app(at="#channel=ann:bob", width=390, height=844, has_touch=True, locale="ar-EG", is_dark=True)
    expect(page.locator(".media")).to_have_count(2)
    return world, page, bob


run()
