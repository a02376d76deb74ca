"""The harness of the browser tests: Playwright (from PyPI) with Debian's Chromium.

A test file is a script:

    from browser import expect, run, same, test

    @test("a message that is sent appears at the other user's [J-34]")
    def _(stage):
        server = stage.server("--allow-origin", stage.site.url)     # a real `roost serve --dev`; needs ROOST
        page = stage.page("/Examples/web/chat.html", width=320, height=568, is_dark=True)
        expect(page.get_by_role("textbox")).to_be_visible()         # waits; there are no sleeps in tests
        same(page.evaluate("() => document.title"), "Chat")
        stage.axe(page)                                             # fails unless there are 0 violations
        stage.shot(page, "chat-phone-dark")

    run()

It prints one line per test, `ok - NAME` or `FAIL - NAME: why`, and exits with 1 if one failed. With ROOST_RETRY=1 in
the environment, as dev/test sets it, a test that fails is run once more, after a line `RETRY - NAME: why`. Words on
the command line choose the tests whose names contain them all; `--list` only prints the names. A name ends with the
ids that it proves, in brackets, and is a plain string, as dev/features reads it from the source.

A test fails, too, on everything that must never happen in its pages: an uncaught error, console.error, a violation of
the content security policy, a request to an address that is not of this test, a dialog or a window that opened. If it
provokes one of them, it says so first: `stage.allow(r"console error: .*WebSocket")`.

`stage` is new for each test:

    stage.site          a web server for static files, with a strict CSP: /web/ is Web/src, as `roost serve` has it,
                        and /Web/src/ and /Examples/web/ are as in the repository. site.add("/x.html", text) adds a
                        page; inline scripts and styles do not run.
    stage.new_site(…)   one more, which is another origin; see Site.
    stage.server(…)     a new `roost serve --dev` with a folder of its own; kill(), start() again on the same port,
                        url, folder, roost("send", …) for the command line.
    stage.page(path, …) a page in a new context (its own storage); path may be a whole URL. See EMULATION for what
                        can be emulated. stage.tab(page, path) opens another one in the same context.
    stage.slow(page, 4) slows the processor down by this factor.
    stage.axe(page)     axe-core over the page and its frames, in an isolated world that no policy blocks.
    stage.shot(page or locator, "name")   a screenshot, if the environment names a folder in ROOST_SCREENSHOTS.
    stage.allow(regex)  such problems do not count.
    stage.trust(url)    requests to this origin are not foreign.
    stage.folder        a temporary folder.

Time: `stop_clock(page, "2025-06-03T10:05:00Z")` before it goes anywhere, then `page.clock.run_for(ms)`. Right-to-left:
`set_language(page, "ar")`. Some frames later: `frames(page)`; a page's requestAnimationFrame stops with its clock.
Chromium is /usr/bin/chromium unless the environment names another one in ROOST_CHROMIUM; ROOST_TIMES prints how long
each test took. ROOST_SLOW=6 slows every page down by that factor, which finds tests that depend on time. To be
installed with pip: playwright, axe-playwright-python. The scripts engines_*.py run in Firefox and WebKit, too: see
engines/engine.py.
"""
import argparse
import contextlib
import datetime
import functools
import http.server
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse

from playwright.sync_api import Page, TimeoutError, expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "Web/src"
EXAMPLES = ROOT / "Examples/web"
# With ROOST_EMBEDDED the pages load what ships: the bundle. Pictures and words beside it are those of Web/src.
BUNDLE = [("/web/", ROOT / "Web/bundle")] if os.environ.get("ROOST_EMBEDDED") else []
FOLDERS = (*BUNDLE, ("/web/", SOURCES), ("/Web/src/", SOURCES), ("/Examples/web/", EXAMPLES))
# Long, as others may use the processor; nothing waits for it unless it fails.
LIMIT_MS = 60_000
# What Chromium says of a server that cannot be reached, of the service worker's script too: for stage.allow.
LOST = r"console error: (WebSocket|Failed to load resource|.* when fetching the script)"
CHROMIUM = os.environ.get("ROOST_CHROMIUM", "/usr/bin/chromium")
# Names are not looked up, so that nothing can leave this machine.
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json",
    ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg",
    ".webp": "image/webp", ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8", ".mp4": "video/mp4",
    ".webm": "video/webm", ".ogg": "audio/ogg", ".woff2": "font/woff2",
}
# Stricter than what an app needs. Nothing may be made from a string; connections may go to any port of this machine.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: http://127.0.0.1:*; "
    "media-src 'self' blob: http://127.0.0.1:*; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "connect-src 'self' http://127.0.0.1:* ws://127.0.0.1:*; frame-src 'self'; frame-ancestors 'self'; "
    "base-uri 'none'; form-action 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types {}")

EMULATION = """\
width, height   the size of the window in CSS pixels (1280 × 800)
zoom            the zoom of the browser: 2 halves the CSS pixels of the window and doubles what each is drawn with
scale           device pixels per CSS pixel (1)
is_dark, has_forced_colors, has_reduced_motion      the user's preferences
has_touch       a phone: touch, and the viewport of its meta element
locale, timezone        ("en-US", "UTC")
permissions     a list, such as ["notifications"]
storage_state   what another context's storage_state() has returned: cookies and local storage, as after a restart
"""

_tests = []


def test(name):
    """Declares a test; the function gets a Stage."""
    def declare(function):
        _tests.append((name, function))
        return function
    return declare


def same(found, wanted, about=""):
    """Fails with both values if they differ."""
    if found != wanted:
        raise AssertionError(f"{about + ': ' if about else ''}found {found!r} instead of {wanted!r}")


def until_same(page, script, wanted):
    """Waits until what a script of the page returns is the same, as JSON has it; fails with both values."""
    try:
        page.wait_for_function(f"wanted => JSON.stringify(({script})() ?? null) === JSON.stringify(wanted)", arg=wanted)
    except TimeoutError:
        same(page.evaluate(script), wanted)
        raise


def until_answered(ask, wanted):
    """Waits until what a function returns is the same, for what no page tells, such as an answer of the server."""
    end = time.monotonic() + LIMIT_MS / 1000
    while (found := ask()) != wanted:
        if time.monotonic() > end:
            same(found, wanted)
        time.sleep(0.02)


def set_language(page, language):
    """Sets the language of the document, and with it its direction."""
    page.evaluate("""language => {
      document.documentElement.lang = language;
      document.documentElement.dir = /^(ar|he|fa|ur)\\b/.test(language) ? "rtl" : "ltr";
    }""", language)


def stop_clock(page, time):
    """Stops the clock of a page at an ISO time, before it goes anywhere; `page.clock.run_for(ms)` moves it on.

    Only timers and dates obey: transitions, animations and scrolling go on.
    """
    moment = datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))
    # It cannot be stopped in the past, and it runs from the moment that it is installed.
    page.clock.install(time=moment - datetime.timedelta(hours=1))
    page.clock.pause_at(moment)


def frames(page):
    """Waits for two frames: then scroll events and size observers have run, also while the clock is stopped."""
    page.evaluate("""async () => {
      for (let i = 0; i < 2; i += 1) {
        await new Promise(done => new IntersectionObserver((_, observer) => {
          observer.disconnect();
          done();
        }).observe(document.documentElement));
      }
    }""")


class Site:
    """A web server for static files on 127.0.0.1, with a strict policy on each answer.

    `folders` are the pairs of a path that ends in "/" and a folder; the longest path counts. `policies` are the names
    of the Trusted Types policies that the pages may create, 'none' by default. `headers` replaces or adds headers.
    """

    def __init__(self, folders=FOLDERS, policies="'none'", headers=None):
        self.folders = sorted(((path, pathlib.Path(folder).resolve()) for path, folder in folders),
                              key=lambda pair: -len(pair[0]))
        self.headers = {"Content-Security-Policy": POLICY.format(policies), "Cache-Control": "no-store",
                        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", **(headers or {})}
        self.added, self.requests = {}, []
        self.httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, self))
        self.httpd.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.httpd.server_address[1]}"
        threading.Thread(target=self.httpd.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def add(self, path, content, media_type=None):
        """Adds or replaces a file at a path; returns its URL."""
        body = content.encode() if isinstance(content, str) else content
        self.added[path] = (media_type or MEDIA_TYPES[pathlib.PurePosixPath(path).suffix], body)
        return self.url + path

    def add_page(self, path, body="", script="", language="en", title="Test", head=""):
        """Adds a page with a heading-free body and a module as its only script; returns its URL."""
        if script:
            self.add(path + ".js", script)
            head += f'<script type="module" src="{path}.js"></script>'
        return self.add(path, f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
                              f'<meta name="viewport" content="width=device-width"><title>{title}</title>{head}</head>'
                              f"<body>{body}</body></html>", MEDIA_TYPES[".html"])

    def find(self, path):
        """The media type and the content at a path, or None."""
        if path in self.added:
            return self.added[path]
        for prefix, folder in self.folders:
            if path.startswith(prefix):
                file = (folder / path.removeprefix(prefix)).resolve()
                if file.is_dir():
                    file /= "index.html"
                if file.is_relative_to(folder) and file.is_file():
                    return MEDIA_TYPES.get(file.suffix, "application/octet-stream"), file.read_bytes()
        return None

    def close(self):
        self.httpd.shutdown()
        self.httpd.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, site, *arguments):
        self.site = site
        super().__init__(*arguments)

    def do_GET(self):
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        self.site.requests.append(self.path)
        found = self.site.find(path)
        # A browser asks for an icon by itself.
        status = 200 if found else 204 if path == "/favicon.ico" else 404
        media_type, body = found or ("text/plain; charset=utf-8", b"" if status == 204 else b"There is no such file.\n")
        self.send_response(status)
        for name, value in {"Content-Type": media_type, **self.site.headers}.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server:
    """A `roost serve --dev` of its own; killed and started again it keeps its folder and its port."""

    # What it always needs besides `words`, which a test may change.
    shared = ()

    def __init__(self, folder, *words):
        self.folder, self.port, self.words, self.process = str(folder), 0, words, None
        self.start()

    def start(self, data="data"):
        """Starts it and waits until it accepts connections."""
        self.process = subprocess.Popen(
            [os.environ["ROOST"], "serve", "--dev", "--data", f"{self.folder}/{data}", "--port", str(self.port),
             "--log-level", "error", *self.words, *self.shared],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        for line in self.process.stdout:
            if line.startswith(b"ready "):
                self.url = line[6:].decode().strip()
                self.port = int(self.url.rsplit(":", 1)[1])
                return
        raise AssertionError("roost serve did not get ready")

    def kill(self, how=signal.SIGKILL):
        """Ends it by a signal and waits for its end."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait()
        self.process.stdout.close()

    def roost(self, *words, text=None, is_local=False):
        """Runs the command line against it and returns what it printed; `is_local` for commands without a server."""
        connection = [] if is_local else ["--server", self.url, "--profile", f"{self.folder}/cli"]
        done = subprocess.run(
            [os.environ["ROOST"], *words, *connection], input=text, capture_output=True, text=True, timeout=240)
        if done.returncode:
            raise AssertionError(f"roost {' '.join(words)}: {done.stderr}")
        return done.stdout


class Stage:
    """What one test has: its pages, its servers, and the problems that were seen."""

    def __init__(self, chromium, name):
        self.chromium, self.name = chromium, name
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="roost-web."))
        self.contexts, self.sites, self.servers, self.problems, self.allowed = [], [], [], [], []
        self.origins, self.sessions, self.is_opening = set(), {}, False

    @functools.cached_property
    def site(self):
        """The web server of this test, started when it is first used."""
        return self.new_site()

    def new_site(self, *arguments, **options):
        """One more web server, which is another origin: see Site."""
        self.sites.append(Site(*arguments, **options))
        self.trust(self.sites[-1].url)
        return self.sites[-1]

    @functools.cached_property
    def kind(self):
        """What stands for a server: two of them with ROOST_TEST_STORE=servers."""
        if os.environ.get("ROOST_TEST_STORE") != "servers":
            return Server
        # It imports this module.
        import several
        return several.Servers

    def server(self, *words):
        """Starts a Roost server of its own with these further options."""
        folder = self.folder / f"server{len(self.servers)}"
        folder.mkdir()
        self.servers.append(self.kind(folder, *words))
        self.trust(self.servers[-1].url)
        return self.servers[-1]

    def trust(self, url):
        """Requests to the origin of this URL are not foreign."""
        self.origins.add(urllib.parse.urlsplit(url).netloc)

    def allow(self, pattern):
        """Problems in which the pattern is found do not count in this test."""
        self.allowed.append(re.compile(pattern))

    def context(self, width=1280, height=800, zoom=1, scale=1, is_dark=False, has_forced_colors=False,
                has_reduced_motion=False, has_touch=False, locale="en-US", timezone="UTC", permissions=None,
                storage_state=None):
        """A browser context, which has its own storage: see EMULATION."""
        return self.watch(self.chromium.new_context(
            viewport={"width": round(width / zoom), "height": round(height / zoom)}, device_scale_factor=scale * zoom,
            color_scheme="dark" if is_dark else "light", forced_colors="active" if has_forced_colors else "none",
            reduced_motion="reduce" if has_reduced_motion else "no-preference", has_touch=has_touch,
            is_mobile=has_touch, locale=locale, timezone_id=timezone, permissions=permissions or [],
            storage_state=storage_state))

    def watch(self, context):
        """Notes what must never happen in a context, and closes it with the test."""
        context.set_default_timeout(LIMIT_MS)
        context.on("console", lambda message: message.type == "error" and self.note(
            f"console error: {message.text} {message.location['url']}".rstrip()))
        context.on("weberror", lambda error: self.note(f"page error: {error.error}"))
        context.on("request", lambda request: self.check_address(request.url))
        context.on("dialog", self.refuse)
        context.on("page", self.opened)
        self.contexts.append(context)
        return context

    def page(self, path=None, **emulation):
        """A page in a new context; with a path of `site` or a URL it goes there."""
        return self.open(self.context(**emulation), path)

    def tab(self, page, path=None):
        """One more page beside another one, with the same storage."""
        return self.open(page.context, path)

    def open(self, context, path=None):
        self.is_opening = True
        page = context.new_page()
        self.is_opening = False
        if factor := os.environ.get("ROOST_SLOW"):
            self.slow(page, float(factor))
        if path:
            page.goto(path if "://" in path else self.site.url + path)
        return page

    def session(self, page):
        """The DevTools session of a page, made once."""
        if page not in self.sessions:
            self.sessions[page] = page.context.new_cdp_session(page)
        return self.sessions[page]

    def slow(self, page, factor):
        """Slows the processor down for this page; 1 ends it."""
        self.session(page).send("Emulation.setCPUThrottlingRate", {"rate": factor})

    def shot(self, target, name, **options):
        """Takes a screenshot of a page or a locator, with animations at their end; returns the file or None."""
        folder = os.environ.get("ROOST_SCREENSHOTS")
        if not folder:
            return None
        file = pathlib.Path(folder) / f"{name}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        target.screenshot(path=file, animations="disabled", caret="hide", **options)
        return file

    def axe(self, page, options=None):
        """Fails unless axe-core finds 0 violations in the page and its frames of the same origin.

        Returns the sentences about what axe could not decide by itself.
        """
        page.evaluate(FINISH_ANIMATIONS)
        session = self.session(page)
        violations, undecided = [], []
        pending = [session.send("Page.getFrameTree")["frameTree"]]
        while pending:
            tree = pending.pop()
            pending += tree.get("childFrames", [])
            world = session.send("Page.createIsolatedWorld", {"frameId": tree["frame"]["id"], "worldName": "axe"})
            at = {"contextId": world["executionContextId"], "returnByValue": True, "awaitPromise": True}
            session.send("Runtime.evaluate", {"expression": axe_source() + "; 0", **at})
            answer = session.send("Runtime.evaluate", {"expression": AXE_RUN % (options or "{}"), **at})
            if "exceptionDetails" in answer:
                raise AssertionError(f"axe: {answer['exceptionDetails']['exception'].get('description')}")
            for found in answer["result"]["value"]["violations"]:
                violations.append(f"{tree['frame']['url']} {found}")
            # That a frame must be looked at, too, is no question: it is.
            undecided += [found for found in answer["result"]["value"]["incomplete"] if "frame-tested" not in found]
        if violations:
            raise AssertionError(f"{len(violations)} axe violations\n" + "\n".join(violations))
        return undecided

    # What must never happen.

    def note(self, problem):
        self.problems.append(problem)

    def check_address(self, url):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("data", "blob", "about", "chrome-error") and parts.netloc not in self.origins:
            self.note(f"foreign request: {url}")

    def refuse(self, dialog):
        if dialog.type != "beforeunload":
            self.note(f"dialog: {dialog.type} {dialog.message!r}")
        dialog.dismiss()

    def opened(self, page: Page):
        if not self.is_opening:
            self.note(f"window: {page.url}")
        page.on("websocket", lambda socket: self.check_address(socket.url))

    def unexpected(self):
        return [problem for problem in self.problems if not any(pattern.search(problem) for pattern in self.allowed)]

    def show_failure(self):
        """A picture of each page of a failed test."""
        pages = [page for context in self.contexts for page in context.pages]
        name = re.sub(r"[^a-z0-9]+", "-", self.name.lower())[:60].strip("-")
        for number, page in enumerate(pages):
            with contextlib.suppress(Exception):
                self.shot(page, f"FAIL-{name}-{number}", timeout=5_000)

    def close_contexts(self):
        while self.contexts:
            with contextlib.suppress(Exception):
                self.contexts.pop().close()

    def close(self):
        self.close_contexts()
        for server in self.servers:
            server.kill()
        for site in self.sites:
            site.close()
        shutil.rmtree(self.folder, ignore_errors=True)


# Colours in the middle of a transition are nobody's fault. Animations without an end are left alone.
FINISH_ANIMATIONS = """() => {
  const visit = root => {
    for (const animation of root.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) visit(element.shadowRoot);
  };
  visit(document);
}"""

AXE_RUN = """(async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await axe.run(document, { runOnly: { type: "tag", values: tags }, iframes: false,
    resultTypes: ["violations", "incomplete"], ...%s });
  const lines = rules => rules.flatMap(rule => rule.nodes.map(node =>
    `${rule.id} at ${JSON.stringify(node.target)}: ${[...node.any, ...node.all, ...node.none]
      .map(check => check.message).join(" ")} ${node.html.slice(0, 200)}`));
  return { violations: lines(found.violations), incomplete: lines(found.incomplete) };
})()"""


@functools.cache
def axe_source():
    # The package exports axe-core's source as a string; what it does with it beyond that is not used.
    from axe_playwright_python.base import AXE_SCRIPT
    return AXE_SCRIPT


def why(error):
    """A failure in words: its places in the test files, from the test inwards, and its message."""
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__
              and pathlib.Path(frame.filename).is_relative_to(pathlib.Path(__file__).parent)]
    place = "".join(f"line {frame.lineno} `{frame.line}`: " for frame in places)
    text = str(error).strip() or type(error).__name__
    return place + (text if isinstance(error, AssertionError) else f"{type(error).__name__}: {text}")


def perform(chromium, name, function):
    """Runs one test; returns why it failed, or None."""
    stage = Stage(chromium, name)
    reason = None
    try:
        function(stage)
    except Exception as error:  # Whatever it is, the next test must run.
        reason = why(error)
    try:
        if problems := stage.unexpected():
            reason = "; ".join(filter(None, [reason, *problems[:10]]))
        if reason:
            stage.show_failure()
    finally:
        stage.close()
    return reason


def line(state, name, reason):
    return f"{state} - {name}: " + reason.replace("\n", "\n    ")


def run():
    """Runs the declared tests that the command line chooses, prints a line for each, and exits."""
    parser = argparse.ArgumentParser(description="Browser tests; each prints a line.")
    parser.add_argument("words", nargs="*", help="only the tests whose names contain all of these words")
    parser.add_argument("--list", action="store_true", help="only print the names")
    options = parser.parse_args()
    chosen = [(name, function) for name, function in _tests if all(word in name for word in options.words)]
    if options.list:
        print("\n".join(name for name, _ in chosen))
        sys.exit(0)
    for sign in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, lambda *_: sys.exit(143))
    expect.set_options(timeout=LIMIT_MS)
    failed = 0
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        for name, function in chosen:
            began = time.monotonic()
            reason = perform(chromium, name, function)
            if reason is not None and os.environ.get("ROOST_RETRY"):
                print(line("RETRY", name, reason), flush=True)
                reason = perform(chromium, name, function)
            failed += reason is not None
            if reason is None:
                print(f"ok - {name}", flush=True)
            else:
                print(line("FAIL", name, reason), flush=True)
            if os.environ.get("ROOST_TIMES"):
                print(f"    {time.monotonic() - began:.1f} s", flush=True)
        chromium.close()
    print(f"{len(chosen) - failed} of {len(chosen)} browser tests passed")
    sys.exit(1 if failed or not chosen else 0)
