#!/usr/bin/env python3
"""The components for React and Vue, with the real ones: in the examples, and with tokens. Needs ROOST."""

import functools
import pathlib
import subprocess
import tempfile

import playwright
import trame_client

from browser import ROOT, expect, run, same, test, until_same
from conversation_pages import serve

NODE_MODULES = pathlib.Path("/usr/share/nodejs")
STYLE = "body { margin: 0; padding: 16px; font: 16px/1.5 sans-serif; } .chat { height: 480px; border: 1px solid #ccc; }"
# An app that gets its token from a function, shows the chat or not, and is told what the element tells. Each render makes
# another function.
REACT = """
import { StrictMode, createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { RoostChat, RoostLauncher, RoostTextChat } from "@roost/web/react";
window.told = [];
function App() {
  const [state, set] = useState({ shows: true, user: "bob" });
  window.set = (next) => set((before) => ({ ...before, ...next }));
  const token = state.token ?? (() => window.askToken());
  return h("main", null, h("h1", null, "Test"), state.shows && h(RoostChat, {
    server: state.server ?? window.server, token, user: state.user, lang: "en", theme: "dark", className: "chat",
    "data-test": "yes", ref: (element) => (window.chat = element), onReady: () => told.push(["ready", state.user]),
    onMessage: ({ detail }) => told.push(["message", detail.message.text, state.user]) }),
    h(RoostTextChat, { senderID: "1", maxLength: 50,
      onMessageReadyToSend: (event) => told.push(["sent", event.detail.text]) }));
}
createRoot(document.querySelector("#app")).render(h(StrictMode, null, h(App)));
"""
VUE = """
import { createApp, h, reactive } from "vue";
import { RoostChat, RoostTextChat } from "@roost/web/vue";
window.told = [];
const state = reactive({ shows: true, user: "bob" });
window.set = (next) => void Object.assign(state, next);
createApp({ render() {
  const { shows, user } = state;
  const token = state.token ?? (() => window.askToken());
  return h("main", null, [h("h1", null, "Test"), shows && h(RoostChat, {
    server: state.server ?? window.server, token, user, lang: "en", theme: "dark", class: "chat", "data-test": "yes",
    ref: (shown) => (window.chat = shown?.element), onReady: () => told.push(["ready", user]),
    onMessage: ({ detail }) => told.push(["message", detail.message.text, user]) }),
    h(RoostTextChat, { senderId: "1", maxLength: 50,
      onMessageReadyToSend: (event) => told.push(["sent", event.detail.text]) })]);
} }).mount("#app");
"""


@functools.cache
def modules():
    """A folder with the packages that the apps import: Debian's React, the Vue 3 of the package trame-client, and ours."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="roost-web-modules.")) / "node_modules"
    (folder / "@roost").mkdir(parents=True)
    (folder / "@roost/web").symlink_to(ROOT / "Web")
    for name in ("react", "react-dom", "scheduler"):
        (folder / name).symlink_to(NODE_MODULES / name)
    (folder / "vue").mkdir()
    vue = pathlib.Path(trame_client.__file__).parent / "module/vue3-www/vue.global.js"
    (folder / "vue/index.js").write_text(vue.read_text(encoding="utf-8") + "\nmodule.exports = Vue;\n", encoding="utf-8")
    return folder


def build(stage, path, name):
    """Bundles an app, as its developer would, and serves it."""
    folder = stage.folder / "built"
    app = modules().parent / path.name
    app.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run(
        ["esbuild", str(app), "--bundle", "--splitting", "--format=esm", "--charset=utf8", f"--outdir={folder}",
         "--preserve-symlinks", '--define:process.env.NODE_ENV="development"', "--log-level=error"], check=True,
        cwd=modules().parent)
    for file in folder.rglob("*.js"):
        stage.site.add(f"/{name}/{file.relative_to(folder)}", file.read_text(encoding="utf-8"))
    stage.site.add("/app.css", STYLE)
    head = f'<link rel="stylesheet" href="/app.css"><script type="module" src="/{name}/{path.stem}.js"></script>'
    stage.site.add_page(f"/{name}.html", '<div id="app"></div>', head=head)


def world(stage):
    # Vue makes a policy of Trusted Types, which its site has to allow.
    stage.site = stage.new_site(policies="vue")
    server = serve(stage)
    for name in ("ann", "bob", "cat"):
        server.roost("send", "--as", name, "--to", name, "me")
    return server


def count_sockets(page):
    sockets = []
    page.on("websocket", lambda socket: (sockets.append(socket), socket.on("close", lambda _: sockets.remove(socket))))
    return sockets


def example(stage, name):
    server = world(stage)
    server.roost("send", "--as", "cat", "--to", "ann", "roses")
    build(stage, ROOT / f"Examples/web/{name}-app.js", name)
    page = stage.page()
    sockets = count_sockets(page)
    page.goto(f"{stage.site.url}/{name}.html?server={server.url}")
    chat = page.locator("main roost-chat.chat")
    expect(chat.get_by_label("Message", exact=True)).to_be_visible()
    page.get_by_role("button", name="Say hello").click()
    expect(chat.locator(".words").filter(has_text="Hello from the app")).to_be_visible()
    expect(page.locator("#last")).to_have_text("Hello from the app")
    expect(page.locator("#unread")).to_have_text("1")
    expect(page.locator("roost-launcher [part~=badge]")).to_have_text("1")
    page.get_by_role("button", name="Another conversation").click()
    expect(chat.locator(".words").filter(has_text="roses")).to_be_visible()
    expect(page.locator("#unread")).to_have_text("0")
    # The chat and the launcher have one connection each.
    same(len(sockets), 2)
    stage.axe(page)
    stage.shot(page, f"{name}-app")
    for _ in range(2):
        page.get_by_role("button", name="Hide").click()
        expect(chat).to_have_count(0)
        page.get_by_role("button", name="Show").click()
        expect(chat.get_by_label("Message", exact=True)).to_be_visible()
    page.wait_for_function("() => document.querySelector('main roost-chat').client.state === 'live'")
    same(len(sockets), 2)


def with_tokens(stage, name, source):
    server = world(stage)
    path = stage.folder / f"{name}-test.js"
    path.write_text(source, encoding="utf-8")
    build(stage, path, name)
    page = stage.page()
    asked = []

    def token(user):
        return server.roost("token", "--data", f"{server.folder}/data", "--user", user, "--name", user, is_local=True).strip()

    page.expose_function("askToken", lambda: asked.append(1) or token("ann"))
    page.add_init_script(f"window.server = '{server.url}'")
    sockets = count_sockets(page)
    page.goto(f"{stage.site.url}/{name}.html")
    chat = page.locator("roost-chat")
    expect(chat.get_by_label("Message", exact=True)).to_be_visible()
    same(page.evaluate("() => [chat.client.user.userID, chat.localName, chat.dataset.test, chat.getAttribute('theme')]"),
         ["ann", "roost-chat", "yes", "dark"])
    same([len(sockets), len(asked)], [1, 1])
    until_same(page, "() => told", [["ready", "bob"]])
    # Another conversation is shown by the same client, and listeners are those of the last render.
    page.evaluate("() => { window.client = chat.client; set({ user: 'cat' }); }")
    page.wait_for_function("() => chat.conversation?.id.includes('cat')")
    server.roost("send", "--as", "cat", "--to", "ann", "hello")
    until_same(page, "() => told.at(-1)", ["message", "hello", "cat"])
    same(page.evaluate("() => chat.client === client"), True)
    same([len(sockets), len(asked)], [1, 1])
    # Another token that is a text is another user.
    page.evaluate("token => set({ token, user: 'ann' })", token("bob"))
    page.wait_for_function("() => chat?.client?.user.userID === 'bob' && chat.client.state === 'live'")
    same(page.evaluate("() => client.state"), "closed")
    same(len(sockets), 1)
    # What goes while its code is loaded or it connects leaves nothing behind.
    page.evaluate("async () => { for (const shows of [false, true, false]) { set({ shows }); await 0; } }")
    expect(chat).to_have_count(0)
    until_same(page, "() => window.chat ?? null", None)
    same(len(sockets), 0)
    text = page.locator("roost-text-chat")
    text.get_by_label("Message", exact=True).fill("no server")
    text.get_by_label("Message", exact=True).press("Enter")
    until_same(page, "() => told.at(-1)", ["sent", "no server"])
    same(text.evaluate("host => [host.senderID, host.maxLength]"), ["1", 50])


@test("the example in React sends, counts, changes the conversation, and has one connection for each element in StrictMode")
def _(stage):
    example(stage, "react")


@test("the component for React asks a function for tokens, keeps its connection over renders, and leaves none behind")
def _(stage):
    with_tokens(stage, "react", REACT)


@test("the example in Vue sends, counts, changes the conversation, and has one connection for each element")
def _(stage):
    example(stage, "vue")


@test("the component for Vue asks a function for tokens, keeps its connection over renders, and leaves none behind")
def _(stage):
    with_tokens(stage, "vue", VUE)


@test("a server that writes the page of an app in React writes the elements with their attributes")
def _(stage):
    path = modules().parent / "server.mjs"
    path.write_text("""
import { createElement as h } from "react";
import { renderToString } from "react-dom/server";
import { RoostChat, RoostLauncher } from "@roost/web/react";
console.log(renderToString(h(RoostChat, { server: "https://chat.example.com", className: "chat", token: () => "secret",
  onMessage() {} })));
console.log(renderToString(h(RoostLauncher, { greeting: "Hello & welcome" })));
""", encoding="utf-8")
    subprocess.run(["esbuild", str(path), "--bundle", "--platform=node", "--preserve-symlinks", "--format=cjs",
                    "--log-level=error", f"--outfile={path.parent}/server.cjs"], check=True)
    node = pathlib.Path(playwright.__file__).parent / "driver/node"
    done = subprocess.run([str(node), f"{path.parent}/server.cjs"], capture_output=True, text=True, timeout=240)
    same(done.stdout.splitlines(), ['<roost-chat class="chat" server="https://chat.example.com"></roost-chat>',
                                    '<roost-launcher greeting="Hello &amp; welcome"></roost-launcher>'], done.stderr)


run()
