"""WebKitGTK, by WebKitWebDriver, with a screen of Xvfb."""
import atexit
import contextlib
import functools
import glob
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from browser import LIMIT_MS
from engines.firefox import KEYS

# So long the driver may take to leave a page before it is asked again.
PATIENCE_MS = 5_000
# So long it may take to open its window. On a busy machine about one of nine windows never opens.
OPENING_MS = 20_000
# Larger than any window of a test.
SCREEN = "1600x1200"
# The engine tells nobody of errors, so the page collects them. A document that has just begun has no listeners yet.
WATCH = """if (!window.problemsSeen) {
  const note = (text) => problemsSeen.push(text);
  window.problemsSeen = [];
  addEventListener("error", ({ message }) => message && note(`page error: ${message}`));
  addEventListener("unhandledrejection", ({ reason }) => note(`page error: ${reason}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    note(`console error: policy: ${violatedDirective} ${blockedURI}`));
  const log = console.error.bind(console);
  console.error = (...words) => {
    note(`console error: ${words.join(" ")}`);
    log(...words);
  };
}"""


class Failure(Exception):
    """What the driver answers to a command that it does not carry out."""


class NoAnswer(Exception):
    """The driver has not answered a command in time. It never does so later, and its window is of no use any more."""


@functools.cache
def display():
    """The screen of all pages, which ends with this process."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SCREEN}x24", "-nolisten", "tcp"],
                              pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(lambda: (server.terminate(), server.wait()))
    os.close(write)
    with os.fdopen(read) as answer:
        return f":{answer.readline().strip()}"


class Driver:
    """A window with a driver of its own, as each has one session. Its storage is in memory only."""

    def __init__(self, stage, words):
        self.stage, self.folder = stage, tempfile.mkdtemp(prefix="roost-webkit.")
        self.watch_addresses()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        # In a process group of its own, so that its window ends with it.
        self.process = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], stdout=subprocess.DEVNULL, start_new_session=True,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env={
                **os.environ, "DISPLAY": display(), "XDG_RUNTIME_DIR": self.folder, "HOME": self.folder,
                "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1", "TZ": "UTC",
                "LANG": "en_US.UTF-8", "LANGUAGE": "en_US"})
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.path = ""
        try:
            self.limit(OPENING_MS)
            self.begin(words)
            # Longer than any script may take.
            self.limit(LIMIT_MS + PATIENCE_MS)
        except BaseException:
            self.close()
            raise

    def limit(self, milliseconds):
        """Sets for how long an answer is waited for."""
        self.connection.close()
        self.connection.timeout = milliseconds / 1000

    def begin(self, words):
        """Has the driver open its window."""
        self.until_ready()
        browser = glob.glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser")[0]
        # Not "eager": a script that comes while a style sheet is being loaded gets no answer for a minute.
        answer = self.send("POST", "/session", capabilities={"alwaysMatch": {
            "timeouts": {"script": LIMIT_MS, "pageLoad": LIMIT_MS}, "pageLoadStrategy": "normal",
            "proxy": {"proxyType": "manual", "httpProxy": f"127.0.0.1:{self.proxy.getsockname()[1]}",
                      "sslProxy": f"127.0.0.1:{self.proxy.getsockname()[1]}", "noProxy": ["127.0.0.1"]},
            "webkitgtk:browserOptions": {"binary": browser, "args": ["--automation", *words]}}})
        self.path = f"/session/{answer['sessionId']}"

    def watch_addresses(self):
        """A proxy for all other machines, which passes nothing on: who asks it wants something foreign."""
        self.proxy = socket.create_server(("127.0.0.1", 0))

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    with self.proxy.accept()[0] as connection:
                        wanted = connection.recv(200).decode(errors="replace").splitlines()
                        self.stage.note(f"foreign request: {wanted[:1]}")
        threading.Thread(target=accept, daemon=True).start()

    def until_ready(self):
        end = time.monotonic() + LIMIT_MS / 1000
        while True:
            try:
                return self.send("GET", "/status")
            except OSError:
                self.connection.close()
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def send(self, method, path, **body):
        self.connection.request(method, self.path + path, json.dumps(body) if method == "POST" else None,
                                {"Content-Type": "application/json"})
        try:
            answer = json.loads(self.connection.getresponse().read())["value"]
        except TimeoutError as error:
            self.connection.close()
            raise NoAnswer(f"WebKit's driver gave no answer to {method} {path}") from error
        if isinstance(answer, dict) and "error" in answer:
            raise Failure(f"{path}: {answer['error']}: {answer['message']}")
        return answer

    def goto(self, url):
        self.leave("/url", url=url)

    def reload(self):
        self.leave("/refresh")

    def leave(self, path, **body):
        """Goes to a document, and waits until it has begun."""
        self.send("POST", "/execute/sync", args=[], script="window.isOld = true")
        start = time.monotonic()
        # Now and then the driver says that a page was left, and the window does nothing. It does at the second try.
        for attempt in range(LIMIT_MS // PATIENCE_MS):
            self.send("POST", path, **body)
            while self.is_old():
                if time.monotonic() > start + (attempt + 1) * PATIENCE_MS / 1000:
                    break
            else:
                return
        raise AssertionError(f"the page was never left for {body or 'itself'}")

    def is_old(self):
        """Whether the document is the one that is being left."""
        try:
            # Not asynchronous: such a script may get no answer if the next document begins meanwhile.
            return self.send("POST", "/execute/sync", args=[],
                             script="return window.isOld ?? location.href === 'about:blank'")
        except Failure:
            return True

    def evaluate(self, expression):
        found = self.send("POST", "/execute/async", args=[], script=f"""const done = arguments[arguments.length - 1];
          {WATCH}
          const end = (value, error) => done([value, error, problemsSeen.splice(0)]);
          ({expression}).then((value) => end(value), (error) => end(null, String(error)));""")
        if found is None:
            self.refuse_dialog()
            raise Failure("the page has left, or a dialog has stopped it")
        value, error, problems = found
        for problem in problems:
            self.stage.note(problem)
        if error:
            raise Failure(error)
        return value

    def refuse_dialog(self):
        with contextlib.suppress(Failure):
            self.stage.note(f"dialog: {self.send('GET', '/alert/text')!r}")
            self.send("POST", "/alert/dismiss")

    def settle(self):
        """Notes what has gone wrong since the last call."""
        self.evaluate("(async () => null)()")
        if len(self.send("GET", "/window/handles")) > 1:
            self.stage.note("window: another one")

    def act(self, *actions):
        self.send("POST", "/actions", actions=list(actions))

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
        element = self.send("POST", "/execute/sync", args=[], script=f"return {expression};")
        self.send("POST", f"/element/{next(iter(element.values()))}/value", text="\n".join(paths))

    def resize(self, width, height):
        """Sets the window so that the page in it has the size."""
        for _ in range(3):
            window, (inner_width, inner_height) = self.send("GET", "/window/rect"), self.inner()
            if (inner_width, inner_height) == (max(width, inner_width), height) and inner_width <= max(width, 447):
                return
            self.send("POST", "/window/rect", x=0, y=0, width=window["width"] + width - inner_width,
                      height=window["height"] + height - inner_height)

    def inner(self):
        return json.loads(self.evaluate("(async () => JSON.stringify([innerWidth, innerHeight]))()"))

    def picture(self, path):
        """From the screen, as the driver's own pictures hang now and then."""
        window, (width, height) = self.send("GET", "/window/rect"), self.inner()
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-f", "x11grab", "-draw_mouse", "0",
                        "-video_size", f"{width}x{height}",
                        "-i", f"{display()}+{window['x']},{window['y'] + window['height'] - height}",
                        "-frames:v", "1", str(path)], check=True, stdin=subprocess.DEVNULL)

    def close(self):
        self.limit(PATIENCE_MS)
        if self.path:
            with contextlib.suppress(Failure, NoAnswer, OSError, http.client.HTTPException):
                self.send("DELETE", "")
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.connection.close()
        self.proxy.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def open_page(stage, width, height, is_dark=False):
    """Every window that is driven is a private one."""
    driver = Driver(stage, ["--dark-mode"] if is_dark else [])
    driver.resize(width, height)
    return driver
