#!/usr/bin/env python3
"""Rows that show nothing hide no messages, and nothing is read that nobody saw. Needs ROOST, the server's binary."""

from browser import expect, frames, run, same, test
from conversation_pages import enter, serve

EMOJI = [chr(0x1F600 + number) for number in range(20)]
UNREAD = "host => [host.client.totalUnread, host.conversation.channel.unread]"


def group(stage, server, text="we won"):
    """A group of five with a message of ann; returns pages' chat of ann, the channel and the message's id."""
    for user in ("bob", "cat", "dan", "eve"):
        server.roost("send", "--as", user, "--to", user, "me")
    ann = enter(stage, server, "ann Ann", user="bob")
    channel, message = ann.run("""async (host, text) => {
      const { client } = host;
      const channel = await client.createGroup({ title: "Team", members: ["bob", "cat", "dan", "eve"] });
      const conversation = client.conversation(channel);
      await conversation.open();
      conversation.send({ text });
      const own = () => conversation.items.find(item => item.message?.text === text && item.state === "sent");
      while (!own()) await new Promise(done => conversation.addEventListener("change", done, { once: true }));
      return [channel, own().message.messageID];
    }""", text)
    return ann, channel, message


def react(stage, server, channel, message, users, rounds=1):
    """Each of these users adds 20 reactions to a message, and takes them back and adds them again in more rounds."""
    page = stage.page("/chat.html")
    page.evaluate("""async ([server, users, emoji, channel, messageID, rounds]) => {
      const { connect } = await import("/web/roost.js");
      await Promise.all(users.map(async userID => {
        const client = connect({ server, guest: { userID }, store: false });
        await client.ready;
        for (let round = 0; round < rounds; round += 1) {
          const command = round % 2 ? "reaction.remove" : "reaction.add";
          await Promise.all(emoji.map(emoji => client.perform(command, { channel, messageID, emoji })));
        }
        await client.close();
      }));
    }""", [server.url, users, EMOJI, channel, message, rounds])
    page.close()


def unfocused(page):
    """Pages of Playwright all have the focus; this one has it when the test says so, and its clock can be moved on.

    `pauses` counts how often it began to wait for half a second, which is what a message has to be on the screen.
    """
    page.add_init_script("""
      window.isFocused = false;
      document.hasFocus = () => isFocused;
      window.later = 0;
      const now = performance.now.bind(performance);
      performance.now = () => now() + later;
      window.pauses = 0;
      const wait = window.setTimeout;
      window.setTimeout = (work, ms, ...words) => {
        if (ms === 500) pauses += 1;
        return wait(work, ms, ...words);
      };
    """)
    return page


for rounds in (1, 2, 3):
    for store in (True, False):
        @test(f"a message with {rounds * 60} rows of reactions shows in a new page, and after a reload, "
              f"{'with' if store else 'without'} a store")
        def _(stage, rounds=rounds, store=store):
            server = serve(stage)
            ann, channel, message = group(stage, server)
            react(stage, server, channel, message, ["ann", "bob", "cat"], rounds)
            page = stage.page()
            if not store:
                page.add_init_script("delete Window.prototype.indexedDB; delete window.indexedDB;")
            bob = enter(stage, server, "bob Bob", page=page, channel=channel)
            expect(bob.texts).to_have_text(["we won"])
            same(bob.run("host => Boolean(host.client.core.cache.store)"), store)
            bob.until_read("we won")
            page.reload()
            expect(bob.until_ready().texts).to_have_text(["we won"])
            if store:
                bob.run("host => host.client.flush()")
                server.kill()
                page.reload()
                expect(bob.texts).to_have_text(["we won"])


@test("a message stays unread until it is on the screen, however many reactions follow it")
def _(stage):
    server = serve(stage)
    ann, channel, message = group(stage, server)
    react(stage, server, channel, message, ["ann", "cat", "dan"])
    page = unfocused(stage.page())
    bob = enter(stage, server, "bob Bob", page=page, channel=channel)
    expect(bob.texts).to_have_text(["we won"])
    frames(page)
    same((bob.run(UNREAD), page.evaluate("() => pauses")), ([1, 1], 0))
    page.evaluate("() => { isFocused = true; dispatchEvent(new Event('focus')); }")
    bob.until_read("we won")
    same(bob.run(UNREAD), [0, 0])


@test("the message shows when its newest 3,000 rows are reactions, also from the store, and older ones follow")
def _(stage):
    server = serve(stage)
    ann, channel, message = group(stage, server)
    react(stage, server, channel, message, ["ann", "bob", "cat", "dan", "eve"], rounds=31)
    page = stage.page()
    bob = enter(stage, server, "bob Bob", page=page, channel=channel)
    expect(bob.texts).to_have_text(["we won"])
    same(bob.run("host => host.conversation.channel.seq > 3000"), True)
    same(bob.run("host => host.conversation.hasBefore"), False)
    bob.run("host => host.client.flush()")
    server.kill()
    page.reload()
    expect(bob.texts).to_have_text(["we won"])


@test("ballots and silent recalls hide no messages, live, after a reload, and from the store")
def _(stage):
    server = serve(stage)
    ann, channel, message = group(stage, server)
    page = stage.page()
    bob = enter(stage, server, "bob Bob", page=page, channel=channel)
    ann.run("""async (host, channel) => {
      const conversation = host.client.conversation(channel);
      await conversation.createVote({ question: "when?", options: ["now", "later"], canChange: true });
      const vote = () => conversation.items.find(item => item.message?.vote)?.message.messageID;
      while (!vote()) await new Promise(done => conversation.addEventListener("change", done, { once: true }));
      for (let index = 0; index < 60; index += 1) {
        await host.client.perform("vote.cast", { channel, messageID: vote(), options: [index % 2] });
      }
      for (let index = 0; index < 60; index += 1) conversation.send({ text: `gone ${index}` });
      const mine = () => conversation.items.filter(item => item.message?.text.startsWith("gone"));
      while (mine().length < 60 || mine().some(item => item.state !== "sent")) {
        await new Promise(done => conversation.addEventListener("change", done, { once: true }));
      }
      const ids = mine().map(item => item.message.messageID);
      for (let at = 0; at < 60; at += 20) {
        await host.client.perform("message.recall", { channel, messageIDs: ids.slice(at, at + 20), isSilent: true });
      }
    }""", channel)
    questions = "host => host.conversation.items.filter(item => item.kind === 'message').map(item => item.message.text)"
    bob.page.wait_for_function("""id => {
      const { client, conversation } = document.getElementById(id);
      return conversation.channel.seq >= 125 && conversation.items.filter(item => item.kind === "message").length === 2;
    }""", arg=bob.id)
    same(bob.run(questions), ["we won", "when?"])
    bob.run("host => host.client.flush()")
    for is_offline in (False, True):
        if is_offline:
            server.kill()
        page.reload()
        expect(bob.texts.first).to_have_text("we won")
        same(bob.run(questions), ["we won", "when?"])
    server.start()
    cat = enter(stage, server, "cat Cat", channel=channel)
    expect(cat.texts.first).to_have_text("we won")
    same(cat.run(questions), ["we won", "when?"])


@test("a text that was recalled while its page was on the way is neither on the screen nor in the store")
def _(stage):
    server = serve(stage)
    ann, channel, message = group(stage, server, "secret")
    ann.run("""async (host, channel) => {
      const conversation = host.client.conversation(channel);
      for (let index = 0; index < 90; index += 1) conversation.send({ text: `line ${index}` });
      const last = () => conversation.items.at(-1);
      while (last().message?.text !== "line 89" || last().state !== "sent") {
        await new Promise(done => conversation.addEventListener("change", done, { once: true }));
      }
    }""", channel)
    server.roost("send", "--as", "bob", "--to", "bob", "me")
    page = stage.page()
    # The self channel: the conversation is opened by hand.
    bob = enter(stage, server, "bob Bob", page=page, user="bob")
    page.wait_for_function("() => document.querySelector('roost-chat').client.isLeader")
    page.evaluate("""async channel => {
      const { client } = document.querySelector("roost-chat");
      window.conversation = client.conversation(channel);
      await conversation.open();
      const { sync } = client.core;
      const { ask } = sync;
      const gate = new Promise(done => (window.openGate = done));
      sync.ask = async (...words) => {
        const answer = await ask.apply(sync, words);
        if (words[0] !== "message.list") return answer;
        window.isRead = true;
        await gate;
        return answer;
      };
      window.loaded = conversation.loadBefore();
    }""", channel)
    page.wait_for_function("() => window.isRead")
    page.evaluate("() => { window.head = conversation.channel.seq; }")
    ann.run("(host, [channel, id]) => host.client.perform('message.recall', { channel, messageIDs: [id] })",
            [channel, message])
    page.wait_for_function("() => conversation.channel.seq > head")
    found = page.evaluate("""async () => {
      openGate();
      await loaded;
      const { client } = document.querySelector("roost-chat");
      await client.flush();
      const stored = await client.core.cache.store.rows(conversation.id, 1, Infinity, 1000);
      return [conversation.items.map(item => item.message?.text), stored.map(row => row.body.text)]
        .map(texts => [texts.includes("secret"), texts.includes("line 0")]);
    }""")
    same(found, [[False, True], [False, True]])


@test("a window without focus marks nothing as read until it gets the focus, or a key, a wheel or a pointer is used")
def _(stage):
    server = serve(stage)
    server.roost("send", "--as", "ann", "--to", "ann", "me")
    server.roost("send", "--as", "bob", "--to", "ann", "first")
    page = unfocused(stage.page())
    ann = enter(stage, server, "ann Ann", page=page, user="bob")
    bob = enter(stage, server, "bob Bob", user="ann")
    uses = {
        "first": lambda: page.evaluate("() => { isFocused = true; dispatchEvent(new Event('focus')); }"),
        "second": lambda: page.keyboard.press("Shift"),
        "third": lambda: page.mouse.wheel(0, 1),
        "fourth": lambda: page.mouse.click(300, 300),
    }
    page.mouse.move(300, 300)
    for number, (text, use) in enumerate(uses.items()):
        if text != "first":
            bob.write(text)
        expect(ann.texts.filter(has_text=text)).to_be_visible()
        frames(page)
        same((ann.run("host => host.conversation.channel.unread"), page.evaluate("() => pauses")), (1, number), text)
        use()
        ann.until_read(text)
        # Five seconds later nobody attends to it any more.
        page.evaluate("() => { isFocused = false; later += 5000; }")


@test("a message of others in a group tells how many have not read it, and the number goes when all have [J-53]")
def _(stage):
    server = serve(stage)
    ann, channel, message = group(stage, server)
    page = unfocused(stage.page())
    bob = enter(stage, server, "bob Bob", page=page, channel=channel)
    number = bob.row("we won").locator(".unread-by")
    # Neither the sender nor the reader counts.
    expect(number).to_have_text("3")
    expect(bob.row("we won").get_by_label("Unread by 3")).to_be_visible()
    stage.axe(page)
    stage.shot(page, "unread-by-of-others")
    page.evaluate("() => { isFocused = true; dispatchEvent(new Event('focus')); }")
    for user in ("cat", "dan", "eve"):
        reader = enter(stage, server, f"{user} {user.title()}", channel=channel)
        reader.until_read("we won")
        reader.page.close()
    expect(number).to_have_count(0)
    # A 1-on-1 shows nothing on messages of the other one.
    ann.write("hello")
    ann.until_sent("hello")
    other = enter(stage, server, "bob Bob", page=page, user="ann")
    expect(other.texts.filter(has_text="hello")).to_be_visible()
    expect(other.host.locator(".unread-by, .other .marks")).to_have_count(0)


run()
