"""Chromium, by Playwright, as browser.py has it."""
import json

from browser import CHROMIUM, CHROMIUM_ARGUMENTS


class Driver:
    def __init__(self, stage, page):
        self.stage, self.page = stage, page
        self.reload = page.reload
        self.type = page.keyboard.type
        self.press = page.keyboard.press

    def goto(self, url):
        self.page.goto(url)

    def evaluate(self, expression):
        return self.page.evaluate(expression)

    def settle(self):
        """An answer comes after the events before it."""
        self.evaluate("null")

    def pointer(self, x, y, button):
        self.page.mouse.click(x, y, button="right" if button else "left")

    def set_files(self, expression, paths):
        self.page.evaluate_handle(expression).as_element().set_input_files(paths)

    def resize(self, width, height):
        self.page.set_viewport_size({"width": width, "height": height})

    def picture(self, path):
        self.page.screenshot(path=path, caret="hide")

    def close(self):
        self.page.context.close()


def open_page(stage, width, height, is_dark=False, is_private=None, blocks_cookies=False):
    """Every context is a private window, unless it has a profile."""
    if is_private is False or blocks_cookies:
        profile = stage.folder / "chromium"
        (profile / "Default").mkdir(parents=True)
        settings = {"profile": {"default_content_setting_values": {"cookies": 2}}} if blocks_cookies else {}
        (profile / "Default/Preferences").write_text(json.dumps(settings))
        context = stage.chromium.browser_type.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS,
            viewport={"width": width, "height": height}, locale="en-US", timezone_id="UTC")
        return Driver(stage, stage.open(stage.watch(context)))
    return Driver(stage, stage.page(width=width, height=height, is_dark=is_dark))
