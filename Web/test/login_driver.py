"""What the tests of logins share: who is signed in, and logging out."""
from browser import expect

PASSWORD = "correct horse battery"


def expect_user(page, user):
    page.wait_for_function("user => document.querySelector('roost-chat')?.client?.user?.userID === user", arg=user)


def expect_live(page):
    page.wait_for_function("() => document.querySelector('roost-chat')?.client?.state === 'live'")


def expect_signed_out(page):
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()


def cookies(page):
    return [cookie for cookie in page.context.cookies() if cookie["name"].startswith("roost-refresh-")]


def open_settings(page):
    page.get_by_role("button", name="Settings").click()
    return page.get_by_role("dialog")


def log_out(page, name="Log out"):
    open_settings(page).get_by_role("button", name=name, exact=True).click()
    page.get_by_role("dialog").last.get_by_role("button", name=name, exact=True).click()
