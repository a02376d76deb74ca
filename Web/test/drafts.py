#!/usr/bin/env python3
"""What is written and not sent yet in <roost-chat>, and what a name in it means. Needs ROOST, the server's binary."""

from browser import expect, run, same, test
from conversation_pages import PICTURE, choose, enter, pair, serve

HUM = """() => {
  navigator.mediaDevices.getUserMedia = async () => {
    const audio = new AudioContext();
    const hum = audio.createOscillator();
    const microphone = audio.createMediaStreamDestination();
    hum.connect(microphone);
    hum.start();
    window.microphone = microphone.stream.getTracks()[0];
    return microphone.stream;
  };
}"""
LAST = """host => {
  const { text, mentions, replyTo, type, file } = host.conversation.items.findLast(item => item.kind === "message").message;
  return [text, mentions ?? null, replyTo?.text ?? null, type, file?.name ?? null];
}"""


def team(stage, members=("bob Bob Meier", "bea Bea")):
    """Ann's and Bob's pages of a group."""
    server = serve(stage)
    for user in members:
        enter(stage, server, user).page.close()
    ann = enter(stage, server, "ann Ann", mode="both")
    ids = [user.split()[0] for user in members]
    channel = ann.run("(host, members) => host.client.createGroup({ title: 'Team', members })", ids)
    ann = enter(stage, server, "ann Ann", page=ann.page, channel=channel, mode="both")
    ann.page.wait_for_function("([id, count]) => document.getElementById(id).conversation.members.length === count",
                               arg=[ann.id, len(members) + 1])
    return server, ann, enter(stage, server, "bob Bob Meier", channel=channel), channel


def away(ann, channel, by):
    """Comes back to the conversation after another one was open, or after a reload."""
    if by == "reload":
        ann.run("host => host.client.flush()")
        ann.page.reload()
        ann.until_ready()
    else:
        ann.run("host => host.open('lobby')")
        expect(ann.field).to_have_value("")
        ann.run("(host, channel) => host.open(channel)", channel)
    ann.page.wait_for_function("id => document.getElementById(id).conversation.members.length === 3", arg=ann.id)


def until_stored(ann, condition):
    """Waits until the drafts in the store, a map, meet a condition."""
    ann.run(f"""async (host) => {{
      const end = performance.now() + 60_000;
      for (;;) {{
        const {{ drafts }} = await host.client.core.cache.store.load();
        if ({condition}) return;
        if (performance.now() > end) throw new Error("never came true");
        await new Promise(requestAnimationFrame);
      }}
    }}""")


def keeps_draft(stage, way):
    """A draft with everything is as it was, and is gone when it was sent."""
    _, ann, bob, channel = team(stage)
    bob.write("a question")
    ann.bubble("a question").click(button="right")
    ann.menu.get_by_role("menuitem", name="Reply").click()
    ann.field.press_sequentially("hi @bo")
    expect(ann.host.get_by_role("option")).to_have_count(1)
    ann.field.press("Enter")
    ann.field.press_sequentially("look")
    choose(ann, "Picture or Video", [PICTURE])
    expect(ann.host.locator(".tray li")).to_have_count(1)
    until_stored(ann, "drafts.size === 2")
    away(ann, channel, way)
    expect(ann.host.locator(".tray img")).to_have_count(1)
    expect(ann.host.locator(".replying")).to_contain_text("a question")
    expect(ann.field).to_have_value("hi @Bob Meier look")
    ann.field.press("End")
    ann.field.press_sequentially(" here")
    ann.field.press("Enter")
    expect(bob.rows.locator(".media.image")).to_have_count(1)
    same(bob.run(LAST), ["hi @Bob Meier look here", [{"userID": "bob", "start": 3, "length": 10}], "a question",
                         "image", "roof.png"])
    expect(ann.host.locator(".tray")).to_be_hidden()
    until_stored(ann, "!drafts.size")
    away(ann, channel, way)
    expect(ann.field).to_have_value("")
    expect(ann.host.locator(".replying, .tray").locator("visible=true")).to_have_count(0)


@test("a draft keeps its mentions, the answered message and files over a change of conversation")
def _(stage):
    keeps_draft(stage, "conversation")


@test("a draft keeps its mentions, the answered message and files over a reload")
def _(stage):
    keeps_draft(stage, "reload")


@test("a draft of an earlier version, which is a text only, is still there")
def _(stage):
    _, ann, _ = pair(stage)
    ann.run("host => host.client.core.cache.store.write([{ in: 'drafts', put: 'not yet', key: 'ann:bob' }])")
    ann.page.reload()
    expect(ann.field).to_have_value("not yet")


@test("a draft whose file the browser cannot keep has it until the page is closed, and its text after that")
def _(stage):
    _, ann, _, channel = team(stage)
    ann.run("""() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, ...words) {
        if (Array.isArray(value) && value[0]?.file) throw new DOMException("Full.", "QuotaExceededError");
        return put.call(this, value, ...words);
      };
    }""")
    choose(ann, "Picture or Video", [PICTURE])
    ann.field.fill("words")
    away(ann, channel, "conversation")
    expect(ann.host.locator(".tray img")).to_have_count(1)
    away(ann, channel, "reload")
    expect(ann.field).to_have_value("words")
    expect(ann.host.locator(".tray li")).to_have_count(0)


@test("a voice message that is being recorded becomes a file of the draft when one leaves, and can be sent then")
def _(stage):
    _, ann, bob, channel = team(stage)
    ann.page.evaluate(HUM)
    ann.host.get_by_label("Record a voice message").click()
    expect(ann.host.locator(".recording")).to_contain_text("Recording, 0:01")
    away(ann, channel, "conversation")
    expect(ann.host.locator(".tray")).to_contain_text("voice")
    same(ann.page.evaluate("() => microphone.readyState"), "ended")
    ann.host.get_by_role("button", name="Remove").click()
    expect(ann.host.locator(".tray li")).to_have_count(0)
    ann.host.get_by_label("Record a voice message").click()
    until_stored(ann, "[...drafts.keys()].some((key) => key.endsWith(' files'))")
    away(ann, channel, "reload")
    expect(ann.host.locator(".tray")).to_contain_text("voice")
    ann.send.click()
    expect(bob.host.locator(".voice")).to_have_count(1)
    same(bob.run(LAST)[3], "voice")
    same(bob.run("host => host.conversation.items.at(-1).message.file.durationMs > 1000"), True)


@test("a name that is written out in full is a mention; an address is none; names with spaces and after 你好 are found")
def _(stage):
    _, ann, bob, _ = team(stage)
    options = ann.host.get_by_role("option")
    for typed in ("@Bob M", "你好@bo", "(@bo"):
        ann.field.fill("")
        ann.field.press_sequentially(typed)
        expect(options).to_have_count(1)
    ann.field.fill("")
    ann.field.press_sequentially("bob@be")
    expect(options).to_have_count(0)
    ann.field.fill("")
    ann.field.press_sequentially("@bob please")
    expect(options).to_have_count(0)
    ann.field.press("Enter")
    expect(bob.texts.last.locator(".mention.is-me")).to_have_text("@bob")
    ann.write("ask @bob meier, or mail bea@example.com @nobody")
    expect(bob.texts).to_have_count(2)
    same(bob.run(LAST)[:2], ["ask @bob meier, or mail bea@example.com @nobody",
                             [{"userID": "bob", "start": 4, "length": 10}]])


run()
