#!/usr/bin/env python3
"""What a page of an origin that the server does not allow shows in place of the chat. Needs ROOST, the server's binary."""

from browser import expect, run, same, test

SCRIPT = 'import "/web/roost-chat.js"; import "/web/roost-launcher.js";'


def enter(stage, body):
    stage.site.add("/page.css", "roost-chat { height: 400px; }")
    stage.site.add_page("/page.html", f"<main><h1>Test</h1>{body}</main>", SCRIPT,
                        head='<link rel="stylesheet" href="/page.css">')
    page = stage.page()
    said = []
    page.on("console", lambda message: message.type == "error" and said.append(message.text))
    page.goto(stage.site.url + "/page.html")
    return page, said


@test("a page whose origin is not allowed shows the option that allows it in place of the chat, and logs it")
def _(stage):
    stage.allow(r"console error: .*(WebSocket|403|--allow-origin)")
    server, origin = stage.server(), stage.site.url
    page, said = enter(stage, f'<roost-chat server="{server.url}" guest="ann Ann" channel="lobby" lang="en"></roost-chat>')
    notice = page.locator("roost-chat").get_by_role("alert").filter(has_text="may not use the chat")
    expect(notice).to_contain_text(f"{server.url} does not let pages of {origin} connect.")
    expect(notice.locator("code")).to_have_text(f"--allow-origin {origin}")
    # After the time in which a slow connection is told, too.
    page.wait_for_function("() => performance.now() > 3_000")
    expect(page.locator("roost-chat [part~=connection]")).to_be_hidden()
    same([text for text in said if "--allow-origin" in text],
         [f"{server.url} does not let pages of {origin} connect. Start it with --allow-origin {origin}."])
    stage.axe(page)
    stage.shot(page, "origin-refused")


@test("the launcher shows the option in its panel, too, in the language of the page")
def _(stage):
    stage.allow(r"console error: .*(WebSocket|403|--allow-origin)")
    server = stage.server()
    page, _ = enter(stage, f'<roost-launcher server="{server.url}" guest="ann Ann" lang="ar"></roost-launcher>')
    page.locator("roost-launcher [part~=button]").click()
    code = page.locator("roost-launcher roost-chat code")
    expect(code).to_have_text(f"--allow-origin {stage.site.url}")
    expect(page.locator("roost-launcher roost-chat").get_by_role("alert").first).to_contain_text("لا يُسمح لهذه الصفحة")
    stage.axe(page)
    stage.shot(page, "origin-refused-launcher")


@test("a server that is away is no reason for that, and an allowed origin chats")
def _(stage):
    stage.allow(r"console error: .*(WebSocket|Failed to load resource)")
    server = stage.server("--allow-origin", stage.site.url)
    server.kill()
    page, said = enter(stage, f'<roost-chat server="{server.url}" guest="ann Ann" channel="lobby" lang="en"></roost-chat>')
    expect(page.locator("roost-chat [part~=connection]")).to_contain_text("Connect now")
    server.start()
    page.evaluate("() => document.querySelector('roost-chat').client.wake()")
    expect(page.locator("roost-chat").get_by_label("Message", exact=True)).to_be_visible()
    same([text for text in said if "--allow-origin" in text], [])


run()
