#!/usr/bin/env python3
"""The element <roost-text-chat> beyond its ledger: accessibility, hostile input, long lists, languages, themes."""
from browser import expect, frames, run, same, set_language, test
from text_chat_driver import START, Chat, open_chat, wait

XSS = [
    "<script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "<svg onload=window.hit=1>",
    "<svg><script>window.hit=1</script></svg>", '"><script>window.hit=1</script>',
    "'><img src=x onerror='window.hit=1'>", "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
    "<iframe src=javascript:parent.hit=1></iframe>", "<a href=javascript:window.hit=1>x</a>", "javascript:window.hit=1",
    "<body onload=window.hit=1>", "<details open ontoggle=window.hit=1>",
    "<video><source onerror=window.hit=1></video>", "<audio src=x onerror=window.hit=1>",
    "<input autofocus onfocus=window.hit=1>", "<style>@import 'http://evil.example/';</style>",
    "<link rel=stylesheet href=http://evil.example/>", "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "<base href=http://evil.example/>", "<object data=http://evil.example/></object>",
    "<embed src=http://evil.example/>", "<form action=http://evil.example/><button autofocus>x</button></form>",
    "<math><mtext><img src=x onerror=window.hit=1>", "</li></ul><script>window.hit=1</script>",
    "</template><img src=x onerror=window.hit=1>", "<slot name=x onslotchange=window.hit=1>",
    "<img src=http://evil.example/pixel.gif>", "{{constructor.constructor('window.hit=1')()}}", "${window.hit=1}",
    '&lt;img src=x onerror=window.hit=1&gt;\0<img src=x onerror=window.hit=1>',
]


@test("thirty hostile texts, received and typed, as text and as name, stay text: nothing runs and nothing is asked for")
def _(stage):
    chat = open_chat(stage, time=START)
    chat.tell()
    same(len(set(XSS)), 30)
    for text in XSS:
        chat.add(text, text, text)
        chat.place.clock.run_for(1_000)  # Each is read aloud, too.
        chat.run("(host, text) => { host.alias = text; host.senderID = text; }", text)
        chat.write(text)
    chat.place.clock.run_for(10_000)
    same(chat.run("host => host.messages.map(m => m.text)"), [text for text in XSS for _ in range(2)])
    shown = chat.run("""host => [...host.shadowRoot.querySelectorAll("[part~=text]")].map(text => text.textContent)""")
    same(shown, [text for text in XSS for _ in range(2)])
    same(chat.run("""host => [...new Set([...host.shadowRoot.querySelectorAll("[part~=list] *, [role=status] *")]
        .map(element => element.localName))].sort()"""), ["bdi", "div", "li", "p", "time", "ul"])
    same(chat.run("""host => [...host.shadowRoot.querySelectorAll("*")].flatMap(element => element.getAttributeNames())
        .filter(name => name.startsWith("on") || name === "src" || name === "href")"""), [])
    same(chat.place.evaluate("() => 'hit' in window"), False)


TALK = """host => {
  const at = seconds => new Date(Date.UTC(2025, 5, 3, 10, 5) + seconds * 1000);
  const add = (seconds, senderID, alias, text) => host.addMessage({ senderID, alias, text, sentAt: at(seconds) });
  add(0, "5678", "Bob", "Good morning! Is the build green?");
  add(50, "5678", "Bob", "I would like to try the new client before lunch.");
  add(100, "1234", "Me", "Yes, since 9:40. All stories passed, on both stores.");
  add(130, "1234", "Me", "Two lines:\\nthis is the second 🎉");
  add(400, "9", "ليلى", "صباح الخير، هل يمكنكم إرسال الرابط؟");
  add(420, "5678", "Bob", "https://chat.example.com/a/long/path/that/has/no/spaces/at/all?number=1234567890");
  add(600, "1234", "Me", "謝謝，我現在就寄給你。");
}"""


def empty(chat):
    pass


def talk(chat):
    chat.run(TALK)
    chat.field.fill("A draft that is long enough to need a second line on most screens")


def refused(chat):
    chat.run(TALK)
    chat.tell("refuse")
    chat.write("x" * 995)


def sending(chat):
    chat.run(TALK)
    chat.tell("later")
    chat.write("On its way")


def banner(chat):
    chat.run(TALK)
    chat.run(TALK)
    chat.scroll_up(500)
    for _ in range(3):
        chat.add("New")
    expect(chat.banner).to_be_visible()


@test("axe finds nothing in any state, light and dark, in forced colours, at 320 px, at 200 % and from right to left")
def _(stage):
    small = {"width": 420, "height": 560}
    modes = {
        "light": small, "dark": {**small, "is_dark": True}, "forced": {**small, "has_forced_colors": True},
        "phone": {"width": 320, "height": 568, "has_touch": True, "scale": 2},
        "zoom": {"width": 840, "height": 1000, "zoom": 2}, "rtl": {**small, "language": "ar"},
        "wide": {"width": 1280, "height": 800},
    }
    for mode, emulation in modes.items():
        for state in (empty, talk, refused, sending, banner):
            chat = open_chat(stage, has_reduced_motion=True, **emulation)
            state(chat)
            undecided = stage.axe(chat.place)
            same(undecided, [], f"{mode}, {state.__name__}")
            same(chat.list.evaluate("e => e.scrollWidth <= e.clientWidth"), True, f"{mode}, {state.__name__}")
            same(chat.place.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), True, mode)
            stage.shot(chat.place, f"text-chat-{state.__name__}-{mode}")
            chat.place.context.close()


@test("the sample of two frames has no axe violation and fits a phone")
def _(stage):
    for mode, emulation in {"wide": {}, "phone": {"width": 320, "height": 568, "has_touch": True}}.items():
        page = stage.page("/Examples/web/text-chat.html", has_reduced_motion=True, **emulation)
        ann, bob = (Chat(frame) for frame in page.frames[1:])
        expect(bob.field).to_be_visible()
        ann.write("Hi")
        expect(bob.texts).to_have_text("Hi")
        same(stage.axe(page), [])
        same(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), True)
        stage.shot(page, f"text-chat-sample-{mode}")


@test("everything is done by keyboard: order, visible focus, the ends of the list, the banner, the focus after it")
def _(stage):
    chat = open_chat(stage, height=500)
    chat.tell()
    chat.fill()
    page = chat.place
    part = "() => document.activeElement.shadowRoot?.activeElement?.part.value.split(' ')[0] ?? 'none'"

    def tab(wanted, key="Tab"):
        page.keyboard.press(key)
        same(page.evaluate(part), wanted)
        ring = chat.part(wanted).evaluate("e => [getComputedStyle(e).outlineStyle, getComputedStyle(e).outlineWidth]")
        same(ring, ["solid", "2px"], wanted)

    tab("list")
    page.keyboard.press("Home")
    wait(chat.list, "e => e.scrollTop === 0")
    page.keyboard.press("ArrowDown")
    wait(chat.list, "e => e.scrollTop > 0")
    page.keyboard.press("PageUp")
    wait(chat.list, "e => e.scrollTop === 0")
    frames(page)
    chat.add("new")
    expect(chat.banner).to_be_visible()
    tab("banner")
    page.keyboard.press("Enter")
    expect(chat.banner).to_be_hidden()
    same((page.evaluate(part), chat.from_end < 1), ("list", True))
    page.keyboard.press("Home")
    wait(chat.list, "e => e.scrollTop === 0")
    page.keyboard.press("End")
    wait(chat.list, "e => e.scrollHeight - e.scrollTop - e.clientHeight < 1")
    tab("field")
    page.keyboard.type("by key")
    tab("send")
    page.keyboard.press("Space")
    same((chat.column("text")[-1], page.evaluate(part)), ("by key", "send"))
    tab("field", "Shift+Tab")
    # The focus of the element is that of its field, and a click on the button leaves it there.
    page.evaluate("() => document.activeElement.blur()")
    chat.run("host => host.focus()")
    same(page.evaluate(part), "field")
    page.keyboard.type("by mouse")
    chat.send.click()
    same((chat.column("text")[-1], page.evaluate(part)), ("by mouse", "field"))


@test("a screen reader hears received messages once: bursts as one sentence, own ones never, failures as alerts")
def _(stage):
    chat = open_chat(stage, time=START)
    clock = chat.place.clock
    chat.tell()
    chat.run("""host => {
      window.said = [];
      const region = host.shadowRoot.querySelector("[role=status]");
      new MutationObserver(() => {
        if (region.textContent) window.said.push([...region.children].map(child => child.textContent).join(" / "));
      }).observe(region, { childList: true, subtree: true, characterData: true });
    }""")

    def heard():
        clock.run_for(500)
        return chat.place.evaluate("() => window.said.splice(0)")

    same(chat.host.locator("[role=status]").count(), 1)
    expect(chat.host.locator("[aria-live=polite]")).to_have_attribute("role", "status")
    same(chat.host.locator("[aria-live]").count(), 1)
    same(chat.list.get_attribute("aria-live"), None)
    chat.add("Hi")
    same(chat.place.evaluate("() => window.said"), [], "not before others may come")
    same(heard(), ["Bob: Hi"])
    chat.add("Hi")
    same(heard(), ["Bob: Hi"], "the same once more")
    for number in (1, 2):
        chat.add(f"m{number}")
    same(heard(), ["Bob: m1 / Bob: m2"])
    chat.fill(20)
    same(heard(), ["20 new messages"])
    chat.write("mine")
    chat.add("from my other device", "1234", "Me")
    same(heard(), [])
    chat.add("x" * 5000)
    same([len(sentence) for sentence in heard()], [206])
    clock.run_for(5_000)
    expect(chat.host.locator("[role=status]")).to_be_empty()
    # A failure is an alert, and the end of the field is told.
    chat.tell("refuse")
    chat.write("refused")
    expect(chat.host.get_by_role("alert")).to_have_text("The message was not sent. Try again.")
    same(heard(), [])
    chat.field.fill("x" * 1000)
    chat.field.press("End")
    chat.field.press("y")
    same(heard(), ["0 characters left"])
    # What is put into another place is not read again.
    chat.place.evaluate("() => document.querySelector('.box').append(document.querySelector('roost-text-chat'))")
    same(heard(), [])


@test("taken away and put back, it has lost nothing; taken away for good, it leaves no timer, observer or memory")
def _(stage):
    page = stage.page()
    # Counts what the element's own modules begin, on anything that outlives it.
    page.add_init_script("""
      window.live = { timers: new Set(), observers: new Set(), listeners: new Set() };
      const isOurs = () => new Error().stack.includes("/web/");
      const { setTimeout: set, clearTimeout: clear } = window;
      window.setTimeout = (work, ...rest) => {
        const id = set(() => { window.live.timers.delete(id); work(); }, ...rest);
        if (isOurs()) window.live.timers.add(id);
        return id;
      };
      window.clearTimeout = id => { window.live.timers.delete(id); clear(id); };
      for (const name of ["ResizeObserver", "MutationObserver", "IntersectionObserver"]) {
        const marks = new WeakMap();
        window[name] = class extends window[name] {
          observe(...rest) {
            if (!marks.has(this)) marks.set(this, Symbol(name));
            if (isOurs()) window.live.observers.add(marks.get(this));
            super.observe(...rest);
          }
          disconnect() { window.live.observers.delete(marks.get(this)); super.disconnect(); }
        };
      }
      for (const target of [window, document]) {
        const add = target.addEventListener;
        target.addEventListener = function (type, ...rest) {
          if (isOurs()) window.live.listeners.add(type);
          return add.call(this, type, ...rest);
        };
      }
    """)
    stage.site.add("/box.css", ".box { height: 400px; }")
    stage.site.add_page(
        "/place.html", '<div class="box"><roost-text-chat sender-id="1" alias="Me"></roost-text-chat></div>',
        'import "/web/roost-text-chat.js";', head='<link rel="stylesheet" href="/box.css">')
    page.goto(stage.site.url + "/place.html")
    live = "() => [window.live.timers.size, window.live.observers.size, window.live.listeners.size]"
    chat = Chat(page)
    expect(chat.field).to_be_visible()
    chat.tell("refuse")
    chat.fill(60)
    chat.scroll_up(800)
    chat.write("a draft")
    chat.add("new")
    before = (chat.top, chat.column("text"), chat.field.input_value(), chat.error.text_content())
    same([count > 0 for count in page.evaluate(live)], [True, True, False], "while it is there, it uses some")
    same(page.evaluate("""() => {
      const box = document.querySelector(".box");
      const host = box.firstElementChild;
      host.remove();
      const live = [window.live.timers.size, window.live.observers.size, window.live.listeners.size];
      host.addMessage({ senderID: "2", alias: "Bob", text: "while away" });
      box.append(host);
      return live;
    }"""), [0, 0, 0])
    frames(page)
    expect(chat.banner).to_have_text("2 new messages")
    same((chat.top, chat.column("text"), chat.field.input_value(), chat.error.text_content()),
         (before[0], [*before[1], "while away"], *before[2:]))
    chat.banner.click()
    page.evaluate("() => { const box = document.querySelector('.box'); box.append(box.firstElementChild); }")
    same(chat.from_end < 1, True, "at its end it is at its end again")
    chat.add("follows")
    same((chat.from_end < 1, chat.banner.is_visible()), (True, False))
    # Hidden and shown.
    chat.scroll_up(500)
    top = chat.top
    chat.host.evaluate("e => { e.hidden = true; }")
    chat.add("while hidden")
    frames(page)
    chat.host.evaluate("e => { e.hidden = false; }")
    frames(page)
    same((chat.top, chat.banner.text_content()), (top, "1 new message"))
    # And for good.
    page.evaluate("""() => {
      const host = document.querySelector("roost-text-chat");
      window.weak = new WeakRef(host);
      host.remove();
    }""")
    same(page.evaluate(live), [0, 0, 0])
    for _ in range(100):
        stage.session(page).send("HeapProfiler.collectGarbage")
        if page.evaluate("() => window.weak.deref() === undefined"):
            break
    same(page.evaluate("() => window.weak.deref() === undefined"), True, "the memory is free again")


@test("of 10,000 messages at most 300 rows are on the page; scrolling back shows each of them and never jumps")
def _(stage):
    chat = open_chat(stage, width=400, height=600)
    chat.tell()
    chat.run("""host => {
      for (let i = 0; i < 10000; i += 1) {
        const text = `m${i} ${"word ".repeat(i % 23)}`;
        host.addMessage({ senderID: `${i >> 2}`, alias: `User ${i >> 2}`, text, sentAt: i });
      }
    }""")
    same((len(chat.rows) <= 300, chat.from_end < 1, chat.run("host => host.messages.length")), (True, True, 10000))
    seen = chat.run("""async host => {
      const list = host.shadowRoot.querySelector("[part~=list]");
      const rows = () => [...host.shadowRoot.querySelectorAll("[part~=row]")];
      const number = row => Number(row.querySelector("[part~=text]").textContent.match(/^m(\\d+)/)[1]);
      // A scroll event comes before the callbacks of its frame.
      const frame = () => new Promise(requestAnimationFrame);
      const seen = new Set();
      let [most, jump, steps] = [0, 0, 0];
      const go = async (by, isAtEnd) => {
        for (; steps < 5000; steps += 1) {
          const [top, all] = [list.getBoundingClientRect().top, rows()];
          most = Math.max(most, all.length);
          all.forEach(row => seen.add(number(row)));
          if (isAtEnd(all)) return;
          const row = all.find(r => r.getBoundingClientRect().bottom > top + 250);
          const before = row.getBoundingClientRect().top;
          const from = list.scrollTop;
          list.scrollTop += by;
          const moved = list.scrollTop - from;
          await frame();
          if (row.isConnected) jump = Math.max(jump, Math.abs(before - moved - row.getBoundingClientRect().top));
          else jump = Infinity;
        }
      };
      await go(-2000, all => number(all[0]) === 0 && list.scrollTop === 0);
      const up = seen.size;
      seen.clear();
      await go(2000, all => number(all.at(-1)) === 9999 && list.scrollHeight - list.scrollTop - list.clientHeight < 1);
      return { up, down: seen.size, most, jump, steps };
    }""")
    print(f"    10,000 messages: at most {seen['most']} rows, jumps of at most {seen['jump']:.2f} px "
          f"in {seen['steps']} steps")
    same((seen["up"], seen["down"], seen["most"] <= 300, seen["jump"] <= 1), (10000, 10000, True, True))
    # To the ends at once; what comes meanwhile is counted, not shown.
    chat.list.press("Home")
    wait(chat.list, "e => e.scrollTop === 0")
    frames(chat.place)
    same(chat.column("text")[0].split()[0], "m0")
    chat.fill(500)
    expect(chat.banner).to_have_text("500 new messages")
    same((chat.column("text")[0].split()[0], len(chat.rows) <= 300, chat.top), ("m0", True, 0))
    chat.banner.click()
    expect(chat.banner).to_be_hidden()
    same((chat.column("text")[-1], chat.from_end < 1, len(chat.rows) <= 300), ("m499", True, True))
    chat.write("mine")
    same((chat.column("text")[-1], chat.run("host => host.messages.length")), ("mine", 10501))
    # Typing stays quick on a slow device. The figure is printed, not judged.
    stage.slow(chat.place, 4)
    chat.place.evaluate("""() => {
      window.delays = [];
      new PerformanceObserver(list => window.delays.push(...list.getEntries().filter(e => e.name === "keydown")
        .map(e => e.duration))).observe({ type: "event", durationThreshold: 16, buffered: false });
    }""")
    # The browser catches up for some seconds after it was slowed down; the second time counts.
    for _ in range(2):
        chat.place.evaluate("() => { window.delays.length = 0; }")
        chat.field.press_sequentially("the quick brown fox jumps over the lazy dog", delay=100)
    frames(chat.place)
    delays = sorted(chat.place.evaluate("() => window.delays"))
    # Those below 16 ms are not reported.
    p95 = f"{delays[int(len(delays) * 0.95)]:.0f}" if delays else "below 16"
    print(f"    typing at 4 × slow-down with 10,501 messages: p95 {p95} ms")


@test("the texts are in the language of the nearest lang attribute, follow its change, and fit 320 px in each")
def _(stage):
    chat = open_chat(stage, width=320, height=480, has_touch=True)
    chat.tell("refuse")
    chat.run(TALK)
    chat.run(TALK)
    wanted = {
        "de": ("Nachricht", "Senden", "Noch 5 Zeichen",
               "Die Nachricht wurde nicht gesendet. Bitte versuche es noch einmal."),
        "zh-TW": ("訊息", "傳送", "還可以輸入 5 個字", "訊息未送出，請再試一次。"),
        "ko-KR": ("메시지", "보내기", "5자 남음", "메시지를 보내지 못했습니다. 다시 시도해 주세요."),
        "ar": ("رسالة", "إرسال", "بقيت 5 أحرف", "لم تُرسَل الرسالة. حاول مرة أخرى."),
        "fr": ("Message", "Send", "5 characters left", "The message was not sent. Try again."),
        "en-GB": ("Message", "Send", "5 characters left", "The message was not sent. Try again."),
    }
    times = {"de": "10:05", "en-GB": "10:05", "fr": "10:05 AM", "zh-TW": "上午10:05", "ko-KR": "오전 10:05"}
    for language, (field, send, left, error) in wanted.items():
        set_language(chat.place, language)
        expect(chat.counter).to_be_visible()
        chat.write("x" * 995)
        expect(chat.field).to_have_accessible_name(field)
        expect(chat.send).to_have_accessible_name(send)
        expect(chat.counter).to_have_text(left)
        expect(chat.error).to_have_text(error)
        if language in times:
            same(chat.column("time")[0], times[language])
        for part in (chat.error, chat.counter, chat.send, chat.field):
            box = part.bounding_box()
            same(box["x"] >= 0 and box["x"] + box["width"] <= 320, True, f"{language}: {part}")
        same(chat.place.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), True, language)
        stage.shot(chat.place, f"text-chat-language-{language}")
    # Its own attribute is nearer than that of the page, and one outside of a shadow root counts, too.
    chat.host.evaluate("e => { e.lang = 'de'; }")
    expect(chat.counter).to_have_text("Noch 5 Zeichen")
    chat.host.evaluate("""e => {
      e.removeAttribute("lang");
      const outer = document.querySelector(".box");
      const inner = document.createElement("div");
      outer.lang = "ko";
      outer.append(inner);
      inner.attachShadow({ mode: "open" }).append(e);
    }""")
    expect(chat.counter).to_have_text("5자 남음")


@test("from right to left own messages are on the left; the tokens and the theme of the page take effect")
def _(stage):
    chat = open_chat(stage, language="ar")
    chat.run(TALK)
    same([row["side"] for row in chat.rows], ["right", "right", "left", "left", "right", "right", "left"])
    button = chat.send.bounding_box()
    same(button["x"] + button["width"] < chat.field.bounding_box()["x"], True)
    colours = "e => { const s = getComputedStyle(e); return [s.backgroundColor, s.color]; }"
    chat = open_chat(stage)
    same(chat.host.evaluate(colours), ["rgb(255, 255, 255)", "rgb(21, 32, 30)"])
    chat.host.evaluate("e => e.setAttribute('theme', 'dark')")
    same(chat.host.evaluate(colours), ["rgb(20, 24, 27)", "rgb(232, 238, 236)"])
    chat.place.emulate_media(color_scheme="dark")
    chat.host.evaluate("e => e.setAttribute('theme', 'light')")
    same(chat.host.evaluate(colours), ["rgb(255, 255, 255)", "rgb(21, 32, 30)"])
    chat.place.evaluate("() => document.body.style.setProperty('--roost-surface', 'rgb(1, 2, 3)')")
    chat.host.evaluate("e => e.style.setProperty('--roost-text', 'rgb(4, 5, 6)')")
    same(chat.host.evaluate(colours), ["rgb(1, 2, 3)", "rgb(4, 5, 6)"])
    chat.place.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("roost-text-chat::part(field) { border-radius: 3px; }");
      document.adoptedStyleSheets = [sheet];
    }""")
    same(chat.field.evaluate("e => getComputedStyle(e).borderRadius"), "3px")


@test("what is touched is 44 px or more, the field does not zoom, and with reduced motion nothing moves")
def _(stage):
    chat = open_chat(stage, width=320, height=568, has_touch=True, has_reduced_motion=True)
    banner(chat)
    for part in (chat.field, chat.send, chat.banner):
        box = part.bounding_box()
        same(box["width"] >= 44 and box["height"] >= 44, True, f"{part} {box}")
    same(chat.field.evaluate("e => parseFloat(getComputedStyle(e).fontSize) >= 16"), True)
    chat.banner.tap()
    expect(chat.banner).to_be_hidden()
    chat.tell("later")
    chat.write("x")
    same(chat.run("""host => [...host.shadowRoot.querySelectorAll("*")].some(e => {
      const style = getComputedStyle(e);
      return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0;
    })"""), False)
    # In the field many lines stay inside of it.
    chat.field.fill("line\n" * 30)
    same(chat.field.bounding_box()["height"] <= 148, True)
    same(chat.list.bounding_box()["height"] >= 64, True)
    chat.field.fill("")
    same(chat.field.bounding_box()["height"], 44)


if __name__ == "__main__":
    run()
