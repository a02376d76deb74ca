#!/usr/bin/env python3
"""Reports, and what operators do in a conversation, against a real server. Needs ROOST, its binary.

With ROOST_SCREENSHOTS, the pictures of the dialog are in that folder.
"""
from app_driver import operate, token
from browser import expect, run, same, test
from conversation_pages import Chat, enter, lobby, pair, serve

REASONS = ["Spam", "Harassment", "Violence", "Sexual content", "Something else"]


def reports(server):
    """What the operators have got, the oldest first: category, text, and the message or the user that is reported."""
    found = []
    for report in operate(server, "report.list")["reports"]:
        message = report.get("message")
        about = message["body"]["text"] if message else report["user"]["userID"]
        found.append((report["byUser"]["userID"], report.get("category"), report.get("text"), about))
    return found


def menu(chat, text):
    chat.bubble(text).click(button="right")
    expect(chat.menu).to_be_visible()
    return chat.menu


def open_report(chat, text="rude"):
    """The dialog for reporting a message."""
    menu(chat, text).get_by_role("menuitem", name="Report…").click()
    dialog = chat.host.get_by_role("dialog", name="Report message")
    expect(dialog).to_be_visible()
    return dialog


def toast(chat):
    return chat.host.locator(".toast")


@test("a message is reported with a reason and a text, once, and nobody else is told")
def _(stage):
    server, ann, bob = lobby(stage)
    bob.write("before")
    bob.write("rude")
    dialog = open_report(ann)
    expect(dialog).to_contain_text("The operators of this server get this message and what was written just before it.")
    expect(dialog).to_contain_text("Nobody else is told.")
    expect(dialog.get_by_role("radiogroup", name="Reason").get_by_role("radio")).to_have_count(5)
    same(dialog.get_by_role("radiogroup").locator("label").all_text_contents(), REASONS)
    # Without a reason nothing is sent.
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.get_by_role("alert")).to_have_text("Choose a reason.")
    same(reports(server), [])
    dialog.get_by_label("Violence").check()
    field = dialog.get_by_label("What should the operators know?")
    same(field.get_attribute("maxlength"), "1000")
    field.fill("  He means it.\nReally.  ")
    dialog.get_by_role("button", name="Send").click()
    expect(toast(ann)).to_have_text("Thank you. The report was sent.")
    expect(ann.host.locator("dialog")).to_have_count(0)
    same(reports(server), [("ann", "violence", "He means it.\nReally.", "rude")])
    expect(toast(bob)).to_have_count(0)
    same(bob.run("host => host.conversation.items.map(({ kind }) => kind)"), ["day", "message", "message"])
    stage.shot(ann.page, "report-sent")


@test("in a 1-on-1 a message is reported with a reason alone, also by somebody who is blocked")
def _(stage):
    server, ann, bob = pair(stage)
    bob.write("rude")
    bob.until_sent("rude")
    expect(ann.bubble("rude")).to_be_visible()
    bob.run("host => host.client.perform('user.block', { userID: 'ann' })")
    dialog = open_report(ann)
    dialog.get_by_label("Something else").check()
    dialog.get_by_label("What should the operators know?").fill(" \n ")
    dialog.get_by_role("button", name="Send").click()
    expect(toast(ann)).to_have_text("Thank you. The report was sent.")
    same(reports(server), [("ann", "other", None, "rude")])


@test("own and recalled messages and announcements cannot be reported")
def _(stage):
    server, ann, bob = lobby(stage)
    operate(server, "message.announce", channel="lobby", text="closed today")
    bob.write("rude")
    bob.write("sorry")
    ann.write("mine")
    ann.until_sent("mine")
    expect(menu(ann, "rude").get_by_role("menuitem", name="Report…")).to_be_visible()
    ann.page.keyboard.press("Escape")
    for text in ("mine", "closed today"):
        expect(menu(ann, text).get_by_role("menuitem", name="Report…")).to_have_count(0)
        ann.page.keyboard.press("Escape")
    bob.run("""host => host.conversation.recall([host.conversation.items
      .find(({ message }) => message?.text === "sorry").message.messageID])""")
    expect(ann.row("Bob recalled this message")).to_be_visible()
    ann.bubble("Bob recalled this message").click(button="right")
    # There is nothing to do with it in an open channel.
    expect(ann.menu).to_have_count(0)


@test("Cancel, Close, Escape and a press beside the dialog send nothing, and the focus returns")
def _(stage):
    server, ann, bob = lobby(stage)
    bob.write("rude")
    expect(ann.bubble("rude")).to_be_visible()
    for close in (lambda dialog: dialog.get_by_role("button", name="Cancel").click(),
                  lambda dialog: dialog.get_by_role("button", name="Close").click(),
                  lambda dialog: ann.page.keyboard.press("Escape"),
                  lambda dialog: ann.page.mouse.click(10, 10)):
        dialog = open_report(ann)
        dialog.get_by_label("Spam").check()
        dialog.get_by_label("What should the operators know?").fill("Look at this")
        close(dialog)
        expect(ann.host.locator("dialog")).to_have_count(0)
        expect(ann.row("rude")).to_be_focused()
    same(reports(server), [])
    # What was written before is not there any more.
    expect(open_report(ann).get_by_label("What should the operators know?")).to_have_value("")


@test("a message is reported by keys alone")
def _(stage):
    server, ann, bob = lobby(stage)
    bob.write("rude")
    expect(ann.bubble("rude")).to_be_visible()
    page = ann.page
    ann.field.focus()
    page.keyboard.press("ArrowUp")
    expect(ann.row("rude")).to_be_focused()
    page.keyboard.press("Enter")
    expect(ann.menu).to_be_visible()
    expect(ann.menu.get_by_role("menuitem", name="Reply")).to_be_focused()
    page.keyboard.press("r")
    expect(ann.menu.get_by_role("menuitem", name="Report…")).to_be_focused()
    page.keyboard.press("Enter")
    dialog = ann.host.get_by_role("dialog", name="Report message")
    expect(dialog.get_by_label("Spam")).to_be_focused()
    expect(dialog.get_by_label("Spam")).not_to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(dialog.get_by_label("Harassment")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.type("one")
    page.keyboard.press("Enter")
    page.keyboard.type("two")
    for name in ("Cancel", "Send"):
        page.keyboard.press("Tab")
        expect(dialog.get_by_role("button", name=name)).to_be_focused()
    page.keyboard.press("Enter")
    expect(toast(ann)).to_be_visible()
    same(reports(server), [("ann", "harassment", "one\ntwo", "rude")])
    expect(ann.row("rude")).to_be_focused()


@test("a report that fails keeps the text and says why, Send is disabled on its way, and the next try works")
def _(stage):
    server, ann, bob = lobby(stage)
    bob.write("rude")
    expect(ann.bubble("rude")).to_be_visible()
    # The answers of the server come when the test wants them.
    ann.run("""host => {
      const { perform } = host.client;
      window.asked = 0;
      host.client.perform = (command, body) => command !== "report.create" ? perform.call(host.client, command, body) :
        new Promise((resolve, reject) => {
          window.asked += 1;
          window.answer = error => error ? reject(Object.assign(new Error(), error)) :
            resolve(perform.call(host.client, command, body));
        });
    }""")
    dialog = open_report(ann)
    send, field = dialog.get_by_role("button", name="Send"), dialog.get_by_label("What should the operators know?")
    dialog.get_by_label("Sexual content").check()
    field.fill("Look at this")
    for error, text in (({"code": 1, "name": "databaseAccess"},
                         "Messages cannot be stored or read at the moment. Try again later."),
                        ({"code": 7018, "name": "limitReached"},
                         "You have sent many reports today. Try again tomorrow.")):
        send.click()
        expect(send).to_be_disabled()
        ann.page.evaluate("error => answer(error)", error)
        expect(dialog.get_by_role("alert")).to_have_text(text)
        expect(send).to_be_enabled()
        expect(field).to_have_value("Look at this")
        expect(dialog.get_by_label("Sexual content")).to_be_checked()
    same(reports(server), [])
    stage.shot(ann.page, "report-failed")
    send.click()
    expect(send).to_be_disabled()
    ann.page.evaluate("answer()")
    expect(toast(ann)).to_be_visible()
    same((reports(server), ann.page.evaluate("asked")), ([("ann", "sexual", "Look at this", "rude")], 3))
    # A failure after the dialog was closed is told as well.
    dialog = open_report(ann)
    dialog.get_by_label("Spam").check()
    send.click()
    ann.page.keyboard.press("Escape")
    ann.page.evaluate("answer({ code: 1, name: 'databaseAccess' })")
    expect(toast(ann).last).to_have_text("Messages cannot be stored or read at the moment. Try again later.")


@test("the server's own refusal is shown: after 20 reports in a day no more are taken")
def _(stage):
    server, ann, bob = lobby(stage)
    fill = [f"rude {number}" for number in range(21)]
    bob.run("(host, texts) => { for (const text of texts) host.conversation.send({ text }); }", fill)
    expect(ann.bubble(fill[-1])).to_be_visible()
    ann.run("""async host => {
      for (const { message } of host.conversation.items.filter(({ message }) => message).slice(0, 20)) {
        await host.client.perform("report.create", { channel: host.conversation.id, messageID: message.messageID });
      }
    }""")
    dialog = open_report(ann, fill[-1])
    dialog.get_by_label("Spam").check()
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.get_by_role("alert")).to_have_text("You have sent many reports today. Try again tomorrow.")
    same(len(reports(server)), 20)


@test("a person is reported from the details, beside Block, and the details close")
def _(stage):
    server, ann, bob = pair(stage)
    ann.host.get_by_role("button", name="Details of Bob").click()
    details = ann.host.get_by_role("dialog", name="Details")
    expect(details.get_by_role("button", name="Block Bob")).to_be_visible()
    names = [text.strip() for text in details.locator(".details-actions .item").all_inner_texts()]
    same(names.index("Report…") + 1, names.index("Block bob"))
    stage.axe(ann.page)
    details.get_by_role("button", name="Report…").click()
    dialog = ann.host.get_by_role("dialog", name="Report Bob")
    expect(dialog).to_contain_text("The operators of this server get your report. Nobody else is told.")
    stage.axe(ann.page)
    ann.page.keyboard.press("Escape")
    expect(details.get_by_role("button", name="Report…")).to_be_focused()
    same(reports(server), [])
    details.get_by_role("button", name="Report…").click()
    dialog.get_by_label("Harassment").check()
    dialog.get_by_label("What should the operators know?").fill("Writes every night")
    dialog.get_by_role("button", name="Send").click()
    expect(toast(ann)).to_have_text("Thank you. The report was sent.")
    expect(ann.host.locator("dialog")).to_have_count(0)
    expect(ann.host.get_by_role("button", name="Details of Bob")).to_be_focused()
    same(reports(server), [("ann", "harassment", "Writes every night", "bob")])


@test("axe-core finds nothing in the dialog, in two themes, on a narrow screen and from right to left")
def _(stage):
    server = serve(stage)
    bob = enter(stage, server, "bob Bob", channel="lobby")
    bob.write("rude")
    bob.until_sent("rude")
    for name, lang, emulation in (
            ("light", "en", {}), ("dark", "en", {"is_dark": True}), ("narrow", "en", {"width": 360, "height": 640}),
            ("german", "de", {"width": 360, "height": 640}), ("arabic", "ar", {"width": 360, "height": 640}),
            ("arabic-wide", "ar", {"is_dark": True}), ("pseudo", "en-XA", {"width": 320, "height": 480})):
        ann = enter(stage, server, "ann Ann", channel="lobby", lang=lang, emulation=emulation)
        menu(ann, "rude")
        stage.shot(ann.page, f"report-menu-{name}")
        ann.menu.get_by_role("menuitem").filter(has_text=ann.run("host => host.texts('report.open')")).click()
        dialog = ann.host.locator("dialog.dialog")
        expect(dialog).to_be_visible()
        stage.axe(ann.page)
        stage.shot(ann.page, f"report-{name}")
        same(dialog.locator(".body").evaluate("body => body.scrollWidth <= body.clientWidth"), True, name)
        dialog.locator("[type=submit]").click()
        expect(dialog.get_by_role("alert")).to_have_text(ann.run("host => host.texts('report.noReason')"))
        expect(dialog.get_by_role("alert")).to_be_in_viewport()
        stage.axe(ann.page)
        stage.shot(ann.page, f"report-{name}-problem")
        ann.page.close()


# Operators

def as_operator(stage, server, channel="lobby"):
    """The page of an operator."""
    page = stage.page("/chat.html")
    page.evaluate("""attributes => {
      const chat = document.createElement("roost-chat");
      chat.id = "chat0";
      chat.addEventListener("ready", () => events.push(["chat0", "ready", null]));
      for (const [name, value] of Object.entries(attributes)) chat.setAttribute(name, value);
      document.querySelector("main").append(chat);
    }""", {"server": server.url, "lang": "en", "channel": channel, "token": token(server)})
    return Chat(page).until_ready()


@test("an operator recalls a message of somebody else in an open channel, and all see that an operator removed it")
def _(stage):
    server, ann, bob = lobby(stage)
    bob.write("rude")
    root = as_operator(stage, server)
    expect(menu(ann, "rude").get_by_role("menuitem", name="Recall for everybody")).to_have_count(0)
    ann.page.keyboard.press("Escape")
    menu(root, "rude").get_by_role("menuitem", name="Recall for everybody").click()
    root.host.get_by_role("dialog").get_by_role("button", name="Recall").click()
    expect(root.texts.last).to_have_text("You recalled this message")
    for chat in (ann, bob):
        expect(chat.texts).to_have_text(["Removed by an operator"])
        expect(chat.scroller.get_by_text("rude")).to_have_count(0)
    # Also for whoever reads it later.
    expect(enter(stage, server, "cat Cat", channel="lobby").texts).to_have_text(["Removed by an operator"])


@test("who is banned from an open channel reads that, has no field, and after the ban everything that was missed")
def _(stage):
    server, ann, bob = lobby(stage)
    bob.write("rude")
    expect(ann.bubble("rude")).to_be_visible()
    operate(server, "member.ban", channel="lobby", members=["bob"])
    note = bob.host.locator(".composer .note")
    expect(note).to_have_text("You are banned from this conversation.")
    expect(bob.field).to_be_hidden()
    expect(bob.host.get_by_role("heading", name="lobby")).to_be_visible()
    expect(bob.bubble("rude")).to_be_visible()
    stage.axe(bob.page)
    stage.shot(bob.page, "banned")
    expect(ann.field).to_be_visible()
    # The same after a reload.
    bob.page.reload()
    expect(note).to_have_text("You are banned from this conversation.")
    expect(bob.field).to_be_hidden()
    expect(bob.host.get_by_role("button", name="Try again")).to_have_count(0)
    stage.axe(bob.page)
    stage.shot(bob.page, "banned-reloaded")
    ann.write("calm again")
    ann.until_sent("calm again")
    operate(server, "member.unban", channel="lobby", members=["bob"])
    bob.page.reload()
    expect(bob.field).to_be_visible()
    expect(note).to_be_hidden()
    expect(bob.texts).to_have_text(["rude", "calm again"])
    bob.write("sorry")
    expect(ann.bubble("sorry")).to_be_visible()


run()
