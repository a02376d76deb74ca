"""What the tests of hostile input share: what may be nowhere in a page, and how hostile users act."""
import collections
import json
import re
import urllib.request

from browser import expect, same
from hostile_strings import XSS

# Before the first script of a page: what would be a trace of something that ran.
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", event =>
  violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
# What must be nowhere in the document or a shadow root: elements that load or run, handlers, unsafe addresses.
FAULTS = r"""() => {
  const faults = [];
  const elements =
    /^(script|iframe|frame|object|embed|link|base|style|portal|applet|animate|set|foreignobject|use|math)$/i;
  const isOwn = value => new URL(value, location.href).origin === location.origin;
  const visit = root => {
    for (const element of root.querySelectorAll("*")) {
      const name = element.localName;
      const isInHead = root === document && element.parentElement === document.head;
      const isOfPage = isInHead && isOwn(element.src || element.href);
      if (elements.test(name) && !(isOfPage && /^(script|link)$/.test(name))) {
        faults.push(element.outerHTML.slice(0, 200));
      }
      if (name === "meta" && element.parentElement !== document.head) faults.push(element.outerHTML);
      for (const { name: attribute, value } of element.attributes) {
        const at = `${name} ${attribute}="${value.slice(0, 100)}"`;
        if (/^on|^srcdoc$|^action$|^formaction$|^ping$/i.test(attribute)) faults.push(at);
        if (attribute === "style" && /url\(|expression|@import|behavior/i.test(value)) faults.push(at);
        if (!/^(xlink:)?href$|^src$|^srcset$|^data$|^poster$|^background$/.test(attribute)) continue;
        const { protocol } = new URL(value, location.href);
        const isLink = name === "a" && /^(https?|mailto|tel):$/.test(protocol);
        const isMedia = /^(img|video|audio)$/.test(name) && (protocol === "blob:" || isOwn(value));
        if (!(isLink || isMedia || isOfPage)) faults.push(at);
      }
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  if ("hit" in window || "hit" in {} || Object.keys(Object.prototype).length) faults.push("a script has run");
  return [...faults, ...window.violations];
}"""
# The words of all messages on the screen, without what the page adds.
WORDS = """() => [...document.querySelector("roost-chat").shadowRoot.querySelectorAll(".words")].map(words => {
  const copy = words.cloneNode(true);
  for (const added of copy.querySelectorAll(".host, .fold")) added.remove();
  return copy.textContent;
})"""


def cut(text, length, keeps_controls=False):
    """What the server takes: no half characters and no U+0000, no controls in names, and only so many UTF-16 units."""
    text = re.sub(r"[\ud800-\udfff\x00]" if keeps_controls else r"[\ud800-\udfff\x00-\x1f\x7f-\x9f\u2028\u2029]", "",
                  text)
    return text.encode("utf-16-le")[:2 * length].decode("utf-16-le", "ignore")


def upload(world, user, name, media_type, content):
    """Uploads a file; returns its id."""
    more = {"contentType": media_type} if media_type else {}
    made = world.call(user, "file.create", name=name, size=len(content), **more)
    urllib.request.urlopen(urllib.request.Request(world.url + made["path"], method="PATCH", data=content, headers={
        "Roost-Guest": user, "Tus-Resumable": "1.0.0", "Upload-Offset": "0",
        "Content-Type": "application/offset+octet-stream"})).close()
    return made["fileID"]


def operator(world):
    """A function that carries out commands as an operator."""
    token = world.server.roost("token", "--data", f"{world.server.folder}/data", "--user", "root", "--operator",
                               is_local=True).strip()

    def call(command, key, **body):
        request = urllib.request.Request(f"{world.url}/v1/{command}", data=json.dumps(body).encode(), headers={
            "Authorization": f"Bearer {token}", "Idempotency-Key": key})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    return call


def watched(world, user="ann", name="Ann Lee", at="", before=None, **emulation):
    """The app as `World.app` opens it, with an eye on what runs in it."""
    page = world.stage.page(**emulation)
    page.add_init_script(WATCH)
    if before:
        before(page)
    world.remember(page, {"userID": user, "name": name})
    page.goto(f"{world.url}/{at}")
    expect(page.locator(".channel-list")).to_be_attached()
    return page


def show(page, channel, count=None):
    """Opens a channel, and waits until it is drawn with at least so many messages."""
    page.evaluate("channel => { document.querySelector('roost-chat').open(channel); }", channel)
    page.wait_for_function("""([channel, count]) => {
      const { conversation, client, shadowRoot } = document.querySelector("roost-chat");
      return conversation?.id === channel && conversation.hasLoaded && conversation.channel && client.state === "live"
        && shadowRoot.querySelectorAll(".message-row").length >= count;
    }""", arg=[channel, count or 0])


def check(page, about=""):
    same(page.evaluate(FAULTS), [], about)


def picture(text, length):
    """An address of a picture; of an upload that does not exist the server takes none."""
    return text.replace("file:", "filesystem:")[:length]


def name_of(text):
    """What the server takes as a name or title: nothing that changes the direction of the text around it."""
    return re.sub("[\u202a-\u202e\u2066-\u2069]", "", cut(text, 200))


def people(world):
    """A user for each string: u0, u1 …, whose name and picture it is. Returns the names."""
    names = [name_of(text) or "-" for text in XSS]
    for number, (text, name) in enumerate(zip(XSS, names)):
        world.users(**{f"u{number}": "Somebody"})
        world.call(f"u{number}", "user.setProfile", profile={"name": name, "imageURL": picture(name, 500)})
    return names


def same_texts(found, wanted):
    """Fails with what is missing and what is too much, in any order."""
    found, wanted = collections.Counter(found), collections.Counter(wanted)
    same((list(found - wanted), list(wanted - found)), ([], []))


def isolated(text):
    """A text without the marks that keep the directions of names apart, and without what they would mirror."""
    return re.sub(r"[\u2066-\u2069\u202a-\u202e\s]+", " ", text).strip()
