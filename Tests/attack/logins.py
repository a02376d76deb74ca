"""Attacks on accounts, tokens, one-time codes and the keys of an identity provider."""

import base64
import contextlib
import http.server
import json
import pathlib
import secrets
import subprocess
import tempfile
import threading
import time

import kit
from kit import HTTP, Failure, attack, code

ATTACKS = []
PASSWORD = "correct horse battery"


class Provider:
    """An identity provider with a key set that can stall, redirect or change."""

    def __init__(self, trial):
        self.folder = trial.stack.enter_context(tempfile.TemporaryDirectory(prefix="roost-attack."))
        self.keys, self.mode, self.asked, self.elsewhere = [], "well", 0, None
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                provider.asked += 1
                provider.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/jwks.json"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        trial.stack.callback(self.server.shutdown)

    def answer(self, request):
        body = json.dumps({"keys": [self.public(key) for key in self.keys]}).encode()
        if self.mode == "redirect":
            request.send_response(302)
            request.send_header("Location", self.elsewhere)
            request.end_headers()
            return
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        with contextlib.suppress(OSError):
            for byte in body:
                if self.mode == "well":
                    break
                if self.mode == "stalls":
                    time.sleep(60)
                request.wfile.write(bytes([byte]))
                request.wfile.flush()
                time.sleep(1)
            else:
                return
            request.wfile.write(body)

    def make(self, name):
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "ed25519", "-out", f"{self.folder}/{name}.pem"],
            check=True,
            capture_output=True,
        )
        return name

    def public(self, name):
        der = subprocess.run(
            ["openssl", "pkey", "-in", f"{self.folder}/{name}.pem", "-pubout", "-outform", "DER"],
            check=True,
            capture_output=True,
        ).stdout
        return {"kty": "OKP", "crv": "Ed25519", "kid": name, "use": "sig", "alg": "EdDSA", "x": text(der[-32:])}

    def token(self, name, user):
        now = int(time.time())
        head = (
            text(json.dumps({"alg": "EdDSA", "kid": name, "typ": "JWT"}).encode())
            + "."
            + text(
                json.dumps(
                    {"iss": "https://id.example", "aud": "chat", "sub": user, "iat": now, "exp": now + 3600}
                ).encode()
            )
        )
        message = pathlib.Path(self.folder, "message")
        message.write_text(head)
        signature = subprocess.run(
            ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", f"{self.folder}/{name}.pem", "-in", message],
            check=True,
            capture_output=True,
        ).stdout
        return head + "." + text(signature)

    def options(self, url=None):
        return [
            "--identity-keys",
            url or self.url,
            "--identity-issuer",
            "https://id.example",
            "--identity-audience",
            "chat",
        ]


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def timed(body):
    """How long a call takes, and what it returns or the error it ends with."""
    began = time.monotonic()
    try:
        result = body()
    except (OSError, Failure) as error:
        result = error
    return time.monotonic() - began, result


@attack(
    ATTACKS,
    "M4",
    "a key set that stalls after its head, or comes at a byte a second, while 20 tokens with unknown keys knock; a"
    " redirect to another host; 12 addresses that look like this machine; a session whose key leaves the set",
    "all logins hang, and still do 32 s after the provider is well; keys of another host opened a session",
)
def provider_keys(trial):
    """Keys of an identity provider that hang, redirect, or have left the set."""
    provider = Provider(trial)
    provider.keys = [provider.make("first")]
    server = trial.server(*provider.options())
    trial.check(
        "a token of the provider opens nothing",
        HTTP(server, provider.token("first", "ann")).command("unread.get").status == 200,
    )
    provider.make("second")
    for mode in ("stalls", "drips"):
        provider.mode = mode
        time.sleep(31)
        unknown = [provider.token("second", f"u{n}") for n in range(20)]
        knocks = [
            threading.Thread(target=knock, args=(server, token, f"198.18.1.{n}"), daemon=True)
            for n, token in enumerate(unknown)
        ]
        for thread in knocks:
            thread.start()
        time.sleep(0.5)
        took, known = timed(lambda: HTTP(server, provider.token("first", "bob")).command("unread.get").status)
        trial.check(f"{mode}: a login with a known key takes {took:.1f} s, {known}", known == 200 and took < 3)
        took_own, own = timed(lambda: server.http("carl").command("unread.get").status)
        trial.check(f"{mode}: a login with a token of the server takes {took_own:.1f} s", own == 200 and took_own < 3)
        for thread in knocks:
            thread.join(30)
        trial.check(f"{mode}: unknown keys wait for more than 30 s", not any(thread.is_alive() for thread in knocks))
    session = kit.Socket(server).hello(provider.token("first", "ann"))
    ended = threading.Thread(target=read_to_the_end, args=(session,), daemon=True)
    ended.start()
    provider.mode, provider.keys = "well", ["second"]
    began = time.monotonic()
    is_well = kit.until(
        lambda: HTTP(server, provider.token("second", "eve")).command("unread.get").status == 200, 45, 1
    )
    recovered = time.monotonic() - began
    trial.check("45 s after the provider is well a new key opens nothing", is_well)
    ended.join(15)
    ended = session.close_code
    trial.check(f"the session whose key has left ends with {ended}", ended == 4401)
    redirects(trial)
    strange = addresses(trial, provider)
    trial.figure(
        f"with stalled keys known keys take {took:.2f} s, own tokens {took_own:.2f} s; well again after {recovered:.0f}"
        f" s; {strange} of 12 addresses refused; the session with the lost key closed with {ended}"
    )


def knock(server, token, source):
    with contextlib.suppress(OSError):
        HTTP(server, token, source, 40).command("unread.get")


def read_to_the_end(session):
    """Reads, and so answers pings, until the other side closes."""
    session.socket.settimeout(90)
    with contextlib.suppress(OSError):
        while True:
            session.read()


STRANGE = [
    "http://127.0.0.1:80@evil.test/j",
    "http://localhost@evil.test/j",
    "http://localhost.evil.test/j",
    "http://127.0.0.1.evil.test/j",
    "http://127.1/j",
    "http://2130706433/j",
    "http://[::1]@evil.test/j",
    "http://evil.test/?127.0.0.1",
    "http://evil.test#@127.0.0.1/",
    "http://127.0.0.1\\@evil.test/j",
    "ftp://127.0.0.1/j",
    "http://0x7f.1/j",
]


def addresses(trial, provider):
    """How many of the addresses that look like this machine, and are not, the server refuses."""
    refused = 0
    for url in STRANGE:
        try:
            trial.server(*provider.options(url))
            trial.check(f"the server starts with {url}", False)
        except Failure:
            refused += 1
    return refused


def redirects(trial):
    evil, provider = Provider(trial), Provider(trial)
    evil.keys = [evil.make("evil")]
    provider.mode, provider.elsewhere = "redirect", evil.url
    server = trial.server(*provider.options())
    answer = HTTP(server, evil.token("evil", "ann")).command("unread.get")
    trial.check(f"keys behind a redirect open a session: {answer.status}", answer.status != 200 and evil.asked == 0)
    trial.figure(f"behind a redirect {answer.status}, {evil.asked} requests")


def powers(user):
    """What a key may want to do to a user."""
    return {
        "register": (
            "account.register",
            {"accounts": [{"loginName": f"new-{user}", "password": PASSWORD, "userID": user}]},
        ),
        "password": ("account.set", {"userID": user, "password": PASSWORD}),
        "phone": ("account.set", {"userID": user, "phone": "+491701234567"}),
        "email": ("account.set", {"userID": user, "email": "a@b.c"}),
        "corp": ("account.set", {"userID": user, "corpID": "x"}),
        "ban": ("user.setAccess", {"userID": user, "canChat": False}),
        "calls": ("user.setAccess", {"userID": user, "canCall": False}),
        "logout": ("login.end", {"userID": user}),
        "device": ("login.end", {"userID": user, "deviceID": "phone"}),
        "delete": ("user.delete", {"userID": user}),
        "revoke": ("key.revoke", {"key": "other"}),
        "create": ("key.create", {"key": f"k{user}", "hash": "0" * 64, "scopes": ["operator"], "userID": user}),
    }


@attack(
    ATTACKS,
    "M11",
    "a key with the scope accounts against an operator known by token, by key, by one-time code, and one who has only a"
    " token so far: 12 commands each",
    "gives the operator a password, logs in, bans the operator, whose key.revoke gets 403",
)
def accounts_key(trial):
    """A key with the scope accounts becomes any user, and can shut operators out."""
    server = trial.server()
    key = server.key("backend")
    server.http("byKey")
    server.know("byKey", "unused")
    made = server.run(
        "key",
        "create",
        "--server",
        f"http://127.0.0.1:{server.port}",
        "--token",
        server.token("boss", op=True),
        "other",
        "--scope",
        "operator",
        "--of",
        "byKey",
    )
    if made.returncode:
        raise Failure(made.stderr)
    one_time = server.token("byCode", use="code", lifetime=60, op=True)
    by_code = HTTP(server, json.loads(HTTP(server).command("account.logIn", {"code": one_time}).body)["token"])
    by_code.command("key.list")
    held, done = {}, []
    for user in ["boss", "byKey", "byCode", "unused"]:
        for name, (command, body) in powers(user).items():
            answer = key.command(command, body)
            results = json.loads(answer.body).get("results", [{}]) if answer.status == 200 else [{"error": 1}]
            if answer.status == 200 and "error" not in results[0]:
                done.append(f"{name} of {user}")
            held[name, user] = answer.status
    allowed = {
        f"{name} of unused"
        for name in ("ban", "calls", "logout", "device", "delete", "password", "phone", "email", "corp")
    }
    trial.check(f"the key does {sorted(set(done) - allowed)}", set(done) <= allowed)
    trial.check(
        "the operator cannot revoke the key", server.operator().command("key.revoke", {"key": "backend"}).status == 200
    )
    trial.check("the revoked key still opens something", key.command("user.find", {"userIDs": ["boss"]}).status == 401)
    trial.figure(
        f"{len(held) - len(done)} of {len(held)} refused; done: {', '.join(sorted(done)) or 'nothing'} (somebody who"
        " has not been an operator yet); the operator revokes the key"
    )


@attack(
    ATTACKS,
    "M12",
    "a stolen token whose device 110 later logins push out; a token that session.renew brought; one used over HTTP"
    " only; then login.end of the device",
    "200, and the stolen token still opens sessions",
)
def pushed_out(trial):
    """login.end says yes and changes nothing for a device that 100 later logins pushed out."""
    server = trial.server()
    stolen = server.token("ann")
    kit.Socket(server).hello(stolen, "phone").close()
    for n in range(110):
        kit.Socket(server).hello(server.token("ann"), f"device{n}").close()
    ann = server.http("ann")
    answer = ann.command("login.end", {"deviceID": "phone"})
    still = HTTP(server, stolen).command("unread.get").status
    trial.check(
        f"login.end is answered with {answer.status}, and the token is good for {still}",
        answer.status != 200 or still == 401,
    )
    # A thief who renews keeps both tokens.
    first, renewed = server.token("bob"), server.token("bob")
    session = kit.Socket(server).hello(first, "tablet")
    trial.check("session.renew fails", "result" in session.ask("session.renew", {"token": renewed}))
    bob = server.http("bob")
    trial.check(
        "login.end of a device that renewed fails", bob.command("login.end", {"deviceID": "tablet"}).status == 200
    )
    after = [HTTP(server, token).command("unread.get").status for token in (first, renewed)]
    trial.check(f"after login.end the tokens of a device that renewed are good for {after}", after == [401, 401])
    over_http = server.token("carl")
    HTTP(server, over_http).command("unread.get", Roost_Device="laptop")
    ended = server.http("carl").command("login.end", {"deviceID": "laptop"})
    open_still = HTTP(server, over_http).command("unread.get").status
    trial.check(
        f"login.end of a device known over HTTP only: {ended.status}, the token is good for {open_still}",
        ended.status != 200 or open_still == 401,
    )
    everything = server.http("ann", issued=int(time.time()) + 2).command("login.end", {})
    last = HTTP(server, stolen).command("unread.get").status
    trial.check("a logout of all devices leaves the token", everything.status == 200 and last == 401)
    trial.figure(
        f"login.end {answer.status} ({code(answer)}), the token {still}; renewed tokens {after}; over HTTP only "
        f"{ended.status} ({code(ended)}); after a logout of all {last}"
    )


@attack(
    ATTACKS,
    "M13",
    "six kinds of commands and failed logins with a login name, an e-mail and a phone number, then the deletion of the"
    " user; every file searched while running and after the stop",
    "the login name stays in command_keys and in the log for a week and more",
)
def left_names(trial):
    """A deleted user's login name stays."""
    server = trial.server("--log-level", "debug")
    login, mail, phone = "Hidden.Name@work", "hidden.mail@example.org", "+491709999777"
    boss = server.operator()
    account = {"loginName": login, "password": PASSWORD, "email": mail, "phone": phone, "userID": "ann"}
    boss.result("account.register", {"accounts": [account]})
    boss.command("account.register", {"accounts": [account]})
    boss.command("account.register", {"accounts": [{**account, "loginName": phone, "userID": "other"}]})
    kit.login(server, login, "a wrong password")
    kit.login(server, login.upper(), PASSWORD)
    server.key().command("account.authenticate", {"loginName": login, "password": "a wrong password"})
    server.http("bob").command("user.find", {"loginNames": [login], "phones": [phone]})
    ann = server.http("ann")
    ann.command("account.set", {"oldPassword": PASSWORD, "password": PASSWORD + " staple"})
    ann.command("account.set", {"oldPassword": "wrong one", "password": PASSWORD + " staple"})
    boss.result("user.delete", {"userID": "ann"})
    time.sleep(3)
    words = [word.encode() for word in (login, login.lower(), mail, phone)]
    running = found(server.folder, words)
    server.stop()
    stopped = found(server.folder, words)
    trial.check(f"while running found in {running}", not running)
    trial.check(f"after the stop found in {stopped}", not stopped)
    trial.figure(f"found while running: {running or 'nowhere'}; after the stop: {stopped or 'nowhere'}")


def found(folder, words):
    return sorted(
        {
            f"{path.name} ({word.decode()})"
            for path in pathlib.Path(folder).rglob("*")
            if path.is_file()
            for word in words
            if word in path.read_bytes()
        }
    )


@attack(
    ATTACKS,
    "L6",
    "tokens and one-time codes of a backend whose clock is 5, 30 and 55 s ahead, never shown before a logout of all devices",
    "a token from 60 s ahead survives the logout",
)
def from_the_future(trial):
    """A token whose iat lies up to 60 s ahead and that was never shown survives a logout of all."""
    outcome = {}
    for ahead in (0, 5, 30, 55):
        server = trial.server()
        boss, user = server.operator(), f"u{ahead}"

        def made():
            return {"issued": int(time.time()) + ahead}

        server.know(user)
        # Others log in with tokens of that backend, so its clock is known.
        kit.Socket(server).hello(server.token("other", **made()))
        token, one_time = server.token(user, **made()), server.token(user, use="code", lifetime=60, **made())
        boss.result("login.end", {"userID": user})
        # A code is good from its iat on.
        time.sleep(1.1 + (ahead if ahead == 5 else 0))
        exchanged = HTTP(server).command("account.logIn", {"code": one_time}).status
        outcome[ahead] = (HTTP(server, token).command("unread.get").status, exchanged)
        trial.check(f"a token from {ahead} s ahead is good for {outcome[ahead][0]}", outcome[ahead][0] == 401)
        trial.check(f"a code from {ahead} s ahead is good for {exchanged}", exchanged == 401)
        # Whoever logs in again after that must not be shut out.
        time.sleep(1.2)
        again = server.http(user, **made()).command("unread.get").status
        trial.check(f"a token made after the logout is good for {again}", again == 200)
    trial.figure(f"(token, code) by seconds ahead: {outcome}")


# Those that have to be refused, and others that are guessed soon.
WEAK = [
    "password",
    "Password1",
    "PASSWORD2026",
    "password!",
    "12345678",
    "123456789",
    "87654321",
    "qwertyui",
    "qwertzui",
    "asdfghjkl",
    "1q2w3e4r",
    "abcd1234",
    "iloveyou",
    "sunshine1",
    "passwort",
    "passwort1",
    "11111111",
    "aaaaaaaa",
    "abcabcabc",
    " " * 8,
    "\0" * 8,
    "\u3000" * 8,
    "\u200b" * 8,
    "ann.smith",
    "ANN.SMITH",
    "password\u200b",
    "football1",
    "letmein1",
    "trustno1",
    "welcome123",
]
GUESSED = [
    "ｐａｓｓｗｏｒｄ",
    "pass\u200bword",
    "pаssword",
    "p@ssw0rd",
    "drowssap",
    "htims.nna",
    "ann.smithann.smith",
    "hallo123",
    "motdepasse",
    "contraseña",
    "パスワード1234",
    "qwerty1234567",
    "correcthorse",
    "schatz123",
    "1qaz2wsx",
    "zaq12wsx",
    "changeme1",
    "admin1234",
    "roostroost",
]


@attack(
    ATTACKS,
    "L12",
    "30 weak passwords and 19 others: words, years, rows of keys of three keyboards, blanks, NULs, full-width and"
    " zero-width, Cyrillic look-alikes, the names of the user backwards or doubled",
    "`password`, eight blanks and eight NULs are taken",
)
def weak_passwords(trial):
    """Weak passwords are taken."""
    server = trial.server()
    taken = {}
    for word in WEAK + GUESSED:
        login = "ann.smith" if word.lower().startswith("ann") or "htims" in word else "u" + secrets.token_hex(4)
        answer = server.operator().command("account.register", {"accounts": [{"loginName": login, "password": word}]})
        result = json.loads(answer.body).get("results", [{"error": 1}])[0]
        taken[word] = "error" not in result
        if taken[word]:
            server.operator().command("user.delete", {"userID": result["userID"]})
    for word in WEAK:
        trial.check(f"the password {word!r} is taken", not taken[word])
    trial.figure(
        f"{sum(not taken[word] for word in WEAK)} of {len(WEAK)} refused, and"
        f" {sum(not taken[word] for word in GUESSED)} of {len(GUESSED)} others that are guessed soon"
    )
    words = ", ".join(repr(word) for word in GUESSED if taken[word])
    trial.figure(f"taken: {words}" if words else "none taken")
