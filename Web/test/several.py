"""Two servers in place of one, on one PostgreSQL and with NATS between them: with ROOST_TEST_STORE=servers."""
import atexit
import functools
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
import uuid

from browser import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
NATS = shutil.which("nats-server") or "/usr/sbin/nats-server"


@functools.cache
def postgres():
    """The URL of a PostgreSQL for all tests of this run."""
    if url := os.environ.get("ROOST_TEST_POSTGRES"):
        return url
    folder = tempfile.mkdtemp(prefix="roost-several.")
    os.chmod(folder, 0o755)
    started = subprocess.run([ROOT / "dev/postgres", "start", f"{folder}/data", "--fsync", "off"], check=True, text=True,
                             capture_output=True)

    def remove():
        subprocess.run([ROOT / "dev/postgres", "remove", f"{folder}/data"], check=False)
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return started.stdout.strip()


def new_schema():
    """The URL of a database without anything in it."""
    name = "w_" + uuid.uuid4().hex
    psql = shutil.which("psql") or sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/psql"))[-1]
    subprocess.run([psql, postgres(), "-qc", f"CREATE SCHEMA {name}"], check=True, stdin=subprocess.DEVNULL)
    return f"{postgres()}{'&' if '?' in postgres() else '?'}options=-csearch_path%3D{name}"


def start_nats():
    """Starts a NATS, which ends with this run, and returns its URL."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([NATS, "-a", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    atexit.register(process.kill)
    return f"nats://127.0.0.1:{port}"


class Balancer:
    """Passes connections on to servers in turn."""

    def __init__(self):
        self.servers, self.turn = [], 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            self.turn += 1
            server = self.servers[self.turn % len(self.servers)]
            try:
                far = socket.create_connection(("127.0.0.1", server))
            except OSError:
                client.close()
                continue
            for ends in ((client, far), (far, client)):
                threading.Thread(target=self.forward, args=ends, daemon=True).start()

    @staticmethod
    def forward(reader, writer):
        try:
            while data := reader.recv(1 << 16):
                writer.sendall(data)
            writer.shutdown(socket.SHUT_WR)
        except OSError:
            # The other direction ends with it.
            for end in (reader, writer):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


class Servers(Server):
    """Stands for a server; what comes first goes to one of them, what comes next to the other."""

    def __init__(self, folder, *words):
        self.balancer, self.other = Balancer(), None
        self.shared = ["--database", new_schema(), "--bus", start_nats(), "--files", f"{folder}/files", "--files-shared"]
        super().__init__(folder, *words)

    def start(self):
        """Starts both and waits until they hear each other."""
        ports = self.balancer.servers or [0, 0]
        self.port = ports[0]
        super().start()
        first, url, self.balancer.servers = self.process, self.url, [self.port]
        shutil.copytree(f"{self.folder}/data", f"{self.folder}/other", dirs_exist_ok=True,
                        ignore=lambda _, names: set(names) - {"secret"})
        self.port = ports[1]
        super().start("other")
        self.other = self.process
        self.balancer.servers.append(self.port)
        for ready in (url, self.url):
            while b'"bus":"up"' not in fetch(f"{ready}/readyz"):
                time.sleep(0.02)
        self.process, self.port, self.url = first, self.balancer.port, f"http://127.0.0.1:{self.balancer.port}"

    def kill(self, how=signal.SIGKILL):
        """Ends both by a signal and waits for their end."""
        first = self.process
        for self.process in (self.other, first):
            super().kill(how)


def fetch(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()
