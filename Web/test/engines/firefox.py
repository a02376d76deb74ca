"""Firefox ESR, by WebDriver BiDi, without geckodriver."""
import asyncio
import atexit
import base64
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading

from browser import LIMIT_MS

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Backspace": "\ue003", "ArrowUp": "\ue013",
        "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010"}
PREFERENCES = {
    # A machine without a mouse has a page believe that it is on a phone.
    "ui.primaryPointerCapabilities": 6, "ui.allPointerCapabilities": 6,
    "intl.accept_languages": "en-US", "intl.locale.requested": "en-US",
    # Nothing may ask anybody outside of this machine.
    "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": 9, "network.proxy.no_proxies_on": "127.0.0.1",
    "app.update.disabledForTesting": True, "datareporting.policy.dataSubmissionEnabled": False,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "browser.newtabpage.enabled": False,
    "extensions.update.enabled": False, "extensions.systemAddon.update.enabled": False,
    "services.settings.server": "data:,", "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "toolkit.startup.max_resumed_crashes": -1,
}


class Failure(Exception):
    """What Firefox answers to a command that it does not carry out."""


class Connection:
    """Commands and events of BiDi; a thread reads, so that events come at any time."""

    def __init__(self, url, on_event):
        self.numbers, self.answers, self.on_event = itertools.count(1), {}, on_event
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.socket = self.wait(self.open(url))
        asyncio.run_coroutine_threadsafe(self.read(), self.loop)

    async def open(self, url):
        import websockets
        return await websockets.connect(url, max_size=None, ping_interval=None)

    async def read(self):
        async for text in self.socket:
            message = json.loads(text)
            if "id" in message:
                self.answers.pop(message["id"]).set_result(message)
            else:
                self.on_event(message["method"], message["params"])

    def wait(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(LIMIT_MS / 1000)

    async def ask(self, method, parameters):
        number = next(self.numbers)
        answer = self.answers[number] = self.loop.create_future()
        await self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        return await answer

    def send(self, method, **parameters):
        answer = self.wait(self.ask(method, parameters))
        if answer["type"] == "error":
            raise Failure(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]


class Firefox:
    """A process with its preferences, which outlives the tests that use it."""

    def __init__(self, preferences):
        self.drivers = {}
        self.profile = pathlib.Path(tempfile.mkdtemp(prefix="roost-firefox."))
        atexit.register(self.end)
        (self.profile / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in {**PREFERENCES, **preferences}.items()))
        self.process = subprocess.Popen(
            [os.environ.get("ROOST_FIREFOX", "/usr/bin/firefox-esr"), "--headless", "--no-remote",
             "--profile", str(self.profile), "--remote-debugging-port=0"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True,
            env={**os.environ, "HOME": str(self.profile), "TZ": "UTC", "MOZ_CRASHREPORTER_DISABLE": "1"})
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise AssertionError("Firefox did not start")
        # It stops where nobody reads.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.connection = Connection(f"{found[1]}/session", self.happened)
        self.send = self.connection.send
        self.send("session.new", capabilities={"alwaysMatch": {"unhandledPromptBehavior": {"default": "dismiss"}}})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent",
                                               "browsingContext.userPromptOpened", "browsingContext.contextCreated"])

    def happened(self, method, event):
        context = event.get("source", event).get("context")
        driver = self.drivers.get(context) or self.drivers.get(event.get("originalOpener"))
        if not driver:
            return
        stage = driver.stage
        if method == "log.entryAdded" and event["level"] == "error":
            kind = "console error" if event["type"] == "console" else "page error"
            stage.note(f"{kind}: {event['text']}")
        elif method == "network.beforeRequestSent":
            stage.check_address(event["request"]["url"])
        elif method == "browsingContext.userPromptOpened" and event["type"] != "beforeunload":
            stage.note(f"dialog: {event['type']} {event['message']!r}")
        elif method == "browsingContext.contextCreated" and event.get("originalOpener"):
            stage.note(f"window: {event['url']}")

    def end(self):
        if hasattr(self, "process"):
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Driver:
    """A tab in a container of its own."""

    def __init__(self, stage, firefox):
        self.stage, self.firefox, self.send = stage, firefox, firefox.send
        self.user = self.send("browser.createUserContext")["userContext"]
        self.context = self.send("browsingContext.create", type="tab", userContext=self.user)["context"]
        firefox.drivers[self.context] = self

    def goto(self, url):
        self.send("browsingContext.navigate", context=self.context, url=url, wait="interactive")

    def reload(self):
        self.send("browsingContext.reload", context=self.context, wait="interactive")

    def evaluate(self, expression):
        answer = self.send("script.evaluate", expression=expression, target={"context": self.context},
                           awaitPromise=True, userActivation=False)
        if answer["type"] == "exception":
            raise Failure(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def settle(self):
        """An answer comes after the events before it."""
        self.evaluate("null")

    def act(self, *actions):
        self.send("input.performActions", context=self.context, actions=list(actions))

    def pointer(self, x, y, button):
        self.act({"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": button}, {"type": "pointerUp", "button": button}]})

    def type(self, text):
        self.act({"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]})

    def press(self, key):
        self.type([KEYS.get(key, key)])

    def set_files(self, expression, paths):
        element = self.send("script.evaluate", expression=expression, target={"context": self.context},
                            awaitPromise=False)["result"]
        self.send("input.setFiles", context=self.context, element={"sharedId": element["sharedId"]}, files=paths)

    def resize(self, width, height):
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def picture(self, path):
        path.write_bytes(base64.b64decode(
            self.send("browsingContext.captureScreenshot", context=self.context)["data"]))

    def close(self):
        self.send("browsingContext.close", context=self.context)
        self.send("browser.removeUserContext", userContext=self.user)
        del self.firefox.drivers[self.context]


_running = {}


def open_page(stage, width, height, is_dark=False, is_private=False, blocks_cookies=False):
    preferences = {
        **({"layout.css.prefers-color-scheme.content-override": 0} if is_dark else {}),
        **({"browser.privatebrowsing.autostart": True} if is_private else {}),
        **({"network.cookie.cookieBehavior": 2} if blocks_cookies else {}),
    }
    key = json.dumps(preferences)
    if key not in _running:
        _running[key] = Firefox(preferences)
    driver = Driver(stage, _running[key])
    driver.resize(width, height)
    return driver
