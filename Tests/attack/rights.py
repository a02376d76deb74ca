"""Attacks on the rights, lists, names, devices and evidence of others, and on the page."""

import contextlib
import http.server
import json
import os
import pathlib
import secrets
import shutil
import sqlite3
import tempfile
import threading
import time

import kit
from kit import Failure, Unavailable, attack, code

ATTACKS = []
NO_RATES = ["--limit", "commandsPerSecond=100000", "--limit", "commandBurst=100000"]
HEADLESS = ["--no-sandbox", "--disable-gpu"]


@attack(
    ATTACKS,
    "M2",
    "Chromium opens links with a token of the attacker: in the fragment in six spellings, as a query, and in a page"
    " that is signed in, by another address and by a change of the fragment",
    "signed in at once; a page in use switches; 5 of 9 entries of the history have the token",
)
def links(trial):
    """A link with a token signs in without asking, switches a signed-in page, and stays in the history."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Unavailable("needs playwright and Chromium") from None
    server = trial.server()
    token = server.token("mallory", name="Mallory")
    url = f"http://127.0.0.1:{server.port}"
    asked, switched, kept = [], [], []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory(prefix="roost-attack.") as profile:
        browser = playwright.chromium.launch_persistent_context(
            profile, executable_path=shutil.which("chromium"), args=HEADLESS
        )
        try:
            for words in [
                f"#token={token}",
                f"#channel=x&token={token}",
                f"#TOKEN={token}",
                f"#token=%65{token[1:]}",
                f"?token={token}",
                f"#&&token={token}",
                f"#code={server.token('mallory', use='code', lifetime=60)}",
            ]:
                asked.append(requests_of(browser, f"{url}/{words}"))
            switched.append(switch(browser, server, url, token))
            kept = [
                entry
                for page in browser.pages
                for entry in page.evaluate("() => navigation.entries().map(({url}) => url)")
                if any(word in entry for word in ("#token=eyJ", "&token=eyJ", "code=eyJ"))
            ]
        finally:
            browser.close()
        history = next(pathlib.Path(profile).rglob("History"), None)
        stored = 0
        if history:
            with contextlib.closing(sqlite3.connect(history)) as database:
                stored = database.execute(
                    "SELECT count(*) FROM urls WHERE url LIKE '%#%token=eyJ%' OR url LIKE '%code=eyJ%'"
                ).fetchone()[0]
    trial.check(f"links sign in without a question: {asked}", sum(asked) == 0)
    trial.check("a link switches a page that is signed in", switched == ["victim"])
    trial.check("entries of the tab's history have the token", not kept)
    trial.figure(
        f"{sum(map(bool, asked))} of {len(asked)} links send something before an answer; the page in use stays"
        f" {switched[0]}'s; {len(kept)} entries of the tab have the token, {stored} of Chromium's History (the docs"
        " say so)"
    )


def requests_of(browser, url):
    """How often a page that was opened with a link asks for anything as somebody."""
    page, calls = browser.new_page(), []
    page.on("websocket", lambda socket: calls.append(1))
    page.on("request", lambda request: "/v1/" in request.url and calls.append(1))
    page.goto(url)
    page.wait_for_timeout(1500)
    return len(calls)


def switch(browser, server, url, token):
    """Who is signed in on a page in use after its fragment was changed to one with a token of somebody else."""
    page = browser.new_page()
    page.goto(f"{url}/#token={server.token('victim')}")
    page.locator("dialog").get_by_role("button", name="Sign in", exact=True).click()
    user = "document.querySelector('roost-chat')?.client?.user?.userID ?? null"
    kit.until(lambda: page.evaluate(user) == "victim" or page.wait_for_timeout(200), 10)
    page.evaluate("hash => { location.hash = hash }", f"#token={token}")
    page.wait_for_timeout(1500)
    page.goto(f"{url}/#token={token}")
    page.wait_for_timeout(1500)
    return page.evaluate(user)


@attack(
    ATTACKS,
    "M8",
    "limits of a tenth: one attacker gives a victim groups in three ways until refused, then ten attackers, then"
    " 1-on-1s of 120 attackers; a new friend writes to the victim, one to whom the victim has written brings the victim"
    " into a group, the victim creates, joins and opens",
    "after 300 groups a friend's 1-on-1 is refused with 7019",
)
def filled_lists(trial):
    """Strangers fill the channels of a victim."""
    options = [*NO_RATES, "--limit", "channelsPerUser=100", "--limit", "channelsPerInviter=10"]
    outcome = {}
    for name, count in [("one", 1), ("ten", 10), ("singles", 120)]:
        server = trial.server(*options)
        attackers = [f"m{n}" for n in range(count)]
        server.know("victim", "friend", "pal", "host", *attackers)
        server.http("victim").result("channel.create", {"kind": "single", "members": ["pal"]})
        given = sum(give(server, attacker, name == "singles") for attacker in attackers)
        friend = server.http("friend").command("channel.create", {"kind": "single", "members": ["victim"]})
        sent = server.http("friend").command("message.send", {"channel": "friend:victim", "text": "a"}).status
        victim = server.http("victim")
        own = victim.command("channel.create", {"kind": "group", "members": ["host"]}).status
        opened = victim.command("channel.create", {"kind": "single", "members": ["host"]}).status
        outcome[name] = (given, friend.status, code(friend))
        group = server.http("pal").command("channel.create", {"kind": "group", "members": ["victim"]})
        trial.check(
            f"{name}: with {given} channels given, the group of a contact is refused with {code(group)}",
            group.status == 200,
        )
        # The first 1-on-1 of a friend is that of a stranger: enough others can keep it out, if each has an account.
        if name != "singles":
            trial.check(
                f"{name}: with {given} channels given, a friend's 1-on-1 is refused with {code(friend)} (send {sent})",
                friend.status == 200,
            )
        trial.check(f"{name}: the victim can create no group ({own}) or 1-on-1 ({opened})", own == opened == 200)
    trial.figure(
        "channels given, and a friend's 1-on-1: "
        + ", ".join(f"{name} {given}, {status} ({error})" for name, (given, status, error) in outcome.items())
    )


def give(server, attacker, by_single):
    """Gives the victim channels until that is refused; how many."""
    client, count = server.http(attacker), 0
    if by_single:
        return (
            client.command("message.send", {"channel": ":".join(sorted([attacker, "victim"])), "text": "a"}).status
            == 200
            or client.command("channel.create", {"kind": "single", "members": ["victim"]}).status == 200
        )
    for n in range(120):
        answer = client.command("channel.create", {"kind": "group", "members": ["victim"] if n % 2 else []})
        if answer.status != 200:
            return count
        channel = json.loads(answer.body)["channel"]
        if n % 2 == 0:
            answer = client.command("member.invite", {"channel": channel, "members": ["victim"]})
            if answer.status != 200:
                return count
        client.command("channel.leave", {"channel": channel, "successor": "victim"})
        count += 1
    return count


@attack(
    ATTACKS,
    "L5",
    "14 names that mislead, by token, profile, account, nickname and title",
    "U+202E and U+2066, U+3164, U+115F and U+2800, `Deleted user`, Cyrillic А",
)
def names(trial):
    """Names that show nothing or change the direction of other text."""
    server = trial.server()
    server.know("bob")
    hostile = {
        "RLO": "ann\u202egnp",
        "LRI": "\u2066ann",
        "RLM only": "\u200f\u200f",
        "Hangul filler": "\u3164",
        "Choseong": "\u115f\u1160",
        "braille blank": "\u2800",
        "zero-width": "\u200b\u200d",
        "soft hyphen": "\u00ad",
        "tag": "\U000e0041",
        "variation": "\ufe0f",
        "blank": "   ",
        "newline": "a\nb",
        "NUL": "a\0b",
        "ESC": "a\x1b[31m",
    }
    shown = []
    for kind, name in hostile.items():
        user = "u" + secrets.token_hex(4)
        # The token's name is ignored in place of refusing the login.
        with contextlib.suppress(OSError, Failure):
            kit.Socket(server).hello(server.token(user, name=name)).close()
        if stored_name(server, user) == name:
            shown.append(f"{kind} by token")
        client = server.http(user)
        client.command("user.setProfile", {"profile": {"name": name}})
        if stored_name(server, user) == name:
            shown.append(f"{kind} by profile")
        answer = client.command("channel.create", {"kind": "group", "title": name, "members": ["bob"]})
        if answer.status == 200:
            shown.append(f"{kind} as a title")
        group = json.loads(client.command("channel.create", {"kind": "group", "members": ["bob"]}).body)["channel"]
        if client.command("channel.setPreference", {"channel": group, "nickname": name}).status == 200:
            shown.append(f"{kind} as a nickname")
        made = server.operator().command(
            "account.register",
            {"accounts": [{"loginName": "l" + user, "password": "four words of mine", "name": name}]},
        )
        if made.status == 200 and "error" not in json.loads(made.body)["results"][0]:
            shown.append(f"{kind} by account")
    other = [
        name
        for name in ["Deleted user", "аnn", "Ann\u0301\u0301\u0301"]
        if server.http("carl").command("user.setProfile", {"profile": {"name": name}}).status == 200
    ]
    trial.check(f"names are taken: {shown}", not shown)
    trial.figure(f"{len(shown)} of {len(hostile) * 5} taken; also taken: {other}")


def stored_name(server, user):
    users = server.http("bob").result("user.get", {"userIDs": [user]})["users"]
    return users[0]["name"] if users else None


class Receiver:
    """A webhook that takes notifications, and how many for each token."""

    def __init__(self, trial):
        self.tokens, receiver = [], self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                receiver.tokens.append(json.dumps(body))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        trial.stack.callback(self.server.shutdown)
        folder = trial.stack.enter_context(tempfile.TemporaryDirectory(prefix="roost-attack."))
        self.file = os.path.join(folder, "push.json")
        key = os.path.join(folder, "vapid.pem")
        kit.subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key], check=True)
        os.chmod(key, 0o600)
        with open(os.open(self.file, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            json.dump(
                {
                    "webhook": {"url": f"http://127.0.0.1:{self.server.server_address[1]}/", "secret": "s" * 40},
                    "web": {"key": key, "subject": "mailto:ops@example.com"},
                },
                file,
            )


@attack(
    ATTACKS,
    "L7",
    "34 endpoints of browsers: other ports, hosts that contain or end like known ones, percent-encoding, user info,"
    " addresses of this machine",
    "any port of a known host; the host is compared after percent-decoding; nobody inside was connected to",
)
def endpoints(trial):
    """The server sends notifications to any port of a known host, or elsewhere."""
    known = ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"]
    bad = [
        f"https://{host}{rest}"
        for host in known
        for rest in (":22/x", ":8443/x", "@127.0.0.1/x", ".evil.test/x", "%00/x", "%2f/x", "./x", ":443@evil.test/x")
    ] + [
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://127.0.0.1%2f.push.apple.com/x",
        "https://evil.test/x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.test/x",
        "https://xpush.apple.com/x",
        "https://evil.test#fcm.googleapis.com",
        "https://evil.test?fcm.googleapis.com",
        "https://FCM.googleapis.com:444/x",
        "https://notify.windows.com/x",
        "file:///etc/passwd",
    ]
    connected = listen(
        trial,
        [
            "evil.test",
            "fcm.googleapis.com.evil.test",
            "xpush.apple.com",
            "notify.windows.com",
            *known,
            *[f"{host}.evil.test" for host in known],
        ],
    )
    server = trial.server("--push", Receiver(trial).file)
    keys = {
        "publicKey": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "authSecret": "BTBZMqHH6r4Tts7J_aSIgg",
    }

    def push(urls):
        users = [f"u{secrets.token_hex(4)}" for _ in urls]
        server.know(*users)
        for user, url in zip(users, urls):
            server.http(user).command("device.setAddress", {"address": {"gateway": "web", "token": url, **keys}})
        boss = server.operator()
        group = boss.result("channel.create", {"kind": "group", "members": users})["channel"]
        boss.result("message.send", {"channel": group, "text": "a"})

    push(bad)
    time.sleep(4)
    asked = list(connected)
    push([f"https://{known[0]}/fcm/send/x"])
    trial.check(
        "a known service is not asked, so that nothing is tested", kit.until(lambda: len(connected) > len(asked), 8)
    )
    trial.check(f"connections to ports {sorted(set(asked))}", not asked)
    trial.figure(f"{len(asked)} connections for {len(bad)} endpoints, {len(connected) - len(asked)} for a known one")


def listen(trial, hosts):
    """Lets names lead to this machine, in this namespace only; the ports that somebody connects to."""
    folder = trial.stack.enter_context(tempfile.TemporaryDirectory(prefix="roost-attack."))
    path = os.path.join(folder, "hosts")
    with open(path, "w") as file:
        file.write("".join(f"127.0.0.1 {host}\n" for host in ["localhost", *hosts]))
    if kit.subprocess.run(["mount", "--bind", path, "/etc/hosts"], capture_output=True).returncode:
        raise Unavailable("/etc/hosts cannot be replaced in a namespace")
    trial.stack.callback(kit.subprocess.run, ["umount", "/etc/hosts"])
    connected = []

    def accept(listener):
        with contextlib.suppress(OSError):
            while True:
                listener.accept()[0].close()
                connected.append(listener.getsockname()[1])

    for address in ("127.0.0.1", "::1"):
        for port in (22, 80, 443, 444, 8443):
            listener = kit.socket.create_server(
                (address, port), family=kit.socket.AF_INET6 if ":" in address else kit.socket.AF_INET
            )
            trial.stack.callback(listener.close)
            threading.Thread(target=accept, args=(listener,), daemon=True).start()
    return connected


@attack(
    ATTACKS,
    "L8",
    "another user names the webhook token of a device, as token and as voipToken, in another case, with blanks, with"
    " another device id and with the same one, which is `http` for all who name none",
    "whoever names the token of a device silences it",
)
def silenced(trial):
    """Whoever names the push token of a device silences it."""
    receiver, answers = Receiver(trial), {}
    for name, victims, own in [("another id", "ann-phone", "mallory-phone"), ("the id http", None, None)]:
        server = trial.server("--push", receiver.file)
        server.know("ann", "mallory", "bob")

        def set_address(user, device, **address):
            fields = {"Roost_Device": device} if device else {}
            return server.http(user).command(
                "device.setAddress", {"address": {"gateway": "webhook", **address}}, **fields
            )

        token = f"token-{name.replace(' ', '-')}"
        set_address("ann", victims, token=token)
        answers[name] = [
            set_address("mallory", own, **body).status
            for body in [
                {"token": token},
                {"voipToken": token},
                {"token": "x", "voipToken": token},
                {"token": token.upper()},
                {"token": token + " "},
            ]
        ]
        bob = server.http("bob")
        bob.result("channel.create", {"kind": "single", "members": ["ann"]})
        bob.result("message.send", {"channel": "ann:bob", "text": "are you there"})
        arrived = kit.until(lambda: any(f'"{token}"' in body for body in receiver.tokens), 8)
        trial.check(f"with {name} the device gets no notification any more", arrived)
        trial.figure(f"with {name} {answers[name]}, then a message {'is' if arrived else 'is not'} pushed")


@attack(
    ATTACKS,
    "L13",
    "the close codes of sessions at a ban, a deletion, a logout and a wrong token",
    "4403 is sent although the text says never",
)
def close_codes(trial):
    """4403 is reserved, says the text, and is sent at bans and deletions."""
    server = trial.server()
    boss, found = server.operator(), {}
    for name, command, body in [
        ("ban", "user.setAccess", {"canChat": False}),
        ("deletion", "user.delete", {}),
        ("logout", "login.end", {}),
    ]:
        session = server.socket(f"u-{name}")
        boss.result(command, {"userID": f"u-{name}", **body})
        with contextlib.suppress(OSError):
            session.socket.settimeout(5)
            while True:
                session.read()
        found[name] = session.close_code
    text = (pathlib.Path(__file__).parents[2] / "Protocol/preface.md").read_text()
    trial.check(f"close codes {found}", found == {"ban": 4403, "deletion": 4403, "logout": 4401})
    trial.check("the text calls 4403 reserved", "4403 is reserved" not in text)
    trial.figure(", ".join(f"{name} {number}" for name, number in found.items()))
