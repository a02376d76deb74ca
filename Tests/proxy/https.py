#!/usr/bin/env python3
"""A server that speaks TLS itself: clients, the port that leads to it, certificates that are replaced, and wrong ones.

Needs ROOST, the binary, and openssl.
"""
import asyncio, http.client, json, os, pathlib, shutil, signal, socket, ssl, subprocess, tempfile, threading

import websockets

from certificates import Tail, certify, make_authority, openssl, roost
from proxy import LIMIT, ROOST, Server, check, finish, free_port


def trust(folder):
    return ssl.create_default_context(cafile=f"{folder}/ca.pem")


def connect(folder, port):
    """A connection over TLS."""
    raw = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
    return trust(folder).wrap_socket(raw, server_hostname="localhost")


def serial(folder, port):
    """The number of the certificate that a new connection gets."""
    with connect(folder, port) as sock:
        return sock.getpeercert()["serialNumber"]


def own_serial(certificate):
    return subprocess.run(["openssl", "x509", "-in", f"{certificate}.pem", "-noout", "-serial"], check=True,
                          capture_output=True, text=True).stdout.strip().split("=")[1]


def wait_until(condition):
    """Looks again and again, up to a limit."""
    ticks = threading.Event()
    return any(condition() or ticks.wait(0.05) for _ in range(LIMIT * 20))


def put(folder, certificate, ending):
    """Replaces one of the two files of the server at once, as programs for certificates do."""
    shutil.copy(f"{certificate}.{ending}", f"{folder}/new.{ending}")
    os.chmod(f"{folder}/new.{ending}", 0o600)
    os.rename(f"{folder}/new.{ending}", f"{folder}/own.{ending}")


def ask(port, method, path, **headers):
    """The status, the headers and the body of an answer over plain HTTP."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def refusal(folder, *words):
    """The exit code and the error of a server that does not start."""
    done = subprocess.run([ROOST, "serve", "--data", f"{folder}/refused", "--port", "0", *words], capture_output=True,
                          text=True, timeout=LIMIT)
    return done.returncode, done.stderr


async def close_code(folder, port):
    """The code with which a WebSocket is closed that says nothing that the server knows."""
    async with websockets.connect(f"wss://localhost:{port}/v1/connect", ssl=trust(folder)) as session:
        await session.send("nonsense")
        try:
            while True:
                await asyncio.wait_for(session.recv(), LIMIT)
        except websockets.ConnectionClosed as closed:
            return closed.rcvd and closed.rcvd.code


def test_clients(folder, server):
    url = f"https://localhost:{server.port}"
    pathlib.Path(f"{folder}/picture.bin").write_bytes(os.urandom(30_000_000))
    roost(folder, url, "send", "--to", "myself", "I am here", user="bob")
    code, _, error = roost(folder, url, "send", "--to", "bob", "hello")
    check("messages go over TLS", code == 0, error)
    code, _, error = roost(folder, url, "send", "--to", "bob", "--file", f"{folder}/picture.bin")
    check("a file of 30 MB is sent", code == 0, error)
    printed = roost(folder, url, "history", "--to", "bob", "--json", "--body")[1]
    rows = [json.loads(line) for line in printed.splitlines()]
    file = next((row["body"]["file"]["fileID"] for row in rows if (row.get("body") or {}).get("file")), "")
    code, _, error = roost(folder, url, "file", "get", file, f"{folder}/copy.bin")
    same = code == 0 and pathlib.Path(f"{folder}/copy.bin").read_bytes() == pathlib.Path(f"{folder}/picture.bin").read_bytes()
    check("and read again, every byte", same, error)
    code, _, error = roost(folder, url, "channels", trust="")
    check("a client that does not know the authority refuses", code == 3 and "does not trust its issuer" in error, error)
    code = asyncio.run(close_code(folder, server.port))
    check("the end of a WebSocket has its code", code == 4401, code)
    with connect(folder, server.port) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"a" * 20_000 + b"\r\n\r\n")
        got = sock.recv(100)
        check("a head that is too long is answered", got.startswith(b"HTTP/1.1 400"), got)
    with connect(folder, server.port) as sock:
        sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
        got = b""
        while got.count(b'{"alive":true}') < 3 and (part := sock.recv(1_000)):
            got += part
        check("three requests at once have three answers", got.count(b'{"alive":true}') == 3, got)
    return file


def resident(server):
    """How many bytes of memory the server has."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1_024


def test_memory(folder, server, file):
    """What a connection has sent does not stay in memory as long as the connection."""
    printed = roost(folder, f"https://localhost:{server.port}", "file", "info", file, "--json")[1]
    path = json.loads(printed)["link"]
    before, connections = resident(server), []
    for _ in range(100):
        sock = connect(folder, server.port)
        sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-999999\r\n\r\n".encode())
        got = 0
        while got < 1_000_000:
            got += len(sock.recv(1 << 20))
        connections.append(sock)
    each = (resident(server) - before) // len(connections)
    check("a connection that has got a lot holds little", each < 160_000, each)
    for sock in connections:
        sock.close()


def test_pages(server):
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    for scheme, status in (("https", 101), ("http", 403)):
        connection = http.client.HTTPSConnection("localhost", server.port, timeout=LIMIT, context=ssl._create_unverified_context())
        connection.request("GET", "/v1/connect", headers={"Origin": f"{scheme}://localhost:{server.port}", **upgrade})
        got = connection.getresponse().status
        check(f"a page over {scheme} gets {status}", got == status, got)
        connection.close()


def test_plain_http(folder, server):
    status, _, body = ask(server.port, "GET", "/")
    check("plain HTTP is answered with what to do", status == 400 and b"begin the address with https://" in body, body)
    code, _, error = roost(folder, f"http://localhost:{server.port}", "channels")
    check("a client that uses http says it", code == 3 and "HTTP 400" in error, error)
    with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT) as sock:
        check("who says nothing is closed", sock.recv(1) == b"")
    # A record that is longer than what has come of it.
    beginning = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc" + b"\0" * 50
    with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT) as sock:
        sock.sendall(beginning)
        check("and so is who begins TLS and does not go on", sock.recv(1) == b"")
    with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT) as sock:
        sock.sendall(beginning)
        sock.settimeout(0.2)
        check("and who goes on a byte at a time", drip(sock))
    with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT) as sock:
        sock.sendall(b"\x80\x01nonsense")
        check("and who speaks something else", read_to_end(sock) is not None)


def drip(sock):
    """Sends a byte now and then, fewer than the rest of its record; whether the other side ends that."""
    for _ in range(400):
        try:
            sock.sendall(b"\0")
            return sock.recv(1) == b""
        except TimeoutError:
            pass
        except ConnectionError:
            return True
    return False


def read_to_end(sock):
    """What comes until the other side closes; None if it does not."""
    got = b""
    try:
        while part := sock.recv(1_000):
            got += part
    except TimeoutError:
        return None
    except ConnectionError:
        pass
    return got


def test_redirects(folder, server, port):
    https = f"https://localhost:{server.port}"
    status, headers, _ = ask(port, "GET", "/a/b?c=d", Host="localhost:80")
    check("plain HTTP leads to HTTPS", status == 308 and headers["location"] == f"{https}/a/b?c=d", headers)
    check("and no browser remembers it", headers["cache-control"] == "no-store", headers)
    check("HEAD as well", ask(port, "HEAD", "/", Host="localhost")[1]["location"] == https + "/")
    check("a name like a path stays a path", ask(port, "GET", "//evil.example", Host="localhost")[1]["location"]
          == https + "//evil.example")
    status, headers, body = ask(port, "POST", "/v1/message.send", Host="localhost")
    check("commands are not led on", status == 404 and "location" not in headers and https.encode() in body, body)
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    status = ask(port, "GET", "/v1/connect", Host="localhost", **upgrade)[0]
    check("there are no WebSockets", status == 308, status)
    check("a Host that is none is refused", ask(port, "GET", "/", Host="a b/c")[0] == 400)
    folder = pathlib.Path(folder, "acme/.well-known/acme-challenge")
    folder.mkdir(parents=True)
    (folder / "to_ken-1").write_text("to_ken-1.thumb")
    (folder.parent / "secret").write_text("nobody may read this")
    status, _, body = ask(port, "GET", "/.well-known/acme-challenge/to_ken-1", Host="localhost")
    check("authorities for certificates find what was put there for them", (status, body) == (200, b"to_ken-1.thumb"), body)
    for name in ("none", "../secret", "%2e%2e/secret", "", "to_ken-1?x", "a" * 300):
        status, headers, body = ask(port, "GET", f"/.well-known/acme-challenge/{name}", Host="localhost")
        check(f"and nothing else: {name[:20]!r}", status == 404 and b"nobody" not in body, (status, body))
    check("it tells that it lives", ask(port, "GET", "/healthz", Host="localhost")[0] == 200)


def test_renewal(folder, server, certificates):
    first, second, third = certificates
    url = f"https://localhost:{server.port}"
    check("a new connection gets the certificate", serial(folder, server.port) == own_serial(first))
    code, _, error = roost(folder, url, "channel", "create", "--channel", "room", "--title", "Room")
    check("a channel is made", code == 0, error)
    tail = Tail(folder, url, "room")
    roost(folder, url, "send", "--channel", "room", "one")
    check("who is connected gets messages", tail.wait("one"), tail.texts)
    put(folder, second, "pem")
    put(folder, second, "key")
    check("replaced files are the certificate of new connections",
          wait_until(lambda: serial(folder, server.port) == own_serial(second)))
    roost(folder, url, "send", "--channel", "room", "two")
    check("and who was connected stays", tail.wait("two"), tail.texts)
    put(folder, third, "key")
    log = pathlib.Path(f"{folder}/log")
    check("a key without its certificate is reported", wait_until(lambda: "is not that of the first certificate" in log.read_text()))
    check("and the certificate from before stays", serial(folder, server.port) == own_serial(second))
    put(folder, third, "pem")
    check("until both are there", wait_until(lambda: serial(folder, server.port) == own_serial(third)))
    roost(folder, url, "send", "--channel", "room", "three")
    check("nobody was disturbed", tail.wait("three") and tail.texts == ["one", "two", "three"], tail.texts)
    tail.stop()


def test_wrong_files(folder, good, other):
    openssl("pkey", "-in", f"{good}.key", "-aes256", "-passout", "pass:secret", "-out", f"{folder}/locked.key")
    shutil.copy(f"{good}.key", f"{folder}/open.key")
    os.chmod(f"{folder}/open.key", 0o644)
    shutil.copy(f"{good}.pem", f"{folder}/shut.pem")
    os.chmod(f"{folder}/shut.pem", 0o600)
    os.chmod(f"{folder}/locked.key", 0o600)
    for certificate, key, words in [
            (f"{folder}/none.pem", f"{good}.key", "There is no certificate at"),
            (f"{good}.pem", f"{folder}/none.key", "There is no key at"),
            (f"{good}.key", f"{good}.key", "has no certificate in PEM"),
            (f"{good}.pem", f"{folder}/shut.pem", "has no private key in PEM"),
            (f"{good}.pem", f"{other}.key", "is not that of the first certificate"),
            (f"{good}.pem", f"{folder}/locked.key", "needs a passphrase"),
            (f"{good}.pem", f"{folder}/open.key", "chmod o="),
            (f"{folder}", f"{good}.key", "is not a file")]:
        code, error = refusal(folder, "--tls-certificate", certificate, "--tls-key", key)
        check(f"a server does not start where a file {words}", code == 1 and words in error and error.count("\n") == 1, error)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, error = refusal(folder, "--tls-certificate", f"{good}.pem", "--tls-key", f"{good}.key", "--redirect-port", port)
        check("a redirect port that is in use is named", code == 1 and f":{port}" in error and "--redirect-port" in error, error)


with tempfile.TemporaryDirectory() as folder:
    make_authority(folder)
    certificates = [certify(folder, name, "DNS:localhost,IP:127.0.0.1") for name in ("first", "second", "third")]
    for ending in ("pem", "key"):
        put(folder, certificates[0], ending)
    port = free_port()
    server = Server(folder, "--dev", "--tls-certificate", f"{folder}/own.pem", "--tls-key", f"{folder}/own.key",
                    "--redirect-port", str(port), "--acme-folder", f"{folder}/acme")
    file = test_clients(folder, server)
    test_memory(folder, server, file)
    test_plain_http(folder, server)
    test_redirects(folder, server, port)
    test_renewal(folder, server, certificates)

    # Somebody downloads a file and does not read it.
    code, printed, error = roost(folder, f"https://localhost:{server.port}", "file", "info", file, "--json")
    path = json.loads(printed)["link"]
    lazy = connect(folder, server.port)
    lazy.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    check("a download begins", lazy.recv(12) == b"HTTP/1.1 200", error)
    log = server.stop()
    check("a stop does not wait for it", server.process.returncode == 0, log)
    lazy.close()

    pathlib.Path(f"{folder}/roost.yaml").write_text(
        f"tls-certificate: {folder}/own.pem\ntls-key: {folder}/own.key\nredirect-port: {port}\ndev: true\n"
        "public-url: [https://chat.example.com, https://other.example.com:8443]\n")
    pages = Server(folder, "--tls-certificate", f"{folder}/own.pem", "--tls-key", f"{folder}/own.key")
    test_pages(pages)
    pages.stop()
    named = Server(folder, "--config", f"{folder}/roost.yaml")
    check("all of this can stand in a file", serial(folder, named.port) == own_serial(certificates[2]))
    check("with --public-url, plain HTTP leads there",
          ask(port, "GET", "/x", Host="localhost")[1]["location"] == "https://chat.example.com/x")
    check("or to the one whose name was asked for",
          ask(port, "GET", "/x", Host="Other.example.com")[1]["location"] == "https://other.example.com:8443/x")
    named.stop()
    test_wrong_files(folder, certificates[0], certificates[1])

finish()
