#!/usr/bin/env python3
"""The app and <roost-chat> below a path of another site, behind a proxy that strips it. Needs ROOST."""
import os
import re
import socket
import subprocess
import threading
import types
import urllib.parse

from app_driver import World, agree, row, sign_in, until
from browser import LOST, expect, run, same, test
from conversation_pages import PICTURE, Chat, choose

PREFIX = "/chat/"


class Proxy:
    """A site that has a page of its own, and the server below PREFIX: one request or WebSocket per connection."""

    def __init__(self, stage, server, keeps_host=True):
        self.server, self.others, self.isAway, self.keeps_host = server, [], False, keeps_host
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        stage.trust(self.url)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            head = b""
            while b"\r\n\r\n" not in head:
                read = connection.recv(65536)
                if not read:
                    return
                head += read
            method, target, rest = head.split(b" ", 2)
            path = target.decode()
            if self.isAway or not path.startswith(PREFIX):
                if not self.isAway and path != "/favicon.ico":
                    self.others.append(path)
                connection.sendall(b"" if self.isAway else
                                   b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            head = b" ".join([method, target[len(PREFIX) - 1:], rest])
            if b"upgrade: websocket" not in head.lower():
                first, others = head.split(b"\r\n", 1)
                others = others.replace(b"Connection: keep-alive\r\n", b"", 1)
                head = first + b"\r\nConnection: close\r\n" + others
            place = urllib.parse.urlsplit(self.server.url)
            if not self.keeps_host:
                head = re.sub(rb"\r\n[Hh]ost: [^\r]*", b"\r\nHost: " + place.netloc.encode(), head, count=1)
            try:
                server = socket.create_connection((place.hostname, place.port))
            except OSError:
                # It was stopped.
                return
            with server:
                server.sendall(head)
                threading.Thread(target=self.copy, args=(connection, server), daemon=True).start()
                self.copy(server, connection)

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


@test("behind a proxy that changes the name of the server, the page says both names and what to do")
def _(stage):
    stage.allow(LOST)
    data = f"{stage.folder}/strict"
    # Not in dev mode, in which a server refuses the files of the page, too.
    process = subprocess.Popen([os.environ["ROOST"], "serve", "--data", data, "--port", "0", "--log-level", "error"],
                               stdout=subprocess.PIPE, text=True)
    try:
        url = next(line[6:].strip() for line in process.stdout if line.startswith("ready "))
        words = ["token", "--data", data, "--user", "ann", "--name", "Ann"]
        token = subprocess.run([os.environ["ROOST"], *words], capture_output=True, text=True, check=True).stdout.strip()
        proxy = Proxy(stage, types.SimpleNamespace(url=url), keeps_host=False)
        page = stage.page(f"{proxy.url}{PREFIX}#token={token}")
        agree(page)
        problem = page.get_by_text("--public-url")
        expect(problem).to_be_visible()
        text = problem.text_content()
        same([name in text for name in (proxy.url, urllib.parse.urlsplit(url).netloc)], [True, True], text)
        stage.shot(page, "proxy-changes-name")
    finally:
        process.kill()
        process.wait()


@test("the app works below a path: modules, manifest, worker, connection, files, and a start without the server")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    world.users(bob="Bob")
    proxy = Proxy(stage, world.server)
    page = stage.page(proxy.url + PREFIX)
    sign_in(page, "ann", "Ann Lee")
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    world.single("bob", "ann")
    world.send("bob", "ann:bob", "hello")
    row(page, "Bob").click()
    same(page.url, f"{proxy.url}{PREFIX}#channel=ann%3Abob")
    chat = Chat(page)
    chat.host, chat.menu = page, page.get_by_role("menu")
    choose(chat, "Picture or Video", [PICTURE])
    page.keyboard.press("Enter")
    expect(page.locator(".media.is-loaded")).to_be_visible()
    until(page, """() => document.querySelector("roost-chat").conversation.items.at(-1).state === "sent" """)
    page.reload()
    expect(page.locator(".media.is-loaded")).to_be_visible()
    address = page.locator(".media img").get_attribute("src")
    same(address.startswith(f"{proxy.url}{PREFIX}v1/files/"), True, address)
    manifest = page.evaluate("""async () => {
      const link = document.querySelector("link[rel=manifest]").href;
      const { start_url, scope, icons } = await (await fetch(link)).json();
      const icon = await fetch(new URL(icons[1].src, link));
      return [start_url, scope].map((each) => new URL(each, link).pathname).concat(icon.status);
    }""")
    same(manifest, [PREFIX, PREFIX, 200])
    until(page, "() => Boolean(navigator.serviceWorker.controller)")
    same(page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => new URL(scope).pathname)"), PREFIX)
    kept = page.evaluate("""async () => {
      const cache = await caches.open("roost-app-1 /chat/");
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    }""")
    same({"/chat/", "/chat/app.webmanifest", "/chat/web/app/app.js", "/chat/web/app/badge-96.png",
          "/chat/web/app/notification-words.json"} <= set(kept), True, kept)
    same(proxy.others, [])
    proxy.isAway = True
    page.reload()
    expect(row(page, "Bob")).to_be_visible()
    same(page.evaluate("document.querySelector('roost-chat').client.server"), proxy.url + PREFIX.rstrip("/"))


@test("<roost-chat> takes a server whose address has a path, with or without a slash at its end")
def _(stage):
    stage.allow(LOST)
    site = stage.site
    world = World(stage, "--allow-origin", site.url)
    proxy = Proxy(stage, world.server)
    for number, end in enumerate(("", "/")):
        server = proxy.url + PREFIX.rstrip("/") + end
        path = f"/page{number}.html"
        site.add_page(path, f'<main><h1>Test</h1><roost-chat id="chat0" server="{server}" guest="ann Ann" '
                            f'channel="lobby"></roost-chat></main>', 'import "/web/roost-chat.js";')
        chat = Chat(stage.page(path))
        chat.write(f"hello {number}")
        chat.until_sent(f"hello {number}")
        choose(chat, "Picture or Video", [PICTURE])
        chat.send.click()
        expect(chat.host.locator(".media.is-loaded").last).to_be_visible()
    same(proxy.others, [])


run()
