#!/usr/bin/env python3
"""What the client keeps in a browser: reloads, tabs, and a server that is away. Needs ROOST, the server's binary."""

from browser import LOST, run, same, test, until_same

SCRIPT = """
import { connect } from "/web/roost.js";
const parameters = new URLSearchParams(location.search);
if (parameters.has("slow-lock")) {
  // A lock that is given only when the connection has told everything.
  const { request } = LockManager.prototype;
  LockManager.prototype.request = async function (name, options, hold) {
    await new Promise((done) => (window.giveLock = done));
    return request.call(this, name, options, hold);
  };
}
const client = connect({ server: parameters.get("server"), guest: { userID: parameters.get("user") } });
const conversation = client.conversation(parameters.get("channel"));
window.asked = [];
const { sync } = client.core;
const { ask } = sync;
sync.ask = (...words) => (asked.push(words[0]), ask.apply(sync, words));
window.client = client;
window.conversation = conversation;
window.messages = () => conversation.items.filter((item) => item.kind === "message");
window.texts = () => messages().map((item) => item.message.text).join(" ");
window.states = () => [...new Set(messages().map((item) => item.state))].join(" ");
await client.ready;
if (parameters.has("slow")) {
  // A store that answers only when the connection has told everything.
  const { rows } = client.core.cache.store;
  const isLive = new Promise((done) => client.addEventListener("state", () => client.state === "live" && done()));
  client.core.cache.store.rows = async (...words) => (await isLive, rows.apply(client.core.cache.store, words));
}
await conversation.open();
window.isOpen = true;
"""


def world(stage, *words):
    """A server with two users who have a 1-on-1."""
    stage.allow(LOST)
    limits = [word for name in ("sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond")
              for word in ("--limit", f"{name}=0")]
    stage.site.add_page("/client.html", script=SCRIPT)
    server = stage.server("--allow-origin", stage.site.url, *limits, *words)
    page = enter(stage, stage.page(), server, "ann", "ann:bob", waits=False)
    other = enter(stage, stage.page(), server, "bob", "ann:bob", waits=False)
    for each in (page, other):
        each.wait_for_function("() => window.client?.state === 'live'")
    page.evaluate("() => client.startConversation('bob')")
    return server, enter(stage, page, server, "ann", "ann:bob"), enter(stage, other, server, "bob", "ann:bob")


def enter(stage, page, server, user, channel, waits=True, more=""):
    page.goto(f"{stage.site.url}/client.html?server={server.url}&user={user}&channel={channel}{more}")
    if waits:
        page.wait_for_function("() => window.isOpen")
    return page


def send(page, *texts):
    page.evaluate("texts => texts.map((text) => conversation.send({ text }))", list(texts))


def until(page, texts, states="sent"):
    """Waits until the page shows these texts, all in these states."""
    until_same(page, "() => [window.texts?.(), window.states?.()]", [" ".join(texts), states])


def until_stored(page, condition):
    """Waits until the messages to be sent that the store holds, `queue`, meet a condition."""
    page.evaluate(f"""async () => {{
      const isMet = (queue) => {condition};
      const end = performance.now() + 60_000;
      while (!isMet((await client.core.cache.store.load()).queue)) {{
        if (performance.now() > end) throw new Error("never came true: {condition}");
        await new Promise(requestAnimationFrame);
      }}
    }}""")


NUMBERS = [str(number) for number in range(40)]


@test("a reload without a server shows the list and the conversation as they were")
def _(stage):
    server, ann, bob = world(stage)
    send(ann, *NUMBERS)
    until(bob, NUMBERS)
    bob.evaluate("() => client.flush()")
    server.kill()
    bob.reload()
    bob.wait_for_function("() => window.isOpen")
    until(bob, NUMBERS)
    same(bob.evaluate("() => client.list.channels.map((channel) => [channel.name, channel.unread])"), [["ann", 40]])
    same(bob.evaluate("() => client.totalUnread"), 40)
    same(bob.evaluate("() => client.user.userID"), "bob")


@test("what is written while the server is away is sent once and in order, after a reload, too")
def _(stage):
    server, ann, bob = world(stage)
    server.kill()
    send(ann, *NUMBERS[:20])
    until_stored(ann, "queue.length === 20")
    ann.reload()
    until(ann, NUMBERS[:20], "sending")
    send(ann, *NUMBERS[20:])
    server.start()
    until(ann, NUMBERS)
    until(bob, NUMBERS)
    until_stored(ann, "queue.length === 0")


@test("what waits from before a reload goes before what is written while the tab begins to lead")
def _(stage):
    server, ann, bob = world(stage)
    server.kill()
    send(ann, *NUMBERS[:20])
    until_stored(ann, "queue.length === 20")
    enter(stage, ann, server, "ann", "ann:bob", more="&slow-lock")
    until(ann, NUMBERS[:20], "sending")
    ann.evaluate("""() => {
      const { load } = client.core.cache.store;
      const isAllowed = new Promise((done) => (window.allowLoad = done));
      client.core.cache.store.load = async () => (await isAllowed, load.call(client.core.cache.store));
      giveLock();
    }""")
    ann.wait_for_function("() => client.isLeader")
    send(ann, *NUMBERS[20:])
    server.start()
    ann.wait_for_function("() => client.state === 'live'")
    ann.evaluate("() => client.perform('user.get', { userID: 'ann' }).catch(() => {})")
    ann.evaluate("() => allowLoad()")
    until(ann, NUMBERS)
    until(bob, NUMBERS)


@test("what was written in the moment in which a page ends is kept")
def _(stage):
    server, ann, bob = world(stage)
    server.kill()
    # Nothing else runs in the page after this, so it never hears that the message is stored.
    with ann.expect_request("**/written"):
        ann.evaluate("""() => {
          setTimeout(() => {
            conversation.send({ text: "last words" });
            const request = new XMLHttpRequest();
            request.open("GET", "/written", false);
            request.send();
            for (;;);
          });
        }""")
    tab = stage.tab(ann)
    ann.close()
    ann = enter(stage, tab, server, "ann", "ann:bob")
    until(ann, ["last words"], "sending")
    server.start()
    until(bob, ["last words"])


@test("a failed message and a draft survive a reload")
def _(stage):
    server, ann, bob = world(stage)
    bob.evaluate("() => client.perform('user.block', { userID: 'ann' })")
    send(ann, "hello")
    until(ann, ["hello"], "failed")
    ann.evaluate("() => { conversation.setDraft({ text: 'not yet' }); return client.flush(); }")
    until_stored(ann, "queue[0]?.state === 'failed'")
    ann.reload()
    ann.wait_for_function("() => window.isOpen")
    until(ann, ["hello"], "failed")
    same(ann.evaluate("() => [conversation.draft.text, messages()[0].error.code]"), ["not yet", 7003])
    bob.evaluate("() => client.perform('user.unblock', { userID: 'ann' })")
    ann.evaluate("() => conversation.retry(messages()[0].key)")
    until(ann, ["hello"])
    until(bob, ["hello"])


@test("two tabs of one user: one leads, both send, and the other leads when it is closed")
def _(stage):
    server, ann, bob = world(stage)
    tab = enter(stage, stage.tab(ann), server, "ann", "ann:bob")
    ann.wait_for_function("() => client.isLeader")
    same(tab.evaluate("() => client.isLeader"), False)
    same(ann.evaluate("() => client.deviceID") == tab.evaluate("() => client.deviceID"), True)
    send(tab, "one")
    until(ann, ["one"])
    until(tab, ["one"])
    server.kill()
    send(ann, "two")
    tab.wait_for_function("() => messages().length === 2")
    send(tab, "three")
    ann.wait_for_function("() => messages().length === 3")
    same(tab.evaluate("() => texts()"), "one two three")
    ann.close()
    tab.wait_for_function("() => client.isLeader")
    server.start()
    until(tab, ["one", "two", "three"])
    until(bob, ["one", "two", "three"])
    tab.evaluate("() => client.flush()")
    server.kill()
    tab.reload()
    until(tab, ["one", "two", "three"])


@test("an upload that a reload has interrupted goes on")
def _(stage):
    server, ann, bob = world(stage)
    server.kill()
    ann.evaluate("""() => {
      const bytes = new Uint8Array(700_000).fill(7);
      conversation.sendFile(new File([bytes], "data.bin", { type: "application/octet-stream" }));
    }""")
    until_stored(ann, "queue.length === 1")
    ann.reload()
    ann.wait_for_function("() => window.texts && states() === 'uploading'")
    server.start()
    bob.wait_for_function("() => messages().length === 1")
    same(bob.evaluate("() => [messages()[0].message.file.name, messages()[0].message.file.size]"), ["data.bin", 700_000])


@test("old pages come from the store, and newer messages follow after a time away")
def _(stage):
    server, ann, bob = world(stage)
    many = [str(number) for number in range(130)]
    send(ann, *many)
    until(ann, many)
    ann.evaluate("() => client.flush()")
    ann.goto("about:blank")
    send(bob, "late")
    bob.wait_for_function("() => states() === 'sent' && texts().endsWith('late')")
    ann.go_back()
    ann.wait_for_function("() => window.isOpen && client.state === 'live' && texts().endsWith('late')")
    ann.evaluate("async () => { while (conversation.hasBefore) await conversation.loadBefore(); }")
    same(ann.evaluate("() => texts()"), " ".join([*many, "late"]))
    same(ann.evaluate("() => asked.includes('message.list')"), False)


@test("what arrives or is deleted before a tab leads is stored like everything else")
def _(stage):
    server, ann, bob = world(stage)
    many = [str(number) for number in range(130)]
    send(ann, *many)
    until(ann, many)
    ann.evaluate("() => client.flush()")
    ann.goto("about:blank")
    send(bob, "late")
    # A slow page may have been told of a gap only, and have no more than the last page.
    bob.wait_for_function("() => states() === 'sent' && texts().endsWith('late')")
    enter(stage, ann, server, "ann", "ann:bob", more="&slow-lock")
    ann.wait_for_function("() => client.state === 'live' && texts().endsWith('late')")
    same(ann.evaluate("() => client.isLeader"), False)
    ann.evaluate("""() => conversation.deleteForMe(
      [messages().find(({ message }) => message.text === '120').message.messageID])""")
    many.remove("120")
    ann.wait_for_function("() => !texts().split(' ').includes('120')")
    ann.evaluate("() => giveLock()")
    ann.wait_for_function("() => client.isLeader")
    ann.evaluate("async () => { while (conversation.hasBefore) await conversation.loadBefore(); }")
    same(ann.evaluate("() => texts()"), " ".join([*many, "late"]))
    same(ann.evaluate("() => asked.includes('message.list')"), False)
    ann.evaluate("() => client.flush()")
    server.kill()
    ann.reload()
    until(ann, [*many, "late"][-50:])
    ann.evaluate("async () => { while (conversation.hasBefore) await conversation.loadBefore(); }")
    same(ann.evaluate("() => texts()"), " ".join([*many, "late"]))


@test("a conversation waits for a slow store rather than reading the same from the server")
def _(stage):
    server, ann, bob = world(stage)
    send(ann, *NUMBERS)
    until(ann, NUMBERS)
    ann.evaluate("() => client.flush()")
    ann.goto("about:blank")
    enter(stage, ann, server, "ann", "ann:bob", more="&slow")
    until(ann, NUMBERS)
    same(ann.evaluate("() => asked.includes('message.list')"), False)


@test("the separator stands above what came while one was away, also if the conversation opens from the store")
def _(stage):
    server, ann, bob = world(stage)
    send(ann, "one", "two")
    until(ann, ["one", "two"])
    ann.evaluate("() => client.flush()")
    ann.goto("about:blank")
    send(bob, "three", "four", "five")
    until(bob, ["one", "two", "three", "four", "five"])
    ann.go_back()
    ann.wait_for_function("() => window.isOpen && client.state === 'live' && texts().endsWith('five')")
    kinds = "() => conversation.items.map((item) => item.kind === 'message' ? item.message.text : item.kind)"
    same(ann.evaluate(kinds), ["day", "one", "two", "unread", "three", "four", "five"])
    same(ann.evaluate("() => conversation.items.find((item) => item.kind === 'unread').count"), 3)


@test("logging out leaves nothing of the user in the browser")
def _(stage):
    server, ann, bob = world(stage)
    send(ann, "secret")
    until(bob, ["secret"])
    same(ann.evaluate("async () => (await indexedDB.databases()).length"), 1)
    ann.evaluate("() => client.logOut()")
    same(ann.evaluate("async () => (await indexedDB.databases()).length"), 0)


run()
