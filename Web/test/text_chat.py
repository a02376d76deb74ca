#!/usr/bin/env python3
"""The element <roost-text-chat> in a real browser: every row of the ledger, and the story. It needs no server."""
import re

from browser import SOURCES, expect, frames, run, same, stop_clock, test
from text_chat_driver import START, Chat, open_chat, wait


@test("the element mounts in an empty page and takes in and shows text [O-1]")
def _(stage):
    stage.site.add_page("/empty.html", script="""
      import "/web/roost-text-chat.js";
      const chat = document.createElement("roost-text-chat");
      chat.senderID = "1234";
      chat.alias = "Me";
      document.body.append(chat);
    """)
    page = stage.page("/empty.html")
    chat = Chat(page)
    expect(page.get_by_role("textbox", name="Message")).to_be_editable()
    chat.tell()
    chat.write("Hi")
    chat.add("Hello")
    same(chat.column("text", "isSent"), [("Hi", True), ("Hello", False)])


@test("it loads only its own files, has no transport in its source, and works where no connection is allowed [O-2]")
def _(stage):
    site = stage.new_site(headers={"Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'")})
    stage.site.add_page("/none.html", "<roost-text-chat></roost-text-chat>", 'import "/web/roost-text-chat.js";')
    site.added = stage.site.added
    chat = Chat(stage.page(site.url + "/none.html"))
    chat.tell()
    chat.write("Hi")
    expect(chat.texts).to_have_text("Hi")
    loaded = {request for request in site.requests if request.startswith("/web/")}
    own = {"/web/roost-text-chat.js", "/web/ui/dom.js"}
    same({path for path in loaded if not path.startswith("/web/text-chat/")}, own)
    words = re.compile(r"\b(fetch|WebSocket|XMLHttpRequest|EventSource|BroadcastChannel|RTC\w+|sendBeacon|postMessage"
                       r"|innerHTML|outerHTML|insertAdjacentHTML|eval)\b")
    for path in loaded:
        source = (SOURCES / path.removeprefix("/web/")).read_text()
        same(words.findall(source), [], path)
        for imported in re.findall(r'^import .* from "(.*)";', source, re.M):
            place = (SOURCES / path.removeprefix("/web/")).parent.joinpath(imported).resolve()
            same("/web/" + str(place.relative_to(SOURCES)) in loaded, True, imported)


@test("a sample uses it over a BroadcastChannel, which reaches everybody in the session [O-3]")
def _(stage):
    page = stage.page("/Examples/web/text-chat.html")
    ann, bob = (Chat(frame) for frame in page.frames[1:])
    cid = Chat(stage.tab(page, "/Examples/web/text-chat-frame.html?id=9&alias=Cid"))
    stranger = Chat(stage.page("/Examples/web/text-chat-frame.html?id=10&alias=Dan"))
    for chat in (ann, bob, cid, stranger):
        expect(chat.field).to_be_visible()
    ann.write("Hi")
    for chat in (bob, cid):
        expect(chat.texts).to_have_text(["Hi"])
        same(chat.column("name", "isSent"), [("Ann", False)])
    cid.write("Hello")
    for chat in (ann, bob):
        expect(chat.texts).to_have_text(["Hi", "Hello"])
    same(ann.column("name", "isSent"), [("Ann", True), ("Cid", False)])
    same(stranger.rows, [], "another browser is another session")
    # Without a connection nothing is sent, and the text stays.
    bob.place.get_by_label("Connected").uncheck()
    bob.write("lost?")
    expect(bob.error).to_contain_text("not sent")
    expect(bob.field).to_have_value("lost?")
    cid.write("again")
    expect(ann.texts).to_have_text(["Hi", "Hello", "again"])
    same((bob.column("text"), stranger.rows), (["Hi", "Hello"], []))


@test("it has a labelled field, a list, a counter, an error line and a banner, each when it is needed [O-4]")
def _(stage):
    chat = open_chat(stage, height=400)
    for part in (chat.field, chat.send, chat.list, chat.counter):
        expect(part).to_be_visible()
    expect(chat.field).to_have_accessible_name("Message")
    expect(chat.send).to_have_accessible_name("Send")
    expect(chat.counter).to_have_text("1000 characters left")
    expect(chat.error).to_be_empty()
    expect(chat.banner).to_be_hidden()
    chat.tell("refuse")
    chat.write("Hi")
    expect(chat.error.get_by_text("The message was not sent. Try again.")).to_be_visible()
    chat.fill()
    expect(chat.banner).to_be_hidden()
    chat.scroll_up()
    chat.add("new")
    expect(chat.banner).to_have_text("1 new message")


@test("a host that no longer listens harms nothing: the text stays, with an error [O-5]")
def _(stage):
    chat = open_chat(stage)
    chat.tell()
    chat.write("one")
    chat.run("host => { host.onmessagereadytosend = null; }")
    chat.write("two")
    same((chat.column("text"), chat.field.input_value()), (["one"], "two"))
    expect(chat.error).to_contain_text("not sent")
    # A listener on something around it is a host, too, if it looks at the message.
    chat.place.evaluate("""() => document.addEventListener("messagereadytosend", event => {
      window.last = event.detail.text;
    })""")
    chat.field.press("Enter")
    same((chat.column("text"), chat.place.evaluate("() => window.last")), (["one", "two"], "two"))


@test("the button and the return key ask the host once; an empty field, a new line and a composition ask nobody [O-6]")
def _(stage):
    chat = open_chat(stage)
    chat.tell()
    for text in ("", "   ", "\n\t"):
        chat.write(text)
        chat.send.click()
    same((chat.asked, chat.rows), ([], []))
    expect(chat.error).to_be_empty()
    chat.field.fill("by button")
    chat.send.click()
    chat.write("by key")
    same([message["text"] for message in chat.asked], ["by button", "by key"])
    chat.field.press_sequentially("two")
    chat.field.press("Shift+Enter")
    chat.field.press_sequentially("lines")
    expect(chat.field).to_have_value("two\nlines")
    same(len(chat.asked), 2)
    chat.field.press("Enter")
    same(chat.asked[-1]["text"], "two\nlines")
    # The key that ends a composition belongs to it.
    session = stage.session(chat.place)
    session.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
    expect(chat.field).to_have_value("にほん")
    chat.field.press("Enter")
    same(len(chat.asked), 3)
    session.send("Input.insertText", {"text": "日本"})
    expect(chat.field).to_have_value(re.compile("日本"))
    same(len(chat.asked), 3)
    chat.field.fill("日本")
    chat.field.press("Enter")
    same(chat.asked[-1]["text"], "日本")


@test("the host adds received messages, of any length, and reads all messages back as copies [O-7 O-10 O-13]")
def _(stage):
    chat = open_chat(stage, 'sender-id="1234" alias="Me" max-length="5"')
    chat.tell()
    chat.add("y" * 3000)
    chat.write("mine")
    same(chat.column("text"), ["y" * 3000, "mine"])
    same(chat.run("""host => {
      host.messages.pop();
      host.messages[0].text = "changed";
      host.messages[0].sentAt.setTime(0);
      return host.messages.map(m => [m.senderID, m.alias, m.text.length, m.sentAt > 0]);
    }"""), [["5678", "Bob", 3000, True], ["1234", "Me", 4, True]])
    wrong = "host => { try { host.addMessage({ text: 5 }); } catch (error) { return error.name; } }"
    same(chat.run(wrong), "TypeError")
    same(len(chat.rows), 2)


@test("it fills the place that it is given and follows its size [O-8]")
def _(stage):
    chat = open_chat(stage, width=600, height=500)
    chat.fill()
    box = chat.place.locator(".box")
    layouts = ["position: absolute; inset: 20px 0 0; height: auto", "height: 300px; width: 250px",
               "height: 460px; width: 580px; padding: 10px", "height: 100dvh; width: auto"]
    for layout in layouts:
        box.evaluate("(e, style) => { e.style = style; }", layout)
        inside = box.evaluate("""e => {
          const s = getComputedStyle(e);
          return [e.clientWidth - 2 * parseFloat(s.paddingLeft), e.clientHeight - 2 * parseFloat(s.paddingTop)];
        }""")
        size = chat.host.bounding_box()
        same([size["width"], size["height"]], inside, layout)
        same(chat.place.evaluate("() => document.documentElement.scrollHeight <= innerHeight"), True, layout)
        # Everything is inside, and the list is still at its end.
        send = chat.send.bounding_box()
        same(send["x"] + send["width"] <= size["x"] + size["width"]
             and send["y"] + send["height"] <= size["y"] + size["height"], True, layout)
        wait(chat.list, "e => e.scrollHeight - e.scrollTop - e.clientHeight < 1")
    # A child that grows, and a window that changes, as with a keyboard on the screen.
    chat.place.locator("main").evaluate("e => { e.style = 'display: flex; flex-direction: column; height: 100dvh'; }")
    box.evaluate("e => { e.style = 'flex: 1; min-height: 0; height: auto'; }")
    chat.place.set_viewport_size({"width": 320, "height": 280})
    wait(chat.host, "e => e.getBoundingClientRect().height === 280 && e.getBoundingClientRect().width === 320")
    wait(chat.list, "e => e.scrollHeight - e.scrollTop - e.clientHeight < 1")
    # Scrolled up, the first visible message stays where it is.
    chat.run("host => { for (let i = 0; i < 40; i += 1) host.addMessage({ text: `${'word '.repeat(20)} ${i}` }); }")
    chat.scroll_up(1200)
    first = """(host, text) => {
      const top = host.shadowRoot.querySelector("[part~=list]").getBoundingClientRect().top;
      const rows = [...host.shadowRoot.querySelectorAll("[part~=row]")];
      const row = rows.find(r => text ? r.textContent === text : r.getBoundingClientRect().bottom > top);
      return [row.textContent, row.getBoundingClientRect().top - top];
    }"""
    text, before = chat.run(first)
    chat.place.set_viewport_size({"width": 600, "height": 400})
    wait(chat.host, "e => e.getBoundingClientRect().width === 600")
    frames(chat.place)
    after = chat.run(first, text)[1]
    same(abs(after - before) <= 1, True, f"{text}: {before} and {after}")


@test("own text is limited to 1000, or 1 to 8000; an edit beyond is refused; from ten on it is red [O-9 C-O2 XC-1]")
def _(stage):
    chat = open_chat(stage)
    page = chat.place
    chat.field.fill("x" * 989)
    same((chat.left, chat.is_red), (11, False))
    chat.field.press("End")
    chat.field.press("y")
    same((chat.left, chat.is_red), (10, True))
    chat.field.press_sequentially("123456789z")
    same((chat.left, chat.is_red, chat.field.input_value()[-3:]), (0, True, "89z"))
    chat.field.press("!")
    chat.field.press("Shift+Enter")
    same((chat.left, chat.field.input_value()[-3:]), (0, "89z"))
    # What replaces as much as it adds fits.
    chat.field.press("Shift+ArrowLeft")
    chat.field.press("Z")
    same((chat.left, chat.field.input_value()[-3:]), (0, "89Z"))
    # A paste that does not fit is refused whole, and one can see why.
    page.evaluate("() => { document.body.appendChild(document.createElement('textarea')).id = 'other'; }")
    page.locator("#other").fill("p" * 51)
    for key in ("Control+a", "Control+c"):
        page.locator("#other").press(key)
    chat.run("host => { host.maxLength = 1050; }")
    same((chat.left, chat.is_red), (50, False))
    chat.field.press("Control+v")
    expect(chat.error).to_have_text("The text is 1 character too long.")
    same((chat.left, chat.field.input_value()[-3:]), (50, "89Z"))
    chat.field.press("Backspace")
    chat.field.press("Control+v")
    same((chat.left, len(chat.field.input_value())), (0, 1050))
    # What cannot be refused before it happens is taken back: here a composition.
    chat.field.fill("x" * 1049)
    chat.field.press("End")
    session = stage.session(page)
    session.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    session.send("Input.insertText", {"text": "日本語"})
    expect(chat.field).to_have_value("x" * 1049)
    # A lower limit keeps the text, which can become shorter, but neither longer nor sent.
    chat.tell()
    chat.run("host => { host.maxLength = 10; }")
    same((chat.left, chat.is_red, len(chat.field.input_value())), (0, True, 1049))
    chat.field.press("Enter")
    expect(chat.error).to_have_text("The text is 1039 characters too long.")
    chat.field.press("x")
    chat.field.press("Backspace")
    same((len(chat.field.input_value()), chat.asked), (1048, []))
    for value, limit in [(9000, 8000), (0, 1), ("no number", 1000), (None, 1000)]:
        same(chat.run("(host, value) => { host.maxLength = value; return host.maxLength; }", value), limit)


@test("the own id and name are on what is sent; both can be set before the element is defined [O-11 O-15 O-19]")
def _(stage):
    stage.site.add_page("/late.html", "<main></main>", """
      const chat = document.createElement("roost-text-chat");
      Object.assign(chat, { senderId: "early", alias: "Early bird", maxLength: 20 });
      document.querySelector("main").append(chat);
      await import("/web/roost-text-chat.js");
    """)
    chat = Chat(stage.page("/late.html"))
    expect(chat.counter).to_have_text("20 characters left")
    chat.tell()
    chat.write("one")
    chat.run("host => { host.senderID = '1234'; host.setAttribute('alias', 'Me'); }")
    chat.write("two")
    chat.run("host => { host.senderID = null; host.alias = null; }")
    chat.write("three")
    same([(message["senderID"], message["alias"]) for message in chat.asked],
         [("early", "Early bird"), ("1234", "Me"), (None, "")])
    same(chat.column("name"), ["Early bird", "Me", None])


@test("an added message with the own id looks like a sent one, any other like a received one [O-12 C-O5]")
def _(stage):
    chat = open_chat(stage)
    chat.tell()
    chat.write("typed")
    for sender, alias in [("1234", "Me, elsewhere"), ("5678", "Bob"), (None, "Nobody"), ("12345", "Me"), ("", "")]:
        chat.add("x", sender, alias)
    rows = chat.rows
    same([row["isSent"] for row in rows], [True, True, False, False, False, False])
    same([row["side"] for row in rows], ["right", "right", "left", "left", "left", "left"])
    same([row["colour"] == rows[0]["colour"] for row in rows], [row["isSent"] for row in rows])
    # Without an id of one's own nothing is one's own, not even what has no id either.
    chat.run("host => { host.senderID = null; }")
    chat.add("x", None, "Nobody")
    same(chat.rows[-1]["isSent"], False)


@test("a refused message stays in the field, with an error that goes after four seconds; no row appears [O-14 C-O4]")
def _(stage):
    chat = open_chat(stage, time=START)
    clock = chat.place.clock
    chat.tell("refuse")
    chat.write("Hi")
    shown = chat.error.get_by_text("The message was not sent. Try again.")
    expect(shown).to_be_visible()
    expect(chat.error).to_have_attribute("role", "alert")
    same((chat.field.input_value(), chat.rows), ("Hi", []))
    clock.run_for(3_999)
    expect(chat.error).not_to_have_class(re.compile("leaving"))
    clock.run_for(1)
    expect(chat.error).to_have_class(re.compile("leaving"))
    clock.run_for(500)
    expect(chat.error).to_be_empty()
    # Again before the first error has gone: the later one counts.
    chat.field.press("Enter")
    clock.run_for(3_000)
    chat.field.press("Enter")
    clock.run_for(3_999)
    expect(chat.error).not_to_have_class(re.compile("leaving"))
    expect(shown).to_be_visible()
    chat.tell("accept")
    chat.field.press("Enter")
    expect(chat.error).to_be_empty()
    same((chat.column("text"), chat.field.input_value(), chat.left), (["Hi"], "", 1000))


@test("a host may answer later: the message shows as being sent; false or a rejection takes it back [O-14]")
def _(stage):
    chat = open_chat(stage)
    chat.tell("later")
    chat.write("one")
    same((chat.column("text", "status"), chat.field.input_value()), ([("one", "Sending…")], ""))
    chat.write("two")
    same(len(chat.asked), 1, "one at a time")
    chat.place.evaluate("() => window.settle.resolve()")
    same(chat.column("text", "status"), [("one", None)])
    chat.field.press("Enter")
    chat.add("meanwhile", "1234", "Me")
    same(chat.column("text", "name"), [("one", "Me"), ("two", None), ("meanwhile", None)])
    chat.place.evaluate("() => window.settle.resolve(false)")
    same((chat.column("text"), chat.field.input_value()), (["one", "meanwhile"], "two"))
    expect(chat.error).to_contain_text("not sent")
    chat.run("host => host.addMessage({ senderID: '1234', alias: 'Me', text: 'old', sentAt: 0 })")
    # What was written since is not overwritten, and a row that led a group leaves its name to the next one.
    chat.run("host => host.addMessage({ senderID: '5678', alias: 'Bob', text: 'between' })")
    chat.field.press("Enter")
    chat.add("follows", "1234", "Me")
    same(chat.column("name")[-2:], ["Me", None])
    chat.field.fill("three")
    chat.place.evaluate("() => window.settle.reject(new Error('no network'))")
    same((chat.column("text", "name")[-1], chat.field.input_value()), (("follows", "Me"), "three"))
    # An answer after the element was taken away is no error.
    chat.field.press("Enter")
    chat.place.evaluate("""() => {
      const host = document.querySelector("roost-text-chat");
      host.remove();
      window.settle.resolve(false);
      document.querySelector(".box").append(host);
    }""")
    expect(chat.field).to_have_value("three")


@test("a message shows its sender's name, as text and once per group [O-16]")
def _(stage):
    chat = open_chat(stage)
    for alias in ("Bob", "Bob", "محمد", "a\u202egnp.exe", "x" * 500, ""):
        chat.add("x", "5678", alias)
    same(chat.column("name"), ["Bob", None, "محمد", "a\u202egnp.exe", "x" * 500, None])
    expect(chat.part("name").first).to_be_visible()
    same(chat.part("name").evaluate_all("names => names.map(name => name.localName)"), ["bdi"] * 4)
    same(chat.list.evaluate("e => e.scrollWidth <= e.clientWidth"), True, "a long name is cut")


@test("text is shown unchanged: lines, spaces, emoji, any direction, and never as markup [O-17]")
def _(stage):
    chat = open_chat(stage, width=400)
    odd = ["two\nlines", "  spaces   and\ttabs ", "👩‍👩‍👧 🏳️‍🌈 ❤️", "<b>no</b> &amp; <!-- markup -->", "שלום world",
           "\u202eevil\u202c", "x" * 2000, "a\u0301" * 50, "line one\r\nline two"]
    for text in odd:
        chat.add(text, alias=text)
    same(chat.column("text"), odd)
    heights = chat.texts.evaluate_all("texts => texts.map(t => t.getBoundingClientRect().height)")
    same(round(heights[0] / heights[2]), 2, "two lines are two lines")
    same(chat.run("host => host.shadowRoot.querySelectorAll('b').length"), 0)
    same(chat.texts.nth(4).evaluate("e => [e.dir, getComputedStyle(e).direction]"), ["auto", "rtl"])
    same(chat.list.evaluate("e => e.scrollWidth <= e.clientWidth"), True, "nothing is wider than the list")
    # What was typed comes out as it went in.
    chat.tell()
    chat.write(" <i>typed</i>\n👋 ")
    same((chat.column("text")[-1], chat.asked[-1]["text"]), (" <i>typed</i>\n👋 ",) * 2)


@test("a message's time is now unless another is given, is local, and does not decide the order [O-18 C-O3]")
def _(stage):
    chat = open_chat(stage, time=START, timezone="Asia/Taipei")
    chat.tell()
    chat.add("now")
    chat.add("given", "6", "Cid", "2025-06-03T02:05:00Z")
    chat.add("in ms", "7", "Dan", 1748916600000)
    chat.run("""host => host.addMessage(
      { senderID: "8", alias: "Eve", text: "date", sentAt: new Date("2025-06-03T23:59:00") })""")
    chat.write("own")
    same(chat.column("text", "time"), [
        ("now", "06:05 PM"), ("given", "10:05 AM"), ("in ms", "10:10 AM"), ("date", "11:59 PM"), ("own", "06:05 PM")])
    same(chat.part("time").evaluate_all("times => times.slice(0, 2).map(time => time.dateTime)"),
         ["2025-06-03T10:05:00.000Z", "2025-06-03T02:05:00.000Z"])
    same(chat.asked[0]["sentAt"], 1748945100000)
    wrong = "host => { try { host.addMessage({ text: 'x', sentAt: 'soon' }); } catch { return host.messages.length; } }"
    same(chat.run(wrong), 5, "no time is no message")


@test("messages of one sender within two minutes are grouped under one name and time, below a divider [O-20]")
def _(stage):
    chat = open_chat(stage)
    for seconds, sender in [(0, "5"), (60, "5"), (179.999, "5"), (299.999, "5"), (300, "6"), (400, "6"), (401, "5")]:
        chat.add(f"{seconds}", sender, sender, seconds * 1000)
    same(chat.column("name", "time", "hasDivider"), [
        ("5", "12:00 AM", False), (None, None, False), (None, None, False), ("5", "12:04 AM", True),
        ("6", "12:05 AM", True), (None, None, False), ("5", "12:06 AM", True)])
    # Not under the name of somebody else with the same id, and not under what one has sent oneself.
    chat.add("x", "5", "Impostor", 402_000)
    chat.add("x", "1234", "Impostor", 403_000)
    same(chat.column("name")[-2:], ["Impostor", "Impostor"])


@test("the list follows at its end; scrolled up it stays, and a banner counts what is new and jumps [O-21 XC-18]")
def _(stage):
    chat = open_chat(stage, width=400, height=500)
    chat.tell()
    chat.fill()
    same(chat.from_end < 1, True)
    # A little above the end is still the end.
    chat.scroll_up(60)
    chat.add("follows")
    same((chat.from_end < 1, chat.banner.is_visible()), (True, False))
    chat.scroll_up(300)
    top = chat.top
    for count in (1, 2, 3):
        chat.add("new")
        expect(chat.banner).to_have_text(f"{count} new message{'' if count == 1 else 's'}")
        same(chat.top, top)
    chat.banner.click()
    expect(chat.banner).to_be_hidden()
    same(chat.from_end < 1, True)
    chat.add("follows again")
    same((chat.from_end < 1, chat.banner.is_visible()), (True, False))
    # Reaching the end by oneself is the same.
    chat.scroll_up(500)
    chat.add("new")
    expect(chat.banner).to_be_visible()
    chat.place.mouse.wheel(0, 5000)
    expect(chat.banner).to_be_hidden()
    wait(chat.list, "e => e.scrollHeight - e.scrollTop - e.clientHeight < 1")
    # So is sending; a refusal moves nothing.
    chat.scroll_up(500)
    top = chat.top
    chat.tell("refuse")
    chat.write("mine")
    same(chat.top, top)
    chat.tell("accept")
    chat.field.press("Enter")
    same(chat.from_end < 1, True)


@test("two frames talk to each other, limits, vetoes, times, groups and banners included [SC-004]")
def _(stage):
    page = stage.page(width=1000, height=640)
    stop_clock(page, START)
    page.goto(stage.site.url + "/Examples/web/text-chat.html")
    for frame, identity in zip(page.frames[1:], ({"id": "1234", "alias": "Me"}, {"id": "5678", "alias": "Bob"})):
        frame.goto(f"{stage.site.url}/Examples/web/text-chat-frame.html?id={identity['id']}&alias={identity['alias']}")
    me, bob = (Chat(frame) for frame in page.frames[1:])
    for chat in (me, bob):
        expect(chat.field).to_be_visible()
        chat.run("""host => {
          window.asked = 0;
          host.addEventListener("messagereadytosend", () => { window.asked += 1; });
        }""")

    # 1, 2: the button and the return key; the name that the transport brought; nothing for an empty field.
    me.field.fill("Hi")
    me.send.click()
    same(me.column("text", "isSent", "name"), [("Hi", True, "Me")])
    expect(bob.texts).to_have_text(["Hi"])
    same(bob.column("text", "isSent", "name"), [("Hi", False, "Me")])
    bob.write("Hello")
    expect(me.texts).to_have_text(["Hi", "Hello"])
    same(me.column("isSent", "name")[-1], (False, "Bob"))
    for chat in (me, bob):
        before = chat.asked
        chat.field.press("Enter")
        chat.send.click()
        same(chat.asked, before)

    # 3: the limit.
    me.field.fill("x" * 1000)
    me.field.press("End")
    same((me.left, me.is_red), (0, True))
    me.field.press("x")
    same((me.left, len(me.field.input_value())), (0, 1000))
    me.run("host => { host.maxLength = 1050; }")
    same((me.left, me.is_red), (50, False))
    me.field.press_sequentially("y" * 40)
    same((me.left, me.is_red), (10, True))

    # 4: own and foreign ids, with and without times.
    me.add("own", "1234", "Me", "2025-06-03T10:05:00Z")
    me.add("other", "9", "Cid")
    same(me.column("text", "isSent", "time")[-2:], [("own", True, "10:05 AM"), ("other", False, "10:05 AM")])
    page.clock.run_for(60_000)
    me.add("later", "10", "Dan")
    same(me.column("time")[-1], "10:06 AM")

    # 5: a veto.
    me.place.get_by_label("Connected").uncheck()
    count = len(me.rows)
    me.field.press("Enter")
    expect(me.error.get_by_text("not sent")).to_be_visible()
    same((len(me.field.input_value()), len(me.rows)), (1040, count))
    page.clock.run_for(4_500)
    expect(me.error).to_be_empty()
    same(len(me.field.input_value()), 1040)
    same(bob.column("text"), ["Hi", "Hello"])
    me.place.get_by_label("Connected").check()
    stage.shot(page, "text-chat-two-frames")

    # 6: three messages at 0, 60 and 200 s.
    page.clock.run_for(1_000_000)
    for pause in (0, 60_000, 140_000):
        page.clock.run_for(pause)
        me.write(f"after {pause}")
    for chat, name in ((me, "Me"), (bob, "Me")):
        expect(chat.texts.last).to_have_text("after 140000")
        same(chat.column("name", "hasDivider")[-3:], [(name, True), (None, False), (name, True)])
        same([time is None for time in chat.column("time")[-3:]], [False, True, False])
    same(bob.column("text")[:3], ["Hi", "Hello", "after 0"], "nothing came of the veto")

    # 7, 8: scrolled up, the longest text arrives whole; a banner, no jump; a tap goes down.
    bob.fill(30)
    bob.scroll_up(500)
    top = bob.top
    longest = "ß" * 8000
    same(me.run("host => { host.maxLength = 9000; return host.maxLength; }"), 8000)
    me.write(longest)
    expect(bob.banner).to_have_text("1 new message")
    same((bob.top, bob.column("text")[-1] == longest), (top, True))
    bob.banner.click()
    expect(bob.banner).to_be_hidden()
    same(bob.from_end < 1, True)


if __name__ == "__main__":
    run()
