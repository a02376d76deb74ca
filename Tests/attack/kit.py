"""What the attacks share: a server in a temporary folder, clients with any address, and figures."""

import base64
import collections
import contextlib
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import resource
import secrets
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import tempfile
import threading
import time

HOST = "198.18.0.1"
HOST6 = "2001:db8::1"
# Ranges for benchmarks and for documentation: every address in them is one of the namespace's own.
RANGES = ["198.18.0.0/15", "10.66.0.0/16", "2001:db8::/32"]
IP_FREEBIND = 15
# Whether all of these can be used: dev/attack says so.
HAS_ADDRESSES = os.environ.get("ROOST_ATTACK_NAMESPACE") == "1"
# Where clients that attack nobody come from.
FRIEND = "198.19.255.1" if HAS_ADDRESSES else "127.0.0.1"


class Failure(Exception):
    """A server did not do what an attack needs first."""


class Unavailable(Exception):
    """This machine lacks what an attack needs."""


def connect(port, source=FRIEND, timeout=15, receive_buffer=None):
    """A TCP connection to the server from this address of IPv4 or IPv6."""
    is_six = ":" in source
    connection = socket.socket(socket.AF_INET6 if is_six else socket.AF_INET)
    try:
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.IPPROTO_IP, IP_FREEBIND, 1)
        connection.settimeout(timeout)
        host = "127.0.0.1" if source.startswith("127.") else HOST6 if is_six else HOST
        connection.bind((source, 0))
        connection.connect((host, port))
    except BaseException:
        connection.close()
        raise
    return connection


Answer = collections.namedtuple("Answer", "status headers body")


def code(answer):
    """The error's code of an answer, 0 if there is none."""
    with contextlib.suppress(ValueError):
        return json.loads(answer.body).get("error", {}).get("code", 0)
    return 0


class HTTP:
    """A client over HTTP whose connection stays open."""

    def __init__(self, server, token=None, source=FRIEND, timeout=15):
        self.server, self.token, self.source, self.timeout = server, token, source, timeout
        self.connection = None

    def exchange(self, method, path, body=b"", headers=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(HOST, self.server.port)
            self.connection.sock = connect(self.server.port, self.source, self.timeout)
        fields = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            self.connection.request(method, path, body, {**fields, **(headers or {})})
            response = self.connection.getresponse()
            answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        if response.will_close:
            self.close()
        return answer

    def command(self, name, body=None, **headers):
        fields = {
            "Idempotency-Key": "t-" + secrets.token_hex(8),
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        return self.exchange("POST", f"/v1/{name}", json.dumps(body or {}), fields)

    def result(self, name, body=None):
        answer = self.command(name, body)
        if answer.status != 200:
            raise Failure(f"{name} is answered with {answer.status}, error {code(answer)}")
        return json.loads(answer.body)

    def upload(self, data, name="file.bin", kind="application/octet-stream"):
        """Uploads a file and returns its id, or raises Failure."""
        file = self.result("file.create", {"name": name, "size": len(data), "contentType": kind})
        answer = self.patch(file["path"], data)
        if answer.status != 204:
            raise Failure(f"an upload is answered with {answer.status}, error {code(answer)}")
        return file["fileID"]

    def patch(self, path, data, offset=0):
        fields = {"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
        return self.exchange("PATCH", path, data, fields)

    def link(self, file):
        return self.result("file.get", {"fileIDs": [file]})["files"][0]["link"]

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None


def frame(payload, opcode=1, length=None):
    """A masked frame; the mask is 0, so the payload is readable. `length` is what the head says."""
    size = len(payload) if length is None else length
    if size < 126:
        head = bytes([0x80 | opcode, 0x80 | size])
    elif size < 65536:
        head = bytes([0x80 | opcode, 0xFE]) + struct.pack("!H", size)
    else:
        head = bytes([0x80 | opcode, 0xFF]) + struct.pack("!Q", size)
    return head + bytes(4) + payload


UPGRADE = (
    "GET /v1/connect HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".format(
        host=HOST
    ).encode()
)


class Socket:
    """A WebSocket; `hello` logs in."""

    def __init__(self, server, source=FRIEND, timeout=15):
        self.socket = connect(server.port, source, timeout)
        self.buffer, self.last, self.close_code = b"", 0, None
        self.socket.sendall(UPGRADE)
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(head.split(b"\r\n")[0].decode(errors="replace"))

    def fill(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("closed")
        self.buffer += data

    def read(self):
        """The next frame as (opcode, payload)."""
        while True:
            if len(self.buffer) >= 2:
                size, at = self.buffer[1] & 0x7F, 2
                if size >= 126:
                    size, at = self.buffer[2:10], 4 if size == 126 else 10
                    size = (
                        struct.unpack("!H", size[:2])[0]
                        if at == 4
                        else (struct.unpack("!Q", size)[0] if len(size) == 8 else 1 << 62)
                    )
                if len(self.buffer) >= at + size:
                    found = self.buffer[0] & 0x0F, self.buffer[at : at + size]
                    self.buffer = self.buffer[at + size :]
                    if found[0] == 9:
                        self.socket.sendall(frame(found[1], 10))
                    if found[0] == 8:
                        self.close_code = struct.unpack("!H", found[1][:2])[0] if len(found[1]) >= 2 else 0
                        raise ConnectionError(f"closed with {self.close_code}")
                    return found
            self.fill()

    def ask(self, name, body=None):
        """The answer to a command: its result or its error."""
        self.last += 1
        id = f"t{self.last}-{secrets.token_hex(4)}"
        self.socket.sendall(frame(json.dumps({"id": id, "cmd": name, "body": body or {}}).encode()))
        while True:
            opcode, payload = self.read()
            if opcode == 1:
                answer = json.loads(payload)
                if answer.get("id") == id:
                    return answer

    def hello(self, token, device="phone"):
        answer = self.ask("hello", {"version": 1, "token": token, "deviceID": device})
        if "result" not in answer:
            raise Failure(f"hello is answered with error {answer.get('error', {}).get('code')}")
        return self

    def close(self):
        self.socket.close()


class Server:
    """`roost serve` on addresses of IPv4 and IPv6, with its folder."""

    def __init__(self, binary, *options, descriptors=None, folder=None, host=None):
        self.binary, self.options, self.descriptors = binary, options, descriptors
        self.is_own_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="roost-attack.")
        self.data = os.path.join(self.folder, "data")
        self.log = pathlib.Path(self.folder, "log")
        self.host = host or ("::" if HAS_ADDRESSES else "127.0.0.1")
        self.process = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, *more):
        def limit():
            if self.descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, self.descriptors)

        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", "--data", self.data, "--host", self.host, "--port", "0", *self.options, *more],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                preexec_fn=limit,
                start_new_session=True,
            )
        line = self.process.stdout.readline().decode()
        if not line.startswith("ready "):
            self.process.wait()
            raise Failure(f"the server does not start: {self.tail()}")
        self.port = int(line.rsplit(":", 1)[1].strip().strip("/"))
        return self

    def tail(self):
        return " ".join(self.log.read_text(errors="replace").split()[-60:])

    def stop(self, limit=60):
        """Sends SIGTERM. Returns after how many seconds the server has ended, None if it has not within the limit."""
        began = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.process.stdout.close()
        return time.monotonic() - began

    def kill(self):
        if self.process and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def __exit__(self, *_):
        self.kill()
        if self.process and self.process.stdout:
            self.process.stdout.close()
        if self.is_own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words):
        """Another command of roost, such as `check`."""
        return subprocess.run(
            [self.binary, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )

    def secret(self):
        return bytes.fromhex(pathlib.Path(self.data, "secret").read_text().split()[0])

    def token(self, user, *, use="user", lifetime=3600, issued=None, **claims):
        issued = int(time.time()) if issued is None else issued
        claims = {
            "iss": "roost",
            "aud": "roost",
            "use": use,
            "sub": user,
            "iat": issued,
            "exp": issued + lifetime,
            "jti": secrets.token_hex(8),
            **claims,
        }
        return signed(claims, self.secret())

    def http(self, user=None, source=FRIEND, timeout=15, **claims):
        return HTTP(self, self.token(user, **claims) if user else None, source, timeout)

    def know(self, *users):
        """Makes users known, as their first login does."""
        for user in users:
            self.socket(user).close()

    def operator(self):
        return self.http("boss", op=True)

    def socket(self, user, source=FRIEND, device="phone", timeout=15):
        return Socket(self, source, timeout).hello(self.token(user), device)

    def key(self, name="backend", scopes=("accounts",)):
        """A new key of a backend."""
        answer = self.run(
            "key",
            "create",
            "--server",
            f"http://127.0.0.1:{self.port}",
            "--token",
            self.token("boss", op=True),
            name,
            *sum((["--scope", scope] for scope in scopes), []),
        )
        if answer.returncode:
            raise Failure(f"roost key create: {answer.stderr.strip()}")
        return HTTP(self, answer.stdout.split()[-1])

    def register(self, login, password, **more):
        result = self.operator().result(
            "account.register", {"accounts": [{"loginName": login, "password": password, **more}]}
        )["results"][0]
        if "error" in result:
            raise Failure(f"account.register is answered with error {result['error']['code']}")
        return result["userID"]

    # From /proc

    def memory(self):
        """The resident memory in MiB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0]) / 1024

    def descriptor_count(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def cpu(self):
        """The seconds of CPU that it has used."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def signed(claims, secret):
    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    head = part(b'{"alg":"HS256","typ":"JWT"}') + b"." + part(json.dumps(claims).encode())
    return (head + b"." + part(hmac.new(secret, head, hashlib.sha256).digest())).decode()


class Pulse:
    """Asks again and again what somebody else would ask, and notes how long the answers take, in ms."""

    def __init__(self, server, pause=0.05, timeout=30):
        self.times = collections.defaultdict(list)
        self.failures = collections.Counter()
        self.stopped = threading.Event()
        token = server.token("friend")
        self.asks = {
            "healthz": lambda: self.fresh(server, None, "GET", "/healthz", timeout),
            "http": lambda: self.fresh(server, token, "POST", "/v1/unread.get", timeout),
        }
        self.socket = server.socket("friend", device="pulse", timeout=timeout)
        self.asks["websocket"] = lambda: self.socket.ask("unread.get")["result"]
        self.threads = [threading.Thread(target=self.work, args=(name, pause), daemon=True) for name in self.asks]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def fresh(server, token, method, path, timeout):
        client = HTTP(server, token, timeout=timeout)
        answer = client.exchange(method, path)
        client.close()
        if answer.status != 200:
            raise Failure(str(answer.status))

    def work(self, name, pause):
        while not self.stopped.wait(pause):
            began = time.monotonic()
            try:
                self.asks[name]()
            except (OSError, Failure, KeyError, http.client.HTTPException):
                self.failures[name] += 1
                if name == "websocket":
                    return
            else:
                self.times[name].append((time.monotonic() - began) * 1000)

    def during(self, seconds):
        """The medians of the next seconds, by what was asked."""
        self.times.clear()
        self.failures.clear()
        time.sleep(seconds)
        return self.medians()

    def medians(self):
        return {name: statistics.median(self.times[name]) if self.times[name] else float("inf") for name in self.asks}

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(35)
        self.socket.close()


def login(server, name, password, source=FRIEND):
    """A login with a password: the status, the error's code, and how long to wait in ms."""
    client = HTTP(server, source=source, timeout=60)
    answer = client.exchange("POST", "/v1/account.logIn", json.dumps({"loginName": name, "password": password}))
    client.close()
    error = json.loads(answer.body).get("error", {})
    return answer.status, error.get("code", 0), error.get("retryAfterMs", 0)


def together(count, body):
    """Runs body(0…count-1) in threads and returns what each gave, or the error it ended with."""
    results = [None] * count

    def one(index):
        try:
            results[index] = body(index)
        except (OSError, Failure, http.client.HTTPException) as error:
            results[index] = error

    threads = [threading.Thread(target=one, args=(index,), daemon=True) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return results


def until(condition, limit=15, pause=0.05):
    """Waits until something is true; False if it is not within the limit."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(pause)
    return condition()


class Trial:
    """One attack while it runs: its servers, and what is found."""

    def __init__(self, binary):
        self.binary, self.figures, self.failed = str(binary), [], []
        self.stack = contextlib.ExitStack()

    def server(self, *options, **more):
        return self.stack.enter_context(Server(self.binary, *options, **more))

    def pulse(self, server):
        pulse = Pulse(server)
        self.stack.callback(pulse.stop)
        return pulse

    def figure(self, text):
        self.figures.append(text)

    def check(self, sentence, is_true):
        """Notes a sentence that has to be true."""
        if not is_true:
            self.failed.append(sentence)
        return is_true

    def unharmed(self, what, idle, during, most=100):
        """Checks that the medians have not grown beyond a multiple of those of an idle server, with 20 ms for noise."""
        for name, median in during.items():
            self.check(
                f"{what}: others get no answer over {name}, or {median:.0f} ms in place of {idle[name]:.1f} ms",
                median <= most * idle[name] + 20,
            )

    def close(self):
        self.stack.close()


class Attack:
    def __init__(self, id, title, load, then, body, needs_namespace=True):
        self.id, self.title, self.load, self.then, self.body = id, title, load, then, body
        self.needs_namespace = needs_namespace


def attack(attacks, id, load, then, needs_namespace=True):
    """Adds a function to a list of attacks; the first line of its doc comment is the title."""

    def add(body):
        attacks.append(Attack(id, body.__doc__.strip().split("\n")[0].rstrip("."), load, then, body, needs_namespace))
        return body

    return add


def raise_limit():
    """Sets the limit of descriptors of this process to what it may be."""
    resource.setrlimit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE)[1:] * 2)
