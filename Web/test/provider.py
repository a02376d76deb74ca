#!/usr/bin/env python3
"""Signing in at an identity provider (OpenID Connect, codes with PKCE), and making an account.

Needs ROOST, the server's binary. The provider is a small one of this file, on another host than the page.
"""
import base64
import hashlib
import http.server
import json
import secrets
import threading
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from app_driver import World
from browser import LOST, expect, run, same, test
from login_driver import PASSWORD, cookies, expect_live, expect_signed_out, expect_user, log_out

CLIENT, SECRET = "roost page", "s3cr:t/äö"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider:
    """Asks nobody for a password: whoever comes is `user`. What it was asked is in `asked`."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.codes, self.asked, self.user, self.refuses, self.claims = {}, [], "ann", None, {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                outer.get(self)

            def do_POST(self):
                outer.exchange(self)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # The page is at 127.0.0.1, so this is another site.
        self.url = f"http://localhost:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def options(self, folder):
        secret = folder / "client-secret"
        secret.write_text(SECRET + "\n", encoding="utf-8")
        return ["--identity-keys", self.url + "/keys", "--identity-issuer", self.url, "--identity-client", CLIENT,
                "--identity-client-secret", str(secret)]

    def answer(self, request, status, body, **headers):
        data = json.dumps(body).encode()
        request.send_response(status)
        for name, value in ({"Content-Type": "application/json", "Content-Length": str(len(data))} | headers).items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(data)

    def get(self, request):
        place = urllib.parse.urlsplit(request.path)
        if place.path == "/.well-known/openid-configuration":
            return self.answer(request, 200, {
                "issuer": self.url, "authorization_endpoint": self.url + "/authorize?tenant=1",
                "token_endpoint": self.url + "/token"})
        if place.path == "/keys":
            numbers = self.key.public_key().public_numbers()
            return self.answer(request, 200, {"keys": [{
                "kty": "EC", "crv": "P-256", "kid": "1", "x": base64url(numbers.x.to_bytes(32, "big")),
                "y": base64url(numbers.y.to_bytes(32, "big"))}]})
        words = dict(urllib.parse.parse_qsl(place.query))
        self.asked.append(words)
        back = {"state": words["state"]}
        if self.refuses:
            back["error"] = self.refuses
        else:
            back["code"] = secrets.token_urlsafe()
            self.codes[back["code"]] = words
        return self.answer(request, 302, {}, Location=words["redirect_uri"] + "?" + urllib.parse.urlencode(back))

    def exchange(self, request):
        body = request.rfile.read(int(request.headers["Content-Length"])).decode()
        words = dict(urllib.parse.parse_qsl(body))
        pair = f"{urllib.parse.quote(CLIENT, safe='')}:{urllib.parse.quote(SECRET, safe='')}"
        asked = self.codes.pop(words.get("code"), None)
        if request.headers["Authorization"] != "Basic " + base64.b64encode(pair.encode()).decode():
            return self.answer(request, 401, {"error": "invalid_client"})
        challenge = base64url(hashlib.sha256(words.get("code_verifier", "").encode()).digest())
        if not asked or asked["code_challenge"] != challenge or asked["redirect_uri"] != words.get("redirect_uri"):
            return self.answer(request, 400, {"error": "invalid_grant"})
        now = int(time.time())
        claims = {"iss": self.url, "aud": [CLIENT], "sub": self.user, "name": "Ann of Example", "iat": now,
                  "exp": now + 300, "nonce": asked["nonce"]} | self.claims
        signed = base64url(b'{"alg":"ES256","kid":"1"}') + "." + base64url(json.dumps(claims).encode())
        r, s = utils.decode_dss_signature(self.key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        token = signed + "." + base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return self.answer(request, 200, {"access_token": "x", "token_type": "Bearer", "id_token": token})


def provided(stage, *words):
    provider = Provider()
    stage.allow(f"foreign request: {provider.url}/authorize")
    return provider, World(stage, *provider.options(stage.folder), *words)


def begin(page):
    page.get_by_role("button", name="Sign in with localhost").click()


@test("a provider signs in, the browser stays signed in, and nothing of it is left in the address")
def _(stage):
    provider, world = provided(stage)
    page = stage.page(world.url + "/#channel=nowhere")
    begin(page)
    expect_user(page, "ann")
    expect_live(page)
    same(page.evaluate("document.querySelector('roost-chat').client.user.name"), "Ann of Example")
    (asked,) = provider.asked
    same((asked["response_type"], asked["client_id"], asked["redirect_uri"], asked["code_challenge_method"],
          asked["tenant"], asked["scope"]), ("code", CLIENT, world.url + "/", "S256", "1", "openid profile"))
    same(page.evaluate("[location.search, location.hash, sessionStorage.getItem('roost.provider /')]"),
         ["", "#channel=nowhere", None])
    (cookie,) = cookies(page)
    same(cookie["expires"] - time.time() < 7 * 86_400 + 60, True)
    page.reload()
    expect_live(page)
    tab = stage.tab(page, world.url + "/")
    expect_user(tab, "ann")
    expect_live(tab)
    log_out(page)
    expect_signed_out(tab)
    page.reload()
    expect_signed_out(page)


@test("a second person signs in at the provider beside the first one")
def _(stage):
    provider, world = provided(stage)
    page = stage.page(world.url + "/")
    begin(page)
    expect_user(page, "ann")
    expect_live(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Add an account").click()
    provider.user = "bob"
    begin(page)
    expect_user(page, "bob")
    expect_live(page)
    same(len(cookies(page)), 2)


@test("an answer that this tab has not asked for signs nobody in")
def _(stage):
    provider, world = provided(stage)
    page = stage.page(f"{world.url}/?code=stolen&state=guessed")
    expect(page.get_by_text("This sign-in was not started in this tab. Start it again.")).to_be_visible()
    same(page.evaluate("location.search"), "")
    # Another person's answer, in a tab that has asked for one of its own.
    begin(page)
    expect_live(page)
    page.goto(f"{world.url}/?code=stolen&state={provider.asked[0]['state']}")
    expect_user(page, "ann")
    expect_live(page)
    same(len(cookies(page)), 1)


@test("a provider that refuses, a wrong nonce, and one that is gone are told, and the next try works")
def _(stage):
    provider, world = provided(stage)
    stage.allow(LOST)
    page = stage.page(world.url + "/")
    provider.refuses = "access_denied"
    begin(page)
    told = page.get_by_text("You were not signed in there. Try again.")
    expect(told).to_be_visible()
    provider.refuses = None
    # Without what is told already.
    page.goto(world.url + "/")
    expect_signed_out(page)
    for wrong in ({"nonce": "of another"}, {"aud": "another"}, {"exp": int(time.time()) - 3_600}, {"sub": "not a user"}):
        provider.claims = wrong
        begin(page)
        expect(told).to_be_visible()
        same(cookies(page), [])
        page.goto(world.url + "/")
        expect_signed_out(page)
    provider.claims = {}
    begin(page)
    expect_live(page)


@test("a wrong secret of the client is the operator's mistake, and is told as such")
def _(stage):
    provider = Provider()
    stage.allow(f"foreign request: {provider.url}/authorize")
    words = provider.options(stage.folder)
    (stage.folder / "client-secret").write_text("another", encoding="utf-8")
    world = World(stage, *words)
    stage.allow(LOST)
    page = stage.page(world.url + "/")
    begin(page)
    expect(page.get_by_text("This server and its identity provider do not agree.")).to_be_visible()


def new_account(page, login, password=PASSWORD, name=""):
    page.get_by_role("tab", name="With a password").click()
    page.get_by_role("button", name="Create an account").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Login name").fill(login)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Create account").click()


@test("people make accounts themselves where the server allows it, and stay signed in")
def _(stage):
    world = World(stage, "--allow-sign-up")
    stage.allow(LOST)
    page = stage.page(world.url + "/")
    new_account(page, "ann@example.com")
    expect(page.get_by_text("Use letters, digits and . - _ only.")).to_be_visible()
    page.get_by_label("Login name").fill("Ann.Lee")
    page.get_by_label("Password", exact=True).fill("short")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("Use at least 8 characters.")).to_be_visible()
    page.get_by_label("Password", exact=True).fill("password1")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("This password is easy to guess.")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Your name").fill("Ann Lee")
    page.get_by_role("button", name="Create account").click()
    expect_live(page)
    same(page.evaluate("document.querySelector('roost-chat').client.user.name"), "Ann Lee")
    page.reload()
    expect_live(page)
    other = stage.page(world.url + "/")
    new_account(other, "ANN.LEE", "another horse battery")
    expect(other.get_by_text("This login name is taken. Choose another one.")).to_be_visible()
    other.get_by_role("button", name="I have an account").click()
    other.get_by_label("Password", exact=True).fill(PASSWORD)
    other.get_by_role("button", name="Sign in", exact=True).click()
    expect_live(other)


@test("without --allow-sign-up there is no way to make an account")
def _(stage):
    world = World(stage)
    page = stage.page(world.url + "/")
    expect(page.get_by_role("tab", name="With a token")).to_be_visible()
    expect(page.get_by_role("button", name="Create an account")).to_have_count(0)
    expect(page.get_by_role("button", name="Sign in with")).to_have_count(0)


run()
