"""Attacks on one-time codes."""

import json
import secrets
import time

import kit
from kit import HTTP, attack, code, signed, together
from logins import PASSWORD, text

ATTACKS = []


def made(server, user="ann", lifetime=60, **claims):
    """A new code."""
    return server.token(user, use="code", lifetime=lifetime, **claims)


def exchange(server, value, source="198.18.1.1", **more):
    """The answer to the exchange of a code."""
    client = HTTP(server, source=source, timeout=60)
    answer = client.exchange("POST", "/v1/account.logIn", json.dumps({"code": value, **more}))
    client.close()
    return answer


@attack(
    ATTACKS,
    "X1",
    "one-time codes: 40 exchanges of one at once on connections of 20 addresses, before and after kill -9; as a token"
    " in six places; tokens as codes; too long, without jti, with that of another, op for a banned user; 120 wrong"
    " codes",
    "not tried",
)
def codes(trial):
    """A one-time code becomes more than one token, or opens something itself."""
    server = trial.server()
    server.know("ann", "bad")
    one = made(server)
    statuses = [answer.status for answer in together(40, lambda n: exchange(server, one, f"198.18.1.{n % 20}"))]
    trial.check(f"40 exchanges of one code succeed {statuses.count(200)} times", statuses.count(200) == 1)
    server.kill()
    server.start()
    trial.check("a used code is taken after kill -9", exchange(server, one).status != 200)
    elsewhere = other_places(trial, server)
    bad, opened = bad_codes(trial, server)
    secret, now = server.secret(), int(time.time())
    base = {"iss": "roost", "aud": "roost", "use": "code", "sub": "ann", "iat": now, "exp": now + 60}
    jti = secrets.token_hex(8)
    same = [exchange(server, signed({**base, "jti": jti, "sub": user}, secret)).status for user in ("ann", "bob")]
    nameless = signed(base, secret)
    twice = [exchange(server, nameless).status for _ in range(2)]
    trial.check(f"a code without jti is taken {twice.count(200)} times", twice.count(200) <= 1)
    both = exchange(server, made(server), loginName="ann", password=PASSWORD)
    trial.check(f"a code with a login name is answered with {both.status}", both.status == 400)
    wrong = [code(exchange(server, "x.y.z" + str(n), "198.18.3.1")) for n in range(120)]
    after = exchange(server, made(server), "198.18.3.1")
    trial.check(
        f"after 120 wrong codes of the network a right one is answered with {after.status}", after.status == 200
    )
    trial.check(f"wrong codes are not limited: {wrong.count(1)}", wrong.count(1) == 50)
    ended = made(server)
    server.operator().result("login.end", {"userID": "ann"})
    time.sleep(1.1)
    late = exchange(server, ended).status
    trial.check(f"a code made before a logout of all devices is answered with {late}", late == 401)
    trial.figure(
        f"40 at once: {statuses.count(200)} succeeds; in six other places refused: {elsewhere};"
        f" {bad - opened} of {bad} bad codes refused; one jti for two users {same}; without jti {twice};"
        f" {wrong.count(1)} of 120 wrong codes tried"
    )


def other_places(trial, server):
    """Shows a code where a token belongs; in how many places."""
    fresh = made(server)
    places = {
        "bearer": HTTP(server, fresh).command("unread.get").status,
        "upload": HTTP(server, fresh).exchange("POST", "/v1/files", b"", {"Upload-Length": "1"}).status,
        "hello": "error" in kit.Socket(server).ask("hello", {"version": 1, "token": fresh, "deviceID": "x"}),
        "renew": "error" in server.socket("ann").ask("session.renew", {"token": fresh}),
        "download": HTTP(server, fresh).exchange("GET", "/v1/files/" + "a" * 32).status,
        "read": HTTP(server, fresh).command("message.list", {"channel": "ann:ann"}).status,
    }
    trial.check(f"a code opens something: {places}", set(places.values()) == {401, True})
    trial.check("a code that was shown as a token is used up", exchange(server, fresh).status == 200)
    return len(places)


def bad_codes(trial, server):
    """Exchanges what is no good code; how many, and how many of them became a token."""
    boss = server.operator()
    boss.result("user.setAccess", {"userID": "bad", "canChat": False})
    secret, now = server.secret(), int(time.time())
    base = {"iss": "roost", "aud": "roost", "use": "code", "sub": "ann", "iat": now, "exp": now + 60}
    bad = {
        "a token": server.token("ann"),
        "601 s": made(server, lifetime=601),
        "over": made(server, issued=now - 100, lifetime=60),
        "of a banned user": made(server, "bad", op=True),
        "of a list": signed({**base, "use": ["code"]}, secret),
        "both uses": signed({**base, "use": "code user"}, secret),
        "none": text(b'{"alg":"none"}') + "." + text(json.dumps(base).encode()) + ".",
        "another secret": signed({**base, "jti": "j"}, b"x" * 32),
        "long": "a" * 5000,
    }
    opened = [name for name, value in bad.items() if exchange(server, value, "198.18.2.1").status == 200]
    trial.check(f"codes are taken that should not be: {opened}", not opened)
    return len(bad), len(opened)
