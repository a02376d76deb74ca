#!/usr/bin/env python3
"""The examples of docs/proxy.md for nginx, Caddy, HAProxy and Apache, each as the proxy with TLS that it describes.

Needs ROOST, the binary, these programs, and openssl.
"""
import asyncio, json, os, pathlib, re, shutil, signal, socket, ssl, subprocess, sys, tempfile, textwrap, threading, urllib.error, urllib.request

import websockets
import websockets.exceptions

from certificates import certify, make_authority, roost
from proxy import LIMIT, Server, check, finish, free_port

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs/proxy.md"
# How long a WebSocket is idle, in seconds: longer than the minute after which most proxies close one.
IDLE = 65


def sample(name):
    """The example of a program in the document."""
    section = re.search(rf"^### {name}$(.*?)^### ", DOCS.read_text(), re.M | re.S)[1]
    return textwrap.dedent(re.search(r"((?:^    .*\n|^\n)+)", section, re.M)[1])


def nginx(folder, text, certificate):
    text = re.sub(r"ssl_certificate +\S+;", f"ssl_certificate {certificate}.pem;", text)
    text = re.sub(r"ssl_certificate_key +\S+;", f"ssl_certificate_key {certificate}.key;", text)
    folders = " ".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    path = pathlib.Path(folder, "nginx.conf")
    path.write_text(f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{ }}\n"
                    f"http {{ access_log off; {folders}\n{text} }}")
    return [shutil.which("nginx") or "/usr/sbin/nginx", "-e", f"{folder}/error.log", "-p", folder, "-c", str(path)]


def closing(folder, text, certificate):
    """An nginx that closes each connection after its response."""
    return nginx(folder, text.replace("server {", "server {\n    keepalive_timeout 0;", 1), certificate)


def caddy(folder, text, certificate):
    path = pathlib.Path(folder, "Caddyfile")
    inside = text.replace("{\n", f"{{\n    tls {certificate}.pem {certificate}.key\n", 1)
    path.write_text(f"{{\n    admin off\n    auto_https disable_redirects\n    storage file_system {folder}/caddy\n}}\n{inside}")
    return ["caddy", "run", "--config", str(path), "--adapter", "caddyfile"]


def haproxy(folder, text, certificate):
    pem = pathlib.Path(folder, "both.pem")
    pem.write_text(pathlib.Path(f"{certificate}.pem").read_text() + pathlib.Path(f"{certificate}.key").read_text())
    path = pathlib.Path(folder, "haproxy.cfg")
    path.write_text(re.sub(r"crt \S+", f"crt {pem}", text))
    return [shutil.which("haproxy") or "/usr/sbin/haproxy", "-db", "-f", str(path)]


def apache(folder, text, certificate):
    text = re.sub(r"(SSLCertificateFile +)\S+", rf"\1{certificate}.pem", text)
    text = re.sub(r"(SSLCertificateKeyFile +)\S+", rf"\1{certificate}.key", text)
    port = re.search(r"\*:(\d+)", text)[1]
    modules = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
                        for name in ("mpm_event", "unixd", "authz_core", "ssl", "proxy", "proxy_http")
                        if os.path.exists(f"/usr/lib/apache2/modules/mod_{name}.so"))
    path = pathlib.Path(folder, "apache.conf")
    path.write_text(f"{modules}\nServerRoot {folder}\nPidFile {folder}/pid\nErrorLog {folder}/error.log\nListen 127.0.0.1:{port}\n"
                    f"User www-data\nGroup www-data\nServerName localhost\n{text}")
    return ["/usr/sbin/apache2", "-DFOREGROUND", "-f", str(path)]


class Setup:
    """A server, and a proxy before it as the document describes it."""

    def __init__(self, name, make, root, certificate):
        self.name, self.folder = name, f"{root}/{name.replace(' ', '-')}"
        os.makedirs(self.folder)
        self.server = Server(self.folder, "--dev", "--insecure-dev", "--host", "0.0.0.0", "--behind-proxy",
                             "--public-url", f"https://localhost:{(port := free_port())}")
        self.port, self.url = port, f"https://localhost:{port}"
        text = sample(name.split()[0]).replace("chat.example.com {", f"https://localhost:{port} {{").replace("chat.example.com", "localhost")
        text = text.replace("listen 443", f"listen {port}").replace("*:443", f"*:{port}").replace("bind :443", f"bind :{port}")
        text = text.replace("7878", str(self.server.port))
        self.log = open(f"{self.folder}/proxy.log", "w+")
        self.process = subprocess.Popen(make(self.folder, text, certificate), stdout=self.log, stderr=self.log, cwd=self.folder,
                                        env={**os.environ, "HOME": self.folder})
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=LIMIT).close()
                return
            except ConnectionRefusedError:
                # This is also the pause; it ends when the process does.
                try:
                    self.process.wait(0.05)
                except subprocess.TimeoutExpired:
                    continue
                self.log.seek(0)
                raise SystemExit(f"FAIL - {name} did not start: {self.log.read()}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(LIMIT)
        return self.server.stop()


def test_clients(setup, root):
    """Messages and files of the SDK."""
    picture, copy = f"{root}/picture.bin", f"{setup.folder}/copy.bin"
    code, _, error = roost(root, setup.url, "send", "--to", "ann", "--file", picture)
    check(f"{setup.name}: a file of 30 MB is sent", code == 0, error)
    rows = roost(root, setup.url, "history", "--to", "ann", "--json", "--body")[1].splitlines()
    files = [row["body"]["file"]["fileID"] for row in map(json.loads, rows) if (row.get("body") or {}).get("file")]
    code, _, error = roost(root, setup.url, "file", "get", *files[-1:], copy)
    same = code == 0 and pathlib.Path(copy).read_bytes() == pathlib.Path(picture).read_bytes()
    check(f"{setup.name}: and read again, every byte", same, error)


def test_address(setup, root):
    """Whoever makes an address up is known by the real one."""
    request = urllib.request.Request(
        f"{setup.url}/v1/account.logIn", json.dumps({"loginName": "ann", "password": "wrong password"}).encode(),
        {"X-Forwarded-For": "203.0.113.9"})
    try:
        urllib.request.urlopen(request, context=ssl.create_default_context(cafile=f"{root}/ca.pem"), timeout=LIMIT)
        status = 200
    except urllib.error.HTTPError as error:
        status = error.code
    log, ticks = pathlib.Path(setup.folder, "data/audit-refused.jsonl"), threading.Event()
    any(log.exists() and log.read_text() or ticks.wait(0.05) for _ in range(LIMIT * 20))
    lines = log.read_text()
    check(f"{setup.name}: the address of a client is that of its connection",
          status >= 400 and "127.0.0.1" in lines and "203.0.113.9" not in lines, (status, lines))


def test_reused(setup, root):
    """A WebSocket is opened over a connection of the proxy that has had another request."""
    trust = ssl.create_default_context(cafile=f"{root}/ca.pem")
    for _ in range(10):
        with urllib.request.urlopen(f"{setup.url}/readyz", context=trust, timeout=LIMIT) as answer:
            answer.read()
        code, _, error = roost(root, setup.url, "channels")
        if code:
            break
    check(f"{setup.name}: WebSockets open after other requests", code == 0, error)


async def test_page(setup, root):
    """A page that connects, waits for longer than proxies do, and then gets a message."""
    trust = ssl.create_default_context(cafile=f"{root}/ca.pem")
    address = setup.url.replace("https:", "wss:") + "/v1/connect"
    try:
        async with websockets.connect(address, ssl=trust, origin="https://evil.example") as session:
            refused = False
    except websockets.exceptions.InvalidHandshake as error:
        refused = "403" in str(error)
    check(f"{setup.name}: a page of another origin is refused", refused)
    async with websockets.connect(address, ssl=trust, origin=setup.url, ping_interval=None) as session:
        async def ask(id, command, body):
            await session.send(json.dumps({"id": id, "cmd": command, "body": body}))
            while True:
                frame = json.loads(await asyncio.wait_for(session.recv(), LIMIT))
                if frame.get("id") == id:
                    return frame
        welcome = await ask("1", "hello", {"version": 1, "guest": {"userID": "bob"}, "deviceID": "page"})
        joined = await ask("2", "channel.join", {"channel": "lobby"})
        check(f"{setup.name}: a page connects", "result" in welcome and "result" in joined, (welcome, joined))
        try:
            while True:
                await asyncio.wait_for(session.recv(), IDLE)
        except asyncio.TimeoutError:
            pass
        code, _, error = await asyncio.to_thread(roost, root, setup.url, "send", "--channel", "lobby", "after the pause")
        got = ""
        try:
            while "after the pause" not in got:
                got = await asyncio.wait_for(session.recv(), LIMIT)
        except (websockets.ConnectionClosed, asyncio.TimeoutError) as error:
            got = repr(error)
        check(f"{setup.name}: and gets what comes after {IDLE} s without a word", "after the pause" in got, (got, error))


async def test_pages(setups, root):
    await asyncio.gather(*(test_page(setup, root) for setup in setups))


with tempfile.TemporaryDirectory() as root:
    make_authority(root)
    certificate = certify(root, "good", "DNS:localhost,IP:127.0.0.1")
    pathlib.Path(f"{root}/picture.bin").write_bytes(os.urandom(30_000_000))
    programs = {"nginx": nginx, "nginx without keep-alive": closing, "Caddy": caddy, "HAProxy": haproxy, "Apache": apache}
    setups = [Setup(name, programs[name], root, certificate) for name in sys.argv[1:] or programs]
    for setup in setups:
        test_clients(setup, root)
        test_address(setup, root)
        test_reused(setup, root)
    asyncio.run(test_pages(setups, root))
    for setup in setups:
        setup.stop()

finish()
