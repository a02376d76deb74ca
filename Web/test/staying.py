#!/usr/bin/env python3
"""Signing in with a password, and staying signed in: reloads, tabs, restarts, accounts, logging out.

Needs ROOST, the server's binary.
"""
from app_driver import World, agree, focus_of, operate, row
from browser import LOST, expect, run, same, test
from login_driver import (
    PASSWORD, cookies, expect_live, expect_signed_out, expect_user, log_out, open_settings,
)


def world_with_accounts(stage, *words, users=(("ann", "Ann Lee"), ("bob", "Bob"))):
    world = World(stage, *words)
    operate(world.server, "account.register", accounts=[
        {"loginName": f"{user}@example.com", "userID": user, "name": name, "password": PASSWORD} for user, name in users])
    return world


def made(world, user, *words):
    """A token that `roost token` makes."""
    return world.server.roost("token", "--data", f"{world.server.folder}/data", "--user", user, *words,
                              is_local=True).strip()


def sign_in(page, login="ann@example.com", password=PASSWORD):
    page.get_by_role("tab", name="With a password").click()
    page.get_by_label("Login name").fill(login)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


@test("a password signs in, and the browser stays signed in over reloads and in other tabs, without a token in its storage")
def _(stage):
    world = world_with_accounts(stage)
    page = stage.page(world.url + "/")
    page.get_by_role("tab", name="With a password").click()
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Enter your login name.")).to_be_visible()
    same(focus_of(page).startswith("Login name"), True)
    stage.allow(LOST)
    sign_in(page, password="wrong horse battery")
    expect(page.get_by_text("The login name or the password is wrong.")).to_be_visible()
    sign_in(page)
    expect_user(page, "ann")
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    (cookie,) = cookies(page)
    same((cookie["httpOnly"], cookie["sameSite"], cookie["path"], cookie["secure"]),
         (True, "Strict", "/v1/refresh", False))
    same(page.evaluate("document.cookie"), "")
    kept = page.evaluate("""async () => {
      const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.documentElement.outerHTML];
      for (const { name } of await indexedDB.databases()) {
        const request = indexedDB.open(name);
        const database = await new Promise((done) => (request.onsuccess = () => done(request.result)));
        for (const store of database.objectStoreNames) {
          const all = database.transaction(store).objectStore(store).getAll();
          kept.push(JSON.stringify(await new Promise((done) => (all.onsuccess = () => done(all.result)))));
        }
        database.close();
      }
      return kept.join();
    }""")
    same([word in kept for word in ("eyJ", PASSWORD, cookie["value"])], [False] * 3)
    page.reload()
    expect_user(page, "ann")
    expect_live(page)
    tab = stage.tab(page, world.url + "/")
    expect_user(tab, "ann")
    expect_live(tab)
    world.users(cat="Cat")
    world.single("cat", "ann")
    world.send("cat", "ann:cat", "hello")
    expect(row(tab, "Cat")).to_be_visible()
    expect(row(page, "Cat")).to_be_visible()


@test("a browser that is closed and opened again is signed in, and its installed app as well")
def _(stage):
    world = world_with_accounts(stage)
    page = stage.page(world.url + "/")
    sign_in(page)
    expect_live(page)
    state = page.context.storage_state()
    # The tab's own storage does not survive, as in a browser that was closed.
    again = stage.page(storage_state=state)
    again.goto(world.url + "/")
    expect_user(again, "ann")
    expect_live(again)


@test("logging out ends the login at the server, and in the other tabs")
def _(stage):
    world = world_with_accounts(stage)
    page = stage.page(world.url + "/")
    sign_in(page)
    expect_live(page)
    copied = page.context.storage_state()
    tab = stage.tab(page, world.url + "/")
    expect_live(tab)
    log_out(page)
    expect(page.get_by_text("See you soon.")).to_be_visible()
    expect_signed_out(tab)
    same(cookies(page), [])
    page.reload()
    expect_signed_out(page)
    # Whoever has copied the cookie before has nothing.
    stage.allow(LOST)
    thief = stage.page(storage_state=copied)
    thief.goto(world.url + "/")
    expect_signed_out(thief)
    expect(thief.get_by_text("Your sign-in has expired. Sign in again.")).to_be_visible()


@test("a logout without a connection ends the login at the server as soon as the page is opened with one")
def _(stage):
    world = world_with_accounts(stage)
    page = stage.page(world.url + "/")
    sign_in(page)
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    # The settings are loaded when they are opened: from the cache.
    page.wait_for_function("() => navigator.serviceWorker.controller")
    stage.allow(LOST)
    world.server.kill()
    log_out(page)
    expect(page.get_by_text("See you soon.")).to_be_visible()
    same(len(cookies(page)), 1)
    world.server.start()
    page.reload()
    expect_signed_out(page)
    page.wait_for_function("() => localStorage.getItem('roost.ended') === null")
    same(cookies(page), [])


@test("whoever closes the page right after logging out is logged out")
def _(stage):
    world = world_with_accounts(stage)
    page = stage.page(world.url + "/")
    sign_in(page)
    expect_live(page)
    stage.allow(LOST)
    log_out(page)
    context = page.context
    page.close()
    stage.is_opening = True
    again = context.new_page()
    stage.is_opening = False
    again.goto(world.url + "/")
    expect_signed_out(again)
    again.wait_for_function("() => localStorage.getItem('roost.ended') === null")


@test("where the browser keeps no cookies a password signs in until the reload")
def _(stage):
    world = world_with_accounts(stage)
    page = stage.page()
    page.add_init_script("Object.defineProperty(navigator, 'cookieEnabled', { value: false })")
    page.goto(world.url + "/")
    sign_in(page)
    expect_live(page)
    same(cookies(page), [])
    page.reload()
    expect_signed_out(page)


@test("without a connection the app opens with what it has, and nobody is signed out")
def _(stage):
    world = world_with_accounts(stage)
    world.users(cat="Cat")
    world.single("cat", "ann")
    world.send("cat", "ann:cat", "hello")
    page = stage.page(world.url + "/")
    sign_in(page)
    expect(row(page, "Cat")).to_be_visible()
    page.wait_for_function("() => Boolean(navigator.serviceWorker?.controller)")
    stage.allow(LOST)
    stage.allow("fetch")
    world.server.kill()
    page.reload()
    expect_user(page, "ann")
    expect(row(page, "Cat")).to_be_visible()
    world.server.start()
    expect_live(page)


@test("two accounts are signed in beside each other, each tab with its own")
def _(stage):
    world = world_with_accounts(stage)
    page = stage.page(world.url + "/")
    sign_in(page)
    expect_live(page)
    open_settings(page).get_by_role("button", name="Add an account").click()
    expect(page.get_by_role("button", name="Continue as Ann Lee")).to_be_visible()
    stage.axe(page)
    stage.shot(page, "accounts")
    sign_in(page, "bob@example.com")
    expect_user(page, "bob")
    expect_live(page)
    same(len(cookies(page)), 2)
    tab = stage.tab(page, world.url + "/")
    expect_user(tab, "bob")
    dialog = open_settings(tab)
    stage.axe(tab)
    stage.shot(tab, "settings-accounts")
    dialog.get_by_role("button", name="Continue as Ann Lee").click()
    expect_user(tab, "ann")
    tab.reload()
    expect_user(tab, "ann")
    page.reload()
    expect_user(page, "bob")
    # One that logs out leaves the other one.
    log_out(tab)
    expect(tab.get_by_role("button", name="Continue as Bob")).to_be_visible()
    expect_live(page)
    tab.get_by_role("button", name="Continue as Bob").click()
    expect_user(tab, "bob")


@test("log out on all devices ends the logins of other browsers, and this one")
def _(stage):
    world = world_with_accounts(stage)
    page, phone = stage.page(world.url + "/"), stage.page(world.url + "/")
    for each in (page, phone):
        sign_in(each)
        expect_live(each)
    stage.allow(LOST)
    log_out(page, "Log out on all devices")
    expect(page.get_by_text("See you soon.")).to_be_visible()
    expect(phone.get_by_text("Your sign-in has expired. Sign in again.")).to_be_visible()
    phone.reload()
    expect_signed_out(phone)


@test("a token stays until it expires, or until the reload if the browser is not to keep it")
def _(stage):
    world = world_with_accounts(stage)
    for stays in (True, False):
        page = stage.page(world.url + "/")
        page.get_by_role("tab", name="With a token").click()
        page.get_by_role("textbox").fill(made(world, "tom", "--name", "Tom"))
        page.get_by_label("Stay signed in").set_checked(stays)
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect_live(page)
        page.reload()
        if stays:
            expect_user(page, "tom")
            expect_live(page)
        else:
            expect_signed_out(page)
            same(cookies(page), [])


@test("a link with a code signs in for good, and a code that was used says so")
def _(stage):
    world = world_with_accounts(stage)
    link = made(world, "tom", "--name", "Tom", "--code", "--link", world.url)
    page = stage.page(link)
    agree(page)
    expect_live(page)
    page.reload()
    expect_user(page, "tom")
    expect_live(page)
    stage.allow(LOST)
    other = stage.page(link)
    agree(other)
    expect(other.get_by_text("This link was used already, or its time is over. Ask for a new one.")).to_be_visible()


@test("a link with a code asks when the server refuses the login that the browser has kept")
def _(stage):
    world = world_with_accounts(stage)
    page = stage.page(world.url + "/")
    sign_in(page)
    expect_live(page)
    stage.allow(LOST)
    page.context.clear_cookies()
    page.goto("about:blank")
    page.goto(made(world, "tom", "--name", "Tom", "--code", "--link", world.url))
    expect(page.get_by_role("dialog").get_by_text("Sign in as Tom?")).to_be_visible()
    agree(page)
    expect_user(page, "tom")
    expect_live(page)


@test("a click on a notification opens the conversation as the account that it was for")
def _(stage):
    world = world_with_accounts(stage)
    world.users(cat="Cat")
    world.send("cat", world.single("cat", "ann"), "for Ann")
    page = stage.page(world.url + "/", permissions=["notifications"])
    sign_in(page)
    expect(row(page, "for Ann")).to_be_visible()
    open_settings(page).get_by_role("button", name="Add an account").click()
    sign_in(page, "bob@example.com")
    expect_user(page, "bob")
    expect_live(page)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    worker = page.context.service_workers[0]

    def click(user):
        worker.evaluate("""async (userID) => {
          await registration.showNotification("Cat", { data: { channel: "ann:cat", userID } });
          const [notification] = await registration.getNotifications();
          dispatchEvent(new NotificationEvent("notificationclick", { notification }));
        }""", user)

    # Of two windows, the one of Ann takes it.
    tab = stage.tab(page, world.url + "/")
    expect_user(tab, "bob")
    open_settings(tab).get_by_role("button", name="Continue as Ann Lee").click()
    expect_user(tab, "ann")
    click("ann")
    expect(tab.get_by_role("heading", name="Cat")).to_be_visible()
    same(page.evaluate("() => document.querySelector('roost-chat').client.user.userID"), "bob")
    # Without one, the account changes in the window that is there.
    tab.close()
    click("ann")
    expect_user(page, "ann")
    expect(page.get_by_role("heading", name="Cat")).to_be_visible()
    expect(page.locator(".bubble", has_text="for Ann")).to_be_visible()
    # A window that a notification has opened.
    new = stage.tab(page, f"{world.url}/#user=bob")
    expect_user(new, "bob")
    same(new.url, f"{world.url}/")


@test("a server that keeps nobody signed in takes passwords, until the reload")
def _(stage):
    world = world_with_accounts(stage, "--keep-logins", "0")
    page = stage.page(world.url + "/")
    page.get_by_role("tab", name="With a password").click()
    expect(page.get_by_label("Stay signed in")).to_be_hidden()
    sign_in(page)
    expect_live(page)
    page.reload()
    expect_signed_out(page)


@test("pages of other origins cannot use the login, also of an origin that may connect")
def _(stage):
    site = stage.new_site(headers={"Content-Security-Policy": "default-src 'self'; connect-src *; script-src 'self'"})
    world = world_with_accounts(stage, "--allow-origin", site.url)
    page = stage.page(world.url + "/")
    sign_in(page)
    expect_live(page)
    before = cookies(page)
    stage.allow(r"console error: .*(CORS|403|Failed to load resource)")
    evil = stage.tab(page, site.add_page("/evil.html"))
    for credentials in ("include", "omit"):
        same(evil.evaluate("""async ([url, credentials]) => {
          try {
            const answer = await fetch(`${url}/v1/refresh/token`, { method: "POST", credentials,
              body: '{"userID":"ann"}', headers: { "Content-Type": "text/plain" } });
            return answer.status;
          } catch (error) { return error.name; }
        }""", [world.url, credentials]) in (403, "TypeError"), True)
    same(cookies(page), before)
    page.reload()
    expect_live(page)


run()
