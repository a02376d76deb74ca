#!/usr/bin/env python3
"""The page in Chromium, Firefox and WebKit: what everybody does with it, its appearance, and other pages that hold it.

Needs ROOST, the server's binary. With ROOST_SCREENSHOTS, pictures are in that folder. See engines/engine.py.
"""
import subprocess

from browser import same
from conversation_pages import png
from engines.chat import FIELD, enter, messages, sign_in, small_world, until_sent, write
from engines.engine import each_engine, run

# Times and signs that stick out of the part of a bubble that is drawn.
CUT = """() => findAll(".text > .meta").filter((meta) => {
  const [inner, outer] = [meta, meta.parentElement].map((element) => element.getBoundingClientRect());
  return inner.left < outer.left - .5 || inner.right > outer.right + .5;
}).map((meta) => meta.textContent)"""
BACKGROUND = "(selector) => getComputedStyle(find(selector)).backgroundColor"
DARK, LIGHT = "rgb(20, 24, 27)", "rgb(255, 255, 255)"


def menu_item(page, message, text):
    page.click(".bubble", message, button=2)
    page.click("dialog[open] .item", text)


def ink(page, selector):
    """How many dark pixels a picture of an element has."""
    left, top, width, height = page.run("""(selector) => {
      const { left, top, width, height } = find(selector).getBoundingClientRect();
      return [left, top, width, height].map(Math.floor);
    }""", selector)
    path = page.stage.folder / "ink.png"
    page.screenshot(path)
    pixels = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", str(path), "-vf",
                             f"crop={width}:{height}:{left}:{top},format=gray", "-f", "rawvideo", "-"],
                            check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout
    return sum(pixel < 160 for pixel in pixels)


def policy(world):
    """A strict one, for a page of another origin that has the elements of this server."""
    socket = world.url.replace("http", "ws", 1)
    return (
        f"default-src 'none'; script-src 'self' {world.url}; style-src 'self'; img-src 'self' {world.url} blob: data:; "
        f"media-src {world.url} blob:; connect-src {world.url} {socket}; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'")


@each_engine("a guest signs in, sends, receives, replies and reacts")
def _(stage, browser):
    world = small_world(stage)
    page = browser.page(f"{world.url}/")
    page.see("#userid")
    page.shot("sign-in")
    sign_in(page, "ann", "Ann Lee")
    page.see(".channel-list", "No conversations yet")
    page.shot("empty-list")
    channel = world.single("bob", "ann")
    world.send("bob", channel, "Tea at four?")
    page.click(".channel", "Tea at four?")
    page.see(".bubble", "Tea at four?")
    write(page, "With pleasure")
    menu_item(page, "Tea at four?", "Reply")
    page.see(".replying")
    page.shot("replying")
    write(page, "At your place?")
    page.see(".bubble .quote", "Tea at four?")
    until_sent(page, 3)
    same(messages(world, channel), [
        ("Tea at four?", None), ("With pleasure", None), ("At your place?", "Tea at four?")])
    page.click(".bubble", "Tea at four?", button=2)
    page.click("dialog[open] .quick-reactions .emoji")
    page.see(".reaction[aria-pressed=true]")
    world.send("bob", channel, "Good, a message that is long enough for two lines on a telephone, with its time below")
    page.see(".bubble", "Good, a message")
    page.until("() => { const { channel } = document.querySelector('roost-chat').conversation;"
               " return channel.readSeq === channel.seq; }", about="all is read")
    page.click(".emoji-button")
    page.click("dialog[open] .emoji-grid .emoji")
    page.until("() => find('.field-text').value.length > 0")
    page.press("Enter")
    page.see(".words.is-emoji")
    same(page.run(CUT), [], "times that are cut off")
    page.shot("conversation")
    page.resize(390, 844)
    page.see(".conversation .back")
    same(page.run(CUT), [], "times that are cut off on a phone")
    page.shot("phone-conversation")
    page.click(".conversation .back")
    page.see(".channel", "You:")
    page.shot("phone-list")


@each_engine("a picture and a document are uploaded, and the picture opens")
def _(stage, browser):
    world = small_world(stage)
    channel = world.single("ann", "bob")
    files = {"roof.png": png(900, 600), "plan.txt": b"one\ntwo\n"}
    for name, content in files.items():
        (stage.folder / name).write_bytes(content)
    page = enter(browser, world, at=f"#channel={channel}")
    for name, item in (("roof.png", "Picture or Video"), ("plan.txt", "Attach a file")):
        def opener(item=item):
            page.click(".composer .icon-button", "More to send")
            page.click("dialog[open] .item", item)
        page.choose_files([stage.folder / name], opener)
        page.see(".tray li")
        page.shot(f"tray-{name}")
        page.click(".composer .icon-button", "Send")
        page.gone(".tray li")
    page.see(".media.is-loaded img")
    page.see(".document", "plan.txt")
    until_sent(page, 2)
    page.shot("files")
    same([name for name, _ in messages(world, channel)], list(files))
    page.click(".media .open")
    page.until("() => find('.stage img')?.naturalWidth === 900")
    page.press("Escape")
    page.gone("dialog")


@each_engine("both elements work in a page of another origin with a strict policy")
def _(stage, browser):
    site = stage.new_site()
    world = small_world(stage, "--allow-origin", site.url)
    channel = world.single("bob", "ann")
    world.send("bob", channel, "Hello there")
    site.headers["Content-Security-Policy"] = policy(world)
    site.add("/page.css", "body { margin: 0; display: flex; } roost-chat, roost-text-chat { flex: 1; height: 100vh; }")
    scripts = [f"{world.url}/{name}.js" for name in ("roost-chat", "roost-text-chat")]
    page = browser.page(site.add_page(
        "/page.html", f'<roost-chat server="{world.url}" guest="ann Ann" user="bob"></roost-chat>'
        '<roost-text-chat sender-id="1234" alias="Ann"></roost-text-chat>',
        """const chat = document.querySelector("roost-text-chat");
        chat.addEventListener("messagereadytosend", ({ detail }) => { window.sent = detail.text; });""",
        head='<link rel="stylesheet" href="/page.css">' + "".join(
            f'<script type="module" src="{script}"></script>' for script in scripts)))
    page.see(".bubble", "Hello there")
    page.click(FIELD)
    page.type("From another origin")
    page.press("Enter")
    page.until("() => document.querySelector('roost-chat').conversation.items.at(-1).state === 'sent'")
    same([text for text, _ in messages(world, channel)], ["Hello there", "From another origin"])
    page.click("[part~=field]:not(.field-text)")
    page.type("Without a server")
    page.press("Enter")
    page.until("() => window.sent === 'Without a server'")
    page.run("""() => document.querySelector("roost-text-chat").addMessage(
      { senderID: "5678", alias: "Bob", text: "I hear you" })""")
    page.see("[part~=text]", "I hear you")
    page.click(".conversation-header > .icon-button", "Details of Bob Marsh")
    page.see("dialog .item.danger")
    page.shot("elements")
    page.press("Escape")
    page.gone("dialog")


@each_engine("the launcher in a page of another origin opens, counts what is unread, and closes")
def _(stage, browser):
    site = stage.new_site()
    world = small_world(stage, "--allow-origin", site.url)
    channel = world.single("bob", "ann")
    site.headers["Content-Security-Policy"] = policy(world)
    site.add("/shop.css", "body { margin: 0; min-height: 200vh; font: 16px/1.5 sans-serif; }")
    page = browser.page(site.add_page(
        "/shop.html", f'<h1>Shop</h1><roost-launcher server="{world.url}" guest="ann Ann" user="bob"></roost-launcher>', "",
        head='<link rel="stylesheet" href="/shop.css">'
             f'<script type="module" src="{world.url}/roost-launcher.js"></script>'))
    page.see("[part~=button]")
    page.until("() => document.querySelector('roost-launcher').client?.state === 'live'")
    world.send("bob", channel, "An umbrella?")
    page.see("[part~=badge]", "1")
    page.shot("launcher")
    page.click("[part~=button]")
    page.see(".bubble", "An umbrella?")
    page.gone("[part~=badge]")
    write(page, "A red one")
    until = "() => document.querySelector('roost-launcher').shadowRoot.querySelector('roost-chat').conversation"
    page.until(f"{until}.items.at(-1).state === 'sent'")
    same([text for text, _ in messages(world, channel)], ["An umbrella?", "A red one"])
    page.shot("launcher-open")
    page.press("Escape")
    page.gone(".bubble")
    page.resize(390, 844)
    page.click("[part~=button]")
    page.see(".bubble", "A red one")
    same(page.run("""() => {
      const { width, height } = find("[part~=panel]").getBoundingClientRect();
      // Without the width of a scroll bar.
      return [width >= document.documentElement.clientWidth - 1, height >= innerHeight - 1];
    }"""), [True, True], "the panel fills a phone")
    page.shot("launcher-phone")
    page.click("[part~=head] button")
    page.gone(".bubble")


@each_engine("the dark theme is that of the system, and can be chosen")
def _(stage, browser):
    world = small_world(stage)
    world.send("bob", world.single("bob", "ann"), "Tea at four?")
    page = enter(browser, world, is_dark=True)
    page.click(".channel", "Tea at four?")
    page.see(".bubble", "Tea at four?")
    same(page.run(BACKGROUND, ".conversation"), DARK)
    page.shot("dark")
    page.click(".account")
    page.see("dialog .settings")
    page.shot("dark-settings")
    page.click(".choice label", "Light")
    page.until(f"() => ({BACKGROUND})('dialog') === '{LIGHT}'")
    page.press("Escape")
    page.gone("dialog")
    same(page.run(BACKGROUND, ".conversation"), LIGHT)


@each_engine("in Arabic the page goes from right to left, and an empty field shows its hint")
def _(stage, browser):
    world = small_world(stage)
    channel = world.single("bob", "ann")
    world.send("bob", channel, "مرحبا آن، كيف حالك؟")
    world.send("bob", channel, "And in English")
    page = enter(browser, world, at=f"#channel={channel}", look={"language": "ar"})
    page.see(".bubble", "مرحبا")
    same(page.run("() => getComputedStyle(find('.conversation')).direction"), "rtl")
    same(page.run("""() => {
      const [list, conversation] = [".list-pane", ".conversation"].map((each) => find(each).getBoundingClientRect());
      return list.left >= conversation.right - 1;
    }"""), True, "the list is on the right")
    same(page.run(CUT), [], "times that are cut off")
    same(ink(page, FIELD) > 100, True, "the empty field shows its hint")
    page.shot("arabic")
    page.click(".account")
    page.see("dialog .settings")
    page.shot("arabic-settings")
    page.press("Escape")
    page.gone("dialog")
    page.resize(390, 844)
    page.see(".conversation .back")
    page.shot("arabic-phone")


run()
