#!/usr/bin/env python3
"""The app's notifications: permission, registration, push, and what a click does. Needs ROOST, the server's binary."""
import base64
import json
import re
import subprocess

from app_driver import World, row, until
from browser import LOST, expect, run, same, test


KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
# The push service of the browser cannot be reached from a test: this is what it would answer.
FAKE_PUSH = """
let subscription = null;
PushManager.prototype.getSubscription = async () => subscription;
PushManager.prototype.subscribe = async (options) => {
  window.subscribed = (window.subscribed ?? 0) + 1;
  if (window.subscribed <= (window.failures ?? 0)) throw new DOMException("Registration failed", "AbortError");
  window.serverKey = btoa(String.fromCharCode(...new Uint8Array(options.applicationServerKey)));
  const address = { endpoint: "https://fcm.googleapis.com/fcm/send/made-up",
    keys: { p256dh: "%s", auth: "BTBZMqHH6r4Tts7J_aSIgg" } };
  subscription = { options, toJSON: () => address, unsubscribe: async () => ((subscription = null), true) };
  return subscription;
};
""" % KEY


def push_world(stage):
    folder = stage.folder / "push"
    folder.mkdir()
    key, config = folder / "vapid.pem", folder / "push.json"
    subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key], check=True)
    config.write_text(json.dumps({"web": {"key": str(key), "subject": "mailto:ops@example.com"}}))
    for file in (key, config):
        file.chmod(0o600)
    return World(stage, "--push", str(config))


@test("notifications: asked on a click only, then the device is registered, again after failures; off ends it [L-10]")
def _(stage):
    world = push_world(stage)
    page = stage.page(permissions=["notifications"])
    world.remember(page, {"userID": "ann", "name": "Ann"})
    page.add_init_script(FAKE_PUSH)
    page.add_init_script("""
      let granted = sessionStorage.getItem("granted") ?? "default";
      Object.defineProperty(Notification, "permission", { get: () => granted });
      Notification.requestPermission = async () => {
        window.asked = (window.asked ?? 0) + 1;
        window.wasClick = navigator.userActivation.isActive;
        sessionStorage.setItem("granted", granted = "granted");
        return granted;
      };
    """)
    page.clock.install()
    page.goto(world.url + "/")
    expect(page.get_by_text("No conversations yet")).to_be_visible()
    device = page.evaluate("document.querySelector('roost-chat').client.deviceID")

    def address():
        return world.call("ann", "device.get", device=device).get("address")

    same((page.evaluate("window.asked"), address()), (None, None))
    page.get_by_role("button", name="Settings").click()
    switch = page.get_by_role("switch", name="Notifications")
    expect(switch).not_to_be_checked()
    page.evaluate("window.failures = 2")
    switch.click()
    expect(switch).to_be_checked()
    page.wait_for_function("() => window.subscribed === 1")
    same(page.evaluate("[window.asked, window.wasClick]"), [1, True])
    same(address(), None)
    # It tries again after 5 s, and then after 10 s.
    page.clock.run_for(5_500)
    page.wait_for_function("() => window.subscribed === 2")
    same(address(), None)
    page.clock.run_for(10_500)
    page.wait_for_function("() => window.subscribed === 3")
    expect(page.get_by_text("Notifications are on.")).to_be_visible()
    same(address(), {"gateway": "web", "token": "https://fcm.googleapis.com/fcm/send/made-up", "publicKey": KEY,
                     "authSecret": "BTBZMqHH6r4Tts7J_aSIgg"})
    # The subscription is for the key of this server.
    told = json.loads(page.evaluate("fetch('/', { headers: { Accept: 'application/json' } }).then((r) => r.text())"))
    padded = told["webPushKey"] + "=" * (-len(told["webPushKey"]) % 4)
    same(base64.b64decode(page.evaluate("window.serverKey")), base64.urlsafe_b64decode(padded))
    # When and how it is notified.
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_label("Only mentions").check()
    dialog.get_by_role("checkbox", name=re.compile(r"^Quiet hours")).check()
    dialog.get_by_label("From").fill("21:30")
    dialog.get_by_label("To").fill("06:15")
    dialog.get_by_label("To").blur()
    quiet = {"timeZone": "UTC", "ranges": [{"start": 1290, "end": 375}]}
    until(page, """() => document.querySelector("roost-chat").client.read("device.get").then(({ settings }) =>
      settings.mentionsOnly && JSON.stringify(settings.quietHours?.ranges).includes('"start":1290') &&
      settings.quietHours.ranges[0].end === 375)""")
    same(world.call("ann", "device.get", device=device)["settings"]["quietHours"], quiet)
    # The next start registers it again, without a question.
    page.reload()
    page.wait_for_function("() => window.subscribed === 1")
    same(page.evaluate("window.asked"), None)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_text("Notifications are on.")).to_be_visible()
    switch.click()
    expect(page.get_by_text("Notifications are off.")).to_be_visible()
    until(page, """() => document.querySelector("roost-chat").client.read("device.get")
      .then((device) => !device.address)""")
    same(address(), None)


@test("a message in a hidden tab is notified, but not one of a muted channel, and reading it ends the notification")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "First")
    muted = world.group("bob", ["ann"], "Muted")
    world.call("ann", "channel.setPreference", channel=muted, isMuted=True)
    page = stage.page(permissions=["notifications"])
    world.remember(page, {"userID": "ann", "name": "Ann"})
    page.add_init_script("localStorage.setItem('roost.notifications', 'on')")
    # The page does not learn whether the server sends pushes: its address is not given to the server.
    page.route(lambda url: url == world.url + "/", lambda route: route.continue_()
               if route.request.is_navigation_request() else None)
    page.goto(world.url + "/")
    expect(row(page, "First")).to_be_visible()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function("() => document.querySelector('roost-chat').client.state === 'live'")
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
      .map(({ title, body, tag, data }) => [title, body, tag, data.channel])"""
    # Another tab in front of it.
    other = stage.tab(page, world.url + "/healthz")
    # Otherwise the tests' browser lets each tab believe that it has the focus.
    for each in (page, other):
        stage.session(each).send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    other.bring_to_front()
    world.send("bob", muted, "Not this")
    world.send("bob", "ann:bob", "Look <b>here</b>")
    until(page, f"async () => (await ({shown})()).length > 0")
    same(page.evaluate(shown), [["Bob", "Look <b>here</b>", "ann:bob", "ann:bob"]])
    world.send("bob", "ann:bob", "And here")
    until(page, f"async () => (await ({shown})())[0][1] === 'And here'")
    same(len(page.evaluate(shown)), 1)
    world.call("ann", "readMark.setAll", device="http")
    until(page, f"async () => (await ({shown})()).length === 0")

@test("a push shows title, text and the channel's tag; a word stands for a picture; a click opens the conversation")
def _(stage):
    stage.allow(LOST)
    world = World(stage)
    world.users(ann="Ann", bob="Bob")
    world.send("bob", world.single("ann", "bob"), "Hello")
    page = stage.page(permissions=["notifications"])
    world.remember(page, {"userID": "ann", "name": "Ann"}, {"language": "de"})
    page.goto(world.url + "/")
    expect(row(page, "Hello")).to_be_visible()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    until(page, """async () => Boolean(await caches.match("/web/app/notification-words.json"))""")
    worker = page.context.service_workers[0]
    shown = """async () => (await registration.getNotifications())
      .map(({ title, body, tag, icon, data }) => [title, body, tag, new URL(icon).pathname, data.channel])"""

    def push(**payload):
        worker.evaluate("""(text) => {
          const event = new PushEvent("push", { data: text });
          const done = new Promise((resolve) => (event.waitUntil = resolve));
          dispatchEvent(event);
          return done.then((work) => work);
        }""", json.dumps({"roost": {"kind": "alert", "pushID": "1", "badge": 3, "sentAt": 1, **payload}}))

    # Nothing while somebody looks at the app.
    message = {"channel": "ann:bob", "channelKind": "single", "title": "Bob", "senderName": "Bob", "type": "text"}
    push(**message, messageID="m1", text="Hi", body="Hi")
    same(worker.evaluate(shown), [])
    other = stage.tab(page, world.url + "/healthz")
    for each in (page, other):
        stage.session(each).send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    other.bring_to_front()
    push(**message, messageID="m2", text="Hi <i>you</i>", body="Hi <i>you</i>")
    same(worker.evaluate(shown), [["Bob", "Hi <i>you</i>", "ann:bob", "/web/app/icon-192.png", "ann:bob"]])
    push(**message | {"type": "image"}, messageID="m3", body="Picture")
    same(worker.evaluate(shown), [["Bob", "Bild", "ann:bob", "/web/app/icon-192.png", "ann:bob"]])
    push(kind="withdrawal", channel="other")
    same(len(worker.evaluate(shown)), 1)
    worker.evaluate("() => dispatchEvent(new Event('push'))")
    worker.evaluate("""async () => {
      const [notification] = await registration.getNotifications();
      dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    }""")
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    same(worker.evaluate(shown), [])


run()
