#!/usr/bin/env python3
"""Every dialog and menu in Chromium, Firefox and WebKit: its size, and whether all of it can be reached. Needs ROOST.

With ROOST_SCREENSHOTS, a picture of each is in that folder. See engines/engine.py.
"""
from app_driver import full_world
from browser import same
from conversation_pages import png
from engines.chat import FIELD, bundle, remember
from engines.engine import each_engine, file_name, run

# What is wrong with the dialog or menu on top.
LOOK = """() => {
  finishAnimations();
  const dialog = topDialog();
  const problems = [];
  const round = Math.round;
  const { left, top, right, bottom, height } = dialog.getBoundingClientRect();
  if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
    problems.push(`it is from ${round(left)}, ${round(top)} to ${round(right)}, ${round(bottom)}`);
  }
  const body = dialog.querySelector(":scope > .body:not([hidden])");
  const most = parseFloat(getComputedStyle(dialog).maxHeight);
  if (body && body.scrollHeight > body.clientHeight + 1 && (height < most - 2 || body.clientHeight <= 100)) {
    problems.push(`${body.clientHeight} of ${body.scrollHeight} px are shown, in ${round(height)} of ${most}`);
  }
  for (const element of [dialog, ...dialog.querySelectorAll("*")]) {
    const edges = element.getBoundingClientRect();
    if (edges.width > 1 && (edges.left < left - 1 || edges.right > right + 1)) {
      problems.push(`${element.localName} "${nameOf(element).slice(0, 40)}" is beside it`);
    }
    if (element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX)) {
      problems.push(`${element.className} scrolls sideways`);
    }
  }
  // Of very many, those at both ends.
  const all = [...dialog.querySelectorAll("button, input, select, textarea, a[href], p, li, h2, h3")].filter(isShown);
  for (const element of [...all.slice(0, 40), ...all.slice(40).slice(-20)]) {
    const { width } = element.getBoundingClientRect();
    if (width <= 1 || element.matches(".visually-hidden, .visually-hidden *")) continue;
    if (!isReached(element)) element.scrollIntoView({ block: "center", behavior: "instant" });
    if (!isReached(element)) problems.push(`${element.localName} "${nameOf(element).slice(0, 40)}" is out of reach`);
  }
  for (const element of [dialog, ...dialog.querySelectorAll("*")]) element.scrollTop = 0;
  return problems;
}"""
# What is open and where the focus is, for a failure.
STATE = """() => ({
  open: findOpen().map((dialog) => `${dialog.className}: ${nameOf(dialog).slice(0, 60)}`),
  focus: focused()?.outerHTML.slice(0, 120), hasFocus: document.hasFocus(),
})"""
OPEN = "dialog[open]"
WAITS = object()
GARDEN, BOB = (".channels > ul .channel", "The garden team"), (".channels > ul .channel", "With pleasure")


class Walk:
    """Opens one thing after the other, and collects what is wrong with each."""

    def __init__(self, page, size):
        self.page, self.size, self.problems, self.seen = page, size, [], 0

    def open(self, name, *presses, waits=None):
        """Presses one after the other, looks at what the last one opens, and closes everything by Escape."""
        for press in presses:
            # It may be in what the press before opens, late: that is there before this one, too.
            self.page.see(*press[:2])
            self.page.run("() => { for (const element of findOpen()) element.dataset.seen = ''; }")
            if press[-1] is not WAITS:
                self.page.click(*press)
        self.page.see(waits or f"{OPEN}:not([data-seen])")
        self.seen += 1
        self.problems += [f"{name}: {problem}" for problem in self.page.run(LOOK)]
        self.page.shot(f"{self.size}-{file_name(name)}")
        left = self.page.run("() => findOpen().length")
        while left:
            self.page.press("Escape")
            try:
                self.page.until("(count) => findOpen().length < count", left, about=f"Escape closes {name}")
            except AssertionError as error:
                raise AssertionError(f"{error}: {self.page.run(STATE)}")
            left = self.page.run("() => findOpen().length")


def menu_of(selector, text):
    """The other button of the pointer on an element."""
    return (selector, text, 2)


def there(selector, text):
    """Nothing is pressed, but the element has to be there first."""
    return (selector, text, WAITS)


def item(text):
    return (f"{OPEN} .item", text)


def full(stage):
    """A world in which everything that can open has something to show."""
    world = full_world(stage, folder=bundle(stage))
    picture = stage.folder / "roof.png"
    picture.write_bytes(png(900, 600))
    world.server.roost("send", "--as", "dan", "--channel", world.garden, "--file", str(picture), "The roof")
    world.send("ann", world.garden, "Mine, for a day")
    world.call("ann", "vote.create", channel=world.garden, subject="Cake?", vote={
        "options": [{"text": "Yes"}, {"text": "No"}]})
    return world


def walk(stage, browser, size, width, height):
    world = full(stage)
    link = world.server.roost("token", "--data", f"{world.server.folder}/data", "--user", "tom", "--name", "Tom",
                              "--code", "--link", world.url, is_local=True).strip()
    page = browser.page(link, width=width, height=height)
    walk = Walk(page, size)
    walk.open("sign in by a link")
    remember(page)
    page.reload()
    walk_list(page, walk)
    page.click(*GARDEN)
    page.see(".bubble", "Mine, for a day")
    page.shot(f"{size}-conversation")
    walk_messages(page, walk)
    walk_composer(page, walk)
    walk_details(walk)
    go_back(page)
    page.click(*BOB)
    page.see(".bubble", "With pleasure")
    walk_person(walk)
    go_back(page)
    walk_open_channel(page, walk)
    same(walk.problems, [])
    same(walk.seen, 42)


def walk_list(page, walk):
    page.see(*GARDEN)
    page.shot(f"{walk.size}-list")
    new = (".channel-list > header .icon-button", None)
    walk.open("new menu", new)
    walk.open("new conversation", new, item("New conversation"), waits="dialog .person")
    walk.open("new group", new, item("New group"), (f"{OPEN} .person", "Bob Marsh"), waits="dialog .chip")
    walk.open("open channels", (".open-channels > .item", None), waits="dialog .person")
    walk.open("settings", (".account", None))
    walk.open("log out question", (".account", None), (f"{OPEN} .button.danger", None))
    walk.open("menu of a group in the list", menu_of(*GARDEN))
    walk.open("menu of a conversation in the list", menu_of(*BOB))
    walk.open("end question", menu_of(*BOB), item("End conversation"))


def walk_messages(page, walk):
    message, own = (".bubble", "Who has the key"), (".bubble", "Mine, for a day")
    walk.open("message menu", menu_of(*message))
    walk.open("own message menu", menu_of(*own))
    walk.open("forward", menu_of(*message), item("Forward"), waits="dialog .check")
    walk.open("read by", menu_of(*own), item("Read by…"))
    walk.open("delete question", menu_of(*own), item("Delete for me"))
    walk.open("recall question", menu_of(*own), item("Recall for everybody"))
    walk.open("report", menu_of(*message), item("Report…"))
    walk.open("emoji of a message", menu_of(*message), (f"{OPEN} .quick-reactions .icon-button", None),
              waits=".emoji-grid")
    page.click(*message, button=2)
    page.click(f"{OPEN} .quick-reactions .emoji")
    page.see(".reaction")
    walk.open("reactions", menu_of(*message), item("Reactions"), waits="dialog .people .avatar")
    walk.open("picture", (".media .open", None), waits=".stage img")
    walk.open("close vote question", (".vote .button", "Close vote"))


def walk_composer(page, walk):
    more = (".composer .icon-button", "More to send")
    walk.open("more to send", more)
    walk.open("vote", more, item("Create a vote"))
    page.fill(FIELD, "Later")
    walk.open("send later", more, item("Send later"))
    page.click(*more)
    page.click(*item("Send later"))
    page.click(f"{OPEN} .button", "Schedule")
    page.click(".scheduled .item")
    page.see(".scheduled li")
    page.shot(f"{walk.size}-scheduled")
    walk.open("emoji", (".emoji-button", None), waits=".emoji-grid")


def walk_details(walk):
    details = (".conversation-header > .icon-button", "Details of The garden team")
    walk.open("details of a group", details, waits="dialog .person")
    for name, text in (("invite", "Invite people"), ("rename", "Change the title"), ("leave", "Leave the group"),
                       ("clear question", "Delete all messages for me"), ("dismiss question", "Dismiss the group")):
        walk.open(name, details, item(text))
    bob = (f"{OPEN} .person", "Bob Marsh")
    walk.open("member menu", details, bob)
    walk.open("remove question", details, bob, item("Remove from the group"))
    walk.open("ban question", details, bob, item("Ban from the group"))


def walk_person(walk):
    details = (".conversation-header > .icon-button", "Details of Bob Marsh")
    walk.open("details of a conversation", details, waits="dialog .item.danger")
    walk.open("block question", details, item("Block Bob Marsh"))
    # The dialog grows, and all in it moves, when it is known who is blocked.
    whole = there(*item("Block Bob Marsh"))
    walk.open("report a person", details, whole, item("Report…"))
    walk.open("group from details", details, whole, item("New group"))


def walk_open_channel(page, walk):
    page.click(".open-channels > .item")
    page.click(f"{OPEN} .person", "The lobby")
    welcome = (".bubble", "Welcome to The lobby")
    # A row that is drawn again between the press and the release gets no click.
    page.until("() => document.querySelector('roost-chat').conversation.hasLoaded")
    walk.open("sheet of an open channel", welcome)
    walk.open("message menu of an open channel", menu_of(*welcome))
    walk.open("details of an open channel", (".conversation-header > .icon-button", "Details of The lobby"))
    go_back(page)
    walk.open("menu of an open channel in the list", menu_of(".channel", "The lobby"))


def go_back(page):
    """To the list, where the conversation hides it."""
    if page.run("() => Boolean(find('.conversation .back'))"):
        page.click(".conversation .back")


@each_engine("every dialog and every menu has its size in a window of 1280 × 800, and all of it can be reached")
def _(stage, browser):
    walk(stage, browser, "desktop", 1280, 800)


@each_engine("every dialog and every menu has its size on a phone of 390 × 844, and all of it can be reached")
def _(stage, browser):
    walk(stage, browser, "phone", 390, 844)


run()
