"""What the tests in three engines do with a conversation."""
import shutil

from app_driver import World
from browser import ROOT, SOURCES

FIELD = ".field-text"


def bundle(stage):
    """The page that ships, as a folder: the bundle, and what is beside it."""
    folder = stage.folder / "web"
    if not folder.exists():
        shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("*.js"))
        shutil.copytree(ROOT / "Web/bundle", folder, dirs_exist_ok=True)
    return folder


def enter(browser, world, at="", look=None, **wishes):
    """A page in which Ann is signed in already, as after an earlier visit."""
    # A page without a script, for which a browser looks for an icon.
    browser.stage.allow(r"/favicon\.ico$")
    page = browser.page(f"{world.url}/web/app/icon-192.png", **wishes)
    remember(page, look)
    page.goto(f"{world.url}/{at}")
    page.see("roost-chat")
    return page


def remember(page, look=None):
    """Leaves in the browser what an earlier visit of Ann does."""
    page.run("""(guest, look) => {
      localStorage.setItem("roost.guest", JSON.stringify(guest));
      localStorage.setItem("roost.look", JSON.stringify(look));
    }""", {"userID": "ann", "name": "Ann Lee"}, look or {})


def small_world(stage, *words):
    world = World(stage, *words, folder=bundle(stage))
    world.users(ann="Ann Lee", bob="Bob Marsh")
    return world


def sign_in(page, user, name):
    page.fill("#userid", user)
    page.fill("#name", name)
    page.press("Enter")
    page.see(".channel-list")


def write(page, text):
    page.fill(FIELD, text)
    page.press("Enter")


def messages(world, channel):
    """The texts of a channel, or the names of files, and what they answer."""
    bodies = [event["body"] for event in world.call("bob", "message.list", channel=channel, limit=100)["events"]
              if event["event"] == "message.sent"]
    return [(body.get("text") or body["file"]["name"], (body.get("replyTo") or {}).get("text")) for body in bodies]


def until_sent(page, count):
    """Waits until the page has so many messages, all of them sent."""
    page.until("""(count) => {
      const items = document.querySelector("roost-chat")?.conversation?.items.filter(({ kind }) => kind === "message");
      return items?.length === count && items.every(({ state }) => state === "sent");
    }""", count, about=f"{count} messages are sent")
