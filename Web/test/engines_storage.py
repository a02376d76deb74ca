#!/usr/bin/env python3
"""The page in Chromium, Firefox and WebKit without its server, and where the browser keeps less. Needs ROOST.

See engines/engine.py. A window of WebKit that is driven is always a private one, and so is one of Chromium unless it
has a profile. WebKitGTK cannot block storage.
"""
from browser import same
from engines.chat import FIELD, enter, messages, sign_in, small_world, until_sent, write
from engines.engine import each_engine, run

LOST = (r"(console|page) error: .*(WebSocket|Failed to load resource|connection to the server|fetching the script"
        r"|was interrupted while the page was loading)")


@each_engine("what is written without the server is kept over a reload, and sent once when it is back")
def _(stage, browser):
    stage.allow(LOST)
    world = small_world(stage)
    channel = world.single("bob", "ann")
    world.send("bob", channel, "Are you there?")
    page = enter(browser, world, at=f"#channel={channel}")
    page.see(".bubble", "Are you there?")
    page.until("() => navigator.serviceWorker.controller?.state === 'activated'")
    world.server.kill()
    page.see(".connection")
    write(page, "one")
    page.see(".bubble", "one")
    page.shot("offline")
    page.reload()
    page.see(".bubble", "Are you there?")
    page.see(".bubble", "one")
    write(page, "two")
    page.see(".bubble", "two")
    page.shot("offline-reloaded")
    world.server.start()
    until_sent(page, 3)
    same([text for text, _ in messages(world, channel)], ["Are you there?", "one", "two"])
    world.send("bob", channel, "There you are")
    page.see(".bubble", "There you are")
    page.gone(".connection")


@each_engine("the page works where cookies and all other storage are blocked", without=["WebKit"])
def _(stage, browser):
    # Firefox tells so itself.
    stage.allow("page error: Failed to register/update a ServiceWorker")
    talk(stage, browser, blocks_cookies=True)


@each_engine("the page works in a private window", without=["Chromium", "WebKit"])
def _(stage, browser):
    talk(stage, browser, is_private=True)


@each_engine("the page works in a window that keeps its profile", without=["Firefox", "WebKit"])
def _(stage, browser):
    talk(stage, browser, is_private=False)


def talk(stage, browser, **wishes):
    """Signs in, talks, and logs out."""
    world = small_world(stage)
    channel = world.single("bob", "ann")
    world.send("bob", channel, "Are you there?")
    page = browser.page(f"{world.url}/", **wishes)
    sign_in(page, "ann", "Ann Lee")
    page.click(".channel", "Are you there?")
    page.see(".bubble", "Are you there?")
    write(page, "Yes")
    until_sent(page, 2)
    world.send("bob", channel, "Good")
    page.see(".bubble", "Good")
    same(page.run("(selector) => find(selector).value", FIELD), "")
    page.click(".account")
    page.click("dialog .button.danger", "Log out")
    page.see("dialog[open] h2", "Log out")
    page.click("dialog[open] footer .danger")
    page.see("#userid")


run()
