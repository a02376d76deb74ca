#!/usr/bin/env python3
"""Days and members as people read them, on devices whose clock is wrong, too. Needs ROOST, the server's binary."""
import datetime

from app_driver import World, row
from browser import expect, run, same, test


@test("with a clock that is 26 hours behind, what was written now stands under “Today”, in the list, too")
def _(stage):
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob")
    world.single("bob", "ann")
    world.send("bob", "ann:bob", "hello")
    page = stage.page()
    page.clock.install(time=datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=26))
    world.remember(page, {"userID": "ann", "name": "Ann Lee"})
    page.goto(world.url)
    row(page, "Bob").click()
    expect(page.locator(".timeline").get_by_text("hello", exact=True)).to_be_visible()
    expect(page.locator(".day")).to_have_text(["Today"])
    time = row(page, "Bob").locator("time")
    expect(time).to_contain_text(":")
    # From the store, before the server has told its time, it may be wrong; after that it is right again.
    page.reload()
    row(page, "Bob").click()
    expect(page.locator(".day")).to_have_text(["Today"])
    expect(time).to_contain_text(":")


@test("a group says how many members it has, in words and in each language, and a 1-on-1 says nothing")
def _(stage):
    world = World(stage)
    world.users(ann="Ann Lee", bob="Bob", cid="Cid")
    world.group("bob", ["ann", "cid"], "Popular")
    world.single("bob", "ann")
    world.send("bob", "ann:bob", "hello")
    for language, words in (("en", "3 members"), ("de", "3 Mitglieder"), ("ko", "멤버 3명"), ("zh-Hant", "3 位成員"),
                            ("ar", "3 أعضاء")):
        page = world.app(look={"language": language})
        expect(row(page, "Popular").locator(".count")).to_have_text(words)
        expect(row(page, "hello").locator(".count")).to_be_hidden()
        expect(row(page, "hello")).to_be_visible()
        same("(" in row(page, "Popular").locator(".line").first.inner_text(), False)
        stage.shot(page, f"members-{language}")
        page.close()


run()
