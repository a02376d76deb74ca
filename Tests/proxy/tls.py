#!/usr/bin/env python3
"""Clients of the SDK behind TLS: with certificates that are good, unknown, for another host, expired and renewed.

Needs ROOST, the binary, nginx and openssl.
"""
import json, os, pathlib, tempfile, threading

from certificates import Tail, certify, make_authority, roost
from proxy import FIVE_LINES, LIMIT, Proxy, Server, check, finish

SECRET = "nobody may read this"


def wait_for_refusal(proxy, seen):
    """Waits until a client has refused the certificate of a proxy again."""
    ticks = threading.Event()
    for _ in range(LIMIT * 20):
        if proxy.log().count("alert") > seen:
            return True
        ticks.wait(0.05)
    return False


def people(error):
    """Whether an error is a sentence for people."""
    return error.count("\n") == 1 and not any(word in error for word in ["NIO", "SSL routines", "/", "Error", ".cc"])


with tempfile.TemporaryDirectory() as folder:
    make_authority(folder)
    good = certify(folder, "good", "DNS:localhost,IP:127.0.0.1")
    wrong = certify(folder, "wrong", "DNS:chat.example.com")
    expired = certify(folder, "expired", "DNS:localhost,IP:127.0.0.1", days="-1")
    pathlib.Path(f"{folder}/picture.bin").write_bytes(os.urandom(3_000_000))
    server = Server(folder, "--dev")
    streaming = "client_max_body_size 0; proxy_request_buffering off; proxy_buffering off;"
    proxy = Proxy(folder, FIVE_LINES % streaming, server.port, good)
    plain, url, address = (f"http://127.0.0.1:{server.port}", f"https://localhost:{proxy.port}",
                           f"https://127.0.0.1:{proxy.port}")

    roost(folder, plain, "send", "--to", "myself", "I am here", user="bob")
    for at in (url, address):
        code, _, error = roost(folder, at, "send", "--to", "bob", "hello")
        check(f"messages go over TLS, to {at.rsplit(':', 1)[0]}", code == 0, error)
    code, printed, error = roost(folder, url, "send", "--to", "bob", "--file", f"{folder}/picture.bin")
    check("a file is sent over TLS", code == 0, error)
    code, printed, error = roost(folder, url, "history", "--to", "bob", "--json", "--body")
    rows = [json.loads(line) for line in printed.splitlines()]
    file = next((row["body"]["file"]["fileID"] for row in rows if (row.get("body") or {}).get("file")), "")
    code, _, error = roost(folder, url, "file", "get", file, f"{folder}/copy.bin")
    same = code == 0 and pathlib.Path(f"{folder}/copy.bin").read_bytes() == pathlib.Path(f"{folder}/picture.bin").read_bytes()
    check("and read again, every byte", same, error)

    count = len(proxy.requests())
    code, _, error = roost(folder, url, "send", "--to", "bob", SECRET, trust="")
    check("an issuer that this system does not trust is refused", code == 3 and "does not trust its issuer" in error, error)
    check("in a sentence for people", people(error.replace("localhost:", "")), error)
    check("and before anything was sent", len(proxy.requests()) == count, proxy.requests())
    code, _, error = roost(folder, url, "send", "--to", "bob", SECRET, trust="none.pem")
    check("a file of certificates that is not there is named", code == 3 and "SSL_CERT_FILE" in error and people(error), error)
    code, _, error = roost(folder, url, "send", "--to", "bob", SECRET, trust="good.key")
    check("and so is one without certificates", code == 3 and "SSL_CERT_FILE" in error and people(error), error)

    for certificate, word in [(wrong, "is for another host"), (expired, "has expired")]:
        proxy.stop()
        proxy.start(certificate)
        count = len(proxy.requests())
        code, _, error = roost(folder, url, "send", "--to", "bob", SECRET)
        check(f"a certificate that {word} is refused", code == 3 and word in error and people(error), error)
        check("and nothing was sent", len(proxy.requests()) == count, proxy.requests())
    code, _, error = roost(folder, f"https://127.0.0.1:{server.port}", "channels")
    check("without TLS at the other end https is refused, and http is named", code == 3 and "Try http:" in error, error)
    proxy.stop()
    proxy.start(good)
    code, _, error = roost(folder, f"http://localhost:{proxy.port}", "channels")
    check("and http where only TLS is spoken", code == 3 and "HTTP 400" in error, error)

    # A certificate runs out while somebody is connected, and is renewed.
    code, printed, error = roost(folder, plain, "channel", "create", "--channel", "room", "--title", "Room")
    check("a channel is made", code == 0, error)
    tail = Tail(folder, url, "room")
    roost(folder, plain, "send", "--channel", "room", "one")
    check("who is connected gets messages", tail.wait("one"), tail.texts)
    proxy.stop()
    seen = proxy.log().count("alert")
    proxy.start(expired)
    check("a client that was connected refuses a certificate that has expired, too", wait_for_refusal(proxy, seen))
    roost(folder, plain, "send", "--channel", "room", "two")
    proxy.stop()
    proxy.start(good)
    check("and gets what it has missed when it is renewed", tail.wait("two"), tail.texts)
    roost(folder, plain, "send", "--channel", "room", "three")
    tail.wait("three")
    check("each message once", tail.texts == ["one", "two", "three"], tail.texts)
    tail.stop()
    printed = roost(folder, plain, "history", "--to", "bob", "--json", "--body")[1]
    check("no refused message has reached the server", SECRET not in printed and "hello" in printed, printed)
    proxy.stop()
    server.stop()

finish()
