#!/usr/bin/env python3
"""The emoji of the page: picker, search, skin tones, and names in the field. Needs ROOST, a server's binary."""
from app_driver import World, focus_of
from browser import expect, run, same, test, until_same

FIELD = "document.querySelector('roost-chat').shadowRoot.querySelector('.field-text').value"


def conversation(stage, **emulation):
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "Hello")
    page = world.app(at="#channel=ann:bob", **emulation)
    expect(page.locator(".bubble", has_text="Hello")).to_be_visible()
    return world, page


def names_loaded(page):
    return page.evaluate("performance.getEntriesByType('resource').filter(each => each.name.includes('emoji-names')).length")


@test("an emoji is found by its name or a word for it, and chosen by the keyboard; names are loaded when they are needed")
def _(stage):
    world, page = conversation(stage)
    same(names_loaded(page), 0)
    page.get_by_role("button", name="Choose an emoji").click()
    search = page.get_by_role("searchbox", name="Search emoji")
    expect(search).to_be_focused()
    same(names_loaded(page), 1)
    stage.axe(page)
    stage.shot(page, "emoji-picker")
    search.fill("tada")
    found = page.locator(".emoji-grid .emoji")
    expect(found).to_have_count(1)
    stage.shot(page, "emoji-search")
    page.keyboard.press("Enter")
    until_same(page, f"() => {FIELD}", "🎉")
    # Several words, in any order, each as far as it is typed; a letter typed on the emoji goes into the search.
    page.get_by_role("button", name="Choose an emoji").click()
    expect(search).to_be_focused()
    page.keyboard.press("ArrowDown")
    same(focus_of(page), "party popper")
    expect(page.locator(".emoji-groups h3").first).to_have_text("Recently used")
    page.keyboard.type("joy tea")
    expect(found.first).to_have_attribute("aria-label", "face with tears of joy")
    page.keyboard.press("ArrowDown")
    same(focus_of(page), "face with tears of joy")
    page.keyboard.press("ArrowUp")
    expect(search).to_be_focused()
    search.fill("zzzz")
    expect(page.locator(".emoji-groups")).to_contain_text("Nothing found for “zzzz”.")
    page.keyboard.press("Escape")
    expect(search).to_have_value("")
    search.fill("flag ger")
    expect(found.first).to_have_text("🇩🇪")
    found.first.click()
    until_same(page, f"() => {FIELD}", "🎉🇩🇪")
    page.keyboard.press("Enter")
    expect(page.locator(".own .bubble", has_text="🎉🇩🇪")).to_be_visible()


@test("the tabs, the skin tones and the emoji are one stop of the Tab key each, and arrow keys move in them")
def _(stage):
    _, page = conversation(stage)
    page.get_by_role("button", name="Choose an emoji").click()
    expect(page.get_by_role("searchbox", name="Search emoji")).to_be_focused()
    page.keyboard.press("Tab")
    same(focus_of(page), "Skin tone")
    page.keyboard.press("Tab")
    same(focus_of(page), "Smileys and emotions")
    page.keyboard.press("ArrowLeft")
    same(focus_of(page), "Flags")
    page.keyboard.press("Enter")
    same(focus_of(page), "chequered flag")
    expect(page.get_by_role("button", name="chequered flag")).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    same(focus_of(page), "triangular flag")
    page.keyboard.press("Home")
    same(focus_of(page), "grinning face")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    same(focus_of(page), "grinning face")
    page.keyboard.press("Escape")
    expect(page.locator(".emoji-picker")).to_have_count(0)
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()


@test("a skin tone is chosen once: it holds for all emoji that have one, also after a reload and in a reaction")
def _(stage):
    world, page = conversation(stage)
    page.get_by_role("button", name="Choose an emoji").click()
    page.get_by_role("button", name="Skin tone").click()
    expect(page.get_by_role("radio", name="Yellow")).to_be_checked()
    expect(page.get_by_role("radio", name="Yellow")).to_be_focused()
    stage.shot(page, "emoji-tones")
    page.get_by_role("radio", name="Medium skin tone", exact=True).click()
    expect(page.get_by_role("button", name="waving hand")).to_have_text("👋🏽")
    expect(page.get_by_role("button", name="people holding hands")).to_have_text("🧑🏽\u200d🤝\u200d🧑🏽")
    expect(page.get_by_role("button", name="woman health worker")).to_have_text("👩🏽\u200d⚕️")
    expect(page.get_by_role("button", name="grinning face", exact=True)).to_have_text("😀")
    page.keyboard.press("Escape")
    page.reload()
    page.locator(".bubble", has_text="Hello").hover()
    page.locator(".tools").get_by_role("button", name="React").click()
    page.get_by_role("searchbox", name="Search emoji").fill("thumbs up")
    page.keyboard.press("Enter")
    expect(page.locator(".reaction .emoji")).to_have_text("👍🏽")


@test("the server takes the emoji of the picker as reactions, with and without a skin tone")
def _(stage):
    _, page = conversation(stage)
    page.get_by_role("button", name="Choose an emoji").click()
    every = """() => [...document.querySelector("roost-chat").shadowRoot.querySelectorAll(".emoji-grid .emoji")]
      .map(button => button.dataset.emoji)"""
    expect(page.get_by_role("searchbox", name="Search emoji")).to_be_focused()
    plain = page.evaluate(every)
    page.get_by_role("button", name="Skin tone").click()
    page.get_by_role("radio", name="Medium-dark skin tone", exact=True).click()
    dark = page.evaluate(every)
    same(len(plain) > 1800, True)
    differing = [each for pair in zip(plain, dark) if pair[0] != pair[1] for each in pair]
    same(len(differing) > 600, True)
    failed = page.evaluate("""async wanted => {
      const { client, conversation } = document.querySelector("roost-chat");
      const { messageID } = conversation.items.find(({ kind }) => kind === "message").message;
      const failed = [];
      for (const emoji of wanted) {
        const body = { channel: conversation.id, messageID, emoji };
        await client.perform("reaction.add", body).then(() => client.perform("reaction.remove", body))
          .catch(error => failed.push(`${emoji} ${error.name}`));
      }
      return failed;
    }""", [*differing[::3], *plain[:20], *plain[-20:]])
    same(failed, [])


@test("a name after a colon offers emoji, and a name between two colons becomes one; what is no name stays")
def _(stage):
    world, page = conversation(stage)
    field = page.get_by_role("textbox", name="Message")
    options = page.locator(".suggestions").get_by_role("option")
    field.press_sequentially("So :tad")
    expect(options.first).to_contain_text("party popper")
    expect(page.get_by_role("listbox", name="Emoji")).to_be_visible()
    stage.axe(page)
    stage.shot(page, "emoji-completion")
    page.keyboard.press("Enter")
    expect(field).to_have_value("So 🎉")
    field.press_sequentially(" :thumbs_up:")
    expect(field).to_have_value("So 🎉 👍")
    field.press_sequentially(" :+1")
    expect(options.first).to_contain_text("thumbs up")
    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".own .bubble", has_text="So 🎉 👍 :+1")).to_be_visible()
    for text in ["at 10:30 now", "http://example.com", "a:joy:", ":)", ":D", "std::map", "see :nosuchname:"]:
        field.fill("")
        field.press_sequentially(text)
        expect(field).to_have_value(text)
        expect(options).to_have_count(0)
    field.fill("")
    field.press_sequentially("@Bo")
    expect(page.get_by_role("listbox", name="Members to mention")).to_be_visible()
    expect(options.first).to_contain_text("Bob")
    page.keyboard.press("Tab")
    field.press_sequentially(":joy:")
    page.keyboard.press("Enter")
    sent = page.locator(".own .bubble", has_text="😂")
    expect(sent).to_contain_text("@Bob")
    page.wait_for_function("""() => document.querySelector("roost-chat").conversation.items
      .some(({ message, state }) => message?.text?.includes("😂") && state === "sent")""")
    mentions = world.call("bob", "message.list", channel="ann:bob")["events"][-1]["body"]["mentions"]
    same([(each["userID"], each["start"], each["length"]) for each in mentions], [("bob", 0, 4)])


@test("names are those of the page's language, and English ones besides")
def _(stage):
    _, page = conversation(stage, locale="de-DE", is_dark=True)
    page.get_by_role("button", name="Ein Emoji auswählen").or_(page.locator(".emoji-button")).first.click()
    search = page.get_by_role("searchbox", name="Emoji suchen")
    found = page.locator(".emoji-grid .emoji")
    stage.shot(page, "emoji-picker-dark")
    for text, name in [("freudent", "Gesicht mit Freudentränen"), ("tears of joy", "Gesicht mit Freudentränen"),
                       ("flagge deutsch", "Flagge: Deutschland")]:
        search.fill(text)
        expect(found.first).to_have_attribute("aria-label", name)


@test("on a phone the emoji are a sheet, and the search does not take the focus; so in Arabic")
def _(stage):
    _, page = conversation(stage, width=390, height=844, has_touch=True, locale="ar-EG")
    page.locator(".emoji-button").tap()
    expect(page.locator(".emoji-grid .emoji").first).to_be_focused()
    stage.axe(page)
    stage.shot(page, "emoji-phone-arabic")
    search = page.locator(".emoji-picker input")
    search.tap()
    page.keyboard.type("قلب")
    expect(page.locator(".emoji-grid .emoji").first).to_be_visible()
    page.locator(".emoji-grid .emoji", has_text="💜").tap()
    until_same(page, f"() => {FIELD}", "💜")


run()
