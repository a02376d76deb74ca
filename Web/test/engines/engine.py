"""One page in any of the three engines, as the tests see and drive it.

    from engines.engine import each_engine, run

    @each_engine("a message that is sent appears")
    def _(stage, browser):
        page = browser.page(width=390, height=844)
        page.goto(url)
        page.click("button", "Send")        # waits until it is there and nothing covers it
        page.type("hello"); page.press("Enter")
        page.see(".bubble", "hello")

    run()

The test runs once per engine, and its name begins with that of the engine. ROOST_ENGINES="Firefox WebKit" leaves out
the others; so does a word on the command line, such as "Firefox:". `stage` is that of browser.py, and its rules hold: a
console error, an uncaught one, a violation of the policy or a foreign request fails the test.

An element is named by a selector, which also finds what is in shadow roots, and a text or label. While a dialog is open
it is looked for in there, as nothing else can be pressed.
"""
import functools
import json
import os
import pathlib
import re
import time

from browser import LIMIT_MS, run, test
from engines import chromium, firefox, webkit

__all__ = ["Page", "each_engine", "file_name", "run"]

ENGINES = {"Chromium": chromium, "Firefox": firefox, "WebKit": webkit}
HELPERS = (pathlib.Path(__file__).parent / "helpers.js").read_text(encoding="utf-8")
# Now and then WebKit's driver gives no answer, above all while its window opens or a document begins. That says
# nothing about the page, so the test begins anew.
ATTEMPTS = 4


def each_engine(name, without=()):
    """Declares a test in each engine that is chosen; the function gets a Stage and the Browser."""
    chosen = os.environ.get("ROOST_ENGINES", "").replace(",", " ").split() or list(ENGINES)
    if unknown := set(chosen) - set(ENGINES):
        raise SystemExit(f"ROOST_ENGINES has {', '.join(unknown)}; it may have {', '.join(ENGINES)}")

    def declare(function):
        for engine, module in ENGINES.items():
            if engine in chosen and engine not in without:
                test(f"{engine}: {name}")(functools.partial(perform, function, engine, module))
        return function
    return declare


def perform(function, engine, module, stage):
    for attempt in range(ATTEMPTS):
        browser = Browser(stage, engine, module)
        try:
            function(stage, browser)
            for page in browser.pages:
                page.driver.settle()
            return
        except webkit.NoAnswer as reason:
            if attempt + 1 == ATTEMPTS:
                raise
            print(f"# attempt {attempt + 2}: {reason}", flush=True)
            stage.close_contexts()


class Browser:
    """An engine within one test."""

    def __init__(self, stage, name, module):
        self.stage, self.name, self.module, self.pages = stage, name, module, []

    def page(self, url=None, width=1280, height=800, **wishes):
        """A page with storage of its own. Wishes: is_dark, is_private, blocks_cookies."""
        page = Page(self.stage, self.name, self.module.open_page(self.stage, width, height, **wishes))
        self.pages.append(page)
        # Those of Chromium are the stage's own.
        if self.module is not chromium:
            self.stage.contexts.append(page)
        if url:
            page.goto(url)
        return page


class Page:
    """A page. `driver` is what the engine's file has: goto, reload, evaluate, settle, pointer, press, type, set_files,
    resize, picture, close."""

    def __init__(self, stage, engine, driver):
        self.stage, self.engine, self.driver = stage, engine, driver
        # What stage.show_failure looks at.
        self.pages = [self]

    def goto(self, url):
        self.driver.goto(url)

    def reload(self):
        self.driver.reload()

    def resize(self, width, height):
        """Sets the size of the viewport; WebKit's is never narrower than 447 px."""
        self.driver.resize(width, height)

    def run(self, script, *arguments):
        """What a function of the page returns, which may be a promise; arguments and result are JSON."""
        words = ", ".join(json.dumps(argument) for argument in arguments)
        return json.loads(self.driver.evaluate(
            f"(async () => {{ {HELPERS}\nreturn JSON.stringify(await ({script})({words}) ?? null); }})()"))

    def until(self, script, *arguments, about=None):
        """Waits until a function of the page returns something that is true, and returns it."""
        end, problem = time.monotonic() + LIMIT_MS / 1000, None
        while True:
            try:
                if found := self.run(script, *arguments):
                    return found
                problem = None
            except (AssertionError, webkit.NoAnswer):
                raise
            except Exception as error:  # The page may be on its way to another one.
                problem = error
            if time.monotonic() > end:
                raise AssertionError(f"never came true: {about or script} {problem or ''}".strip())
            time.sleep(0.02)

    def see(self, selector, text=None):
        """Waits until an element is visible; returns its text."""
        return self.until("(...words) => { const found = find(...words); return found && [found.textContent]; }",
                          selector, text, about=f"{selector} {text or ''} is visible")[0]

    def gone(self, selector, text=None):
        """Waits until no such element is visible."""
        self.until("(...words) => !find(...words)", selector, text, about=f"{selector} {text or ''} is gone")

    def texts(self, selector):
        """The texts of all visible elements."""
        return self.run("(selector) => findAll(selector).map((element) => element.textContent)", selector)

    def until_texts(self, selector, wanted):
        """Waits until the visible elements have these texts."""
        self.until("(selector, wanted) => JSON.stringify(findAll(selector).map((each) => each.textContent)) === wanted",
                   selector, json.dumps(wanted, ensure_ascii=False, separators=(",", ":")),
                   about=f"{selector} are {wanted}, now {self.texts(selector)}")

    def place(self, selector, text=None):
        """Where the middle of an element is, when it stands still and nothing covers it."""
        return self.until("(...words) => place(...words)", selector, text,
                          about=f"{selector} {text or ''} can be pressed")

    def click(self, selector, text=None, button=0):
        """Presses the middle of an element with the pointer; button 2 is the right one."""
        x, y = self.place(selector, text)
        if button and self.engine == "WebKit":
            # Its driver never releases the right button, so that no press after it is one for the page.
            self.run("(x, y) => askForMenu(x, y)", x, y)
        else:
            self.driver.pointer(x, y, button)

    def fill(self, selector, text, label=None):
        """Presses a field, and types a text in the place of what is in it."""
        self.click(selector, label)
        self.run("() => focused().select?.()")
        self.type(text)

    def type(self, text):
        self.driver.type(text)

    def press(self, key):
        """Presses a key by its name: Enter, Escape, ArrowUp, …"""
        self.driver.press(key)

    def choose_files(self, paths, opener):
        """Has the files chosen in the picker that `opener` opens."""
        # An engine that is driven cancels a picker at once, and the page takes its field away.
        self.run("() => { HTMLInputElement.prototype.click = function () { window.picker = this; }; }")
        opener()
        self.until("() => Boolean(window.picker)")
        self.driver.set_files("window.picker", [str(path) for path in paths])

    def shot(self, name):
        """A picture, if ROOST_SCREENSHOTS names a folder."""
        if folder := os.environ.get("ROOST_SCREENSHOTS"):
            self.run("() => finishAnimations()")
            self.screenshot(pathlib.Path(folder) / f"{self.engine.lower()}-{name}.png")

    def screenshot(self, path, **_):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.driver.picture(path)

    def close(self):
        self.driver.close()


def file_name(text):
    """A name for a picture made of a sentence."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
