"""A server, and an nginx in front of it, for the scripts here. Needs ROOST, the binary, and nginx."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

ROOST = os.environ["ROOST"]
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
LIMIT = 60
failures = 0


def check(name, condition, detail=""):
    global failures
    if not condition:
        failures += 1
    print(f"ok - {name}" if condition else f"FAIL - {name} {detail}")
    sys.stdout.flush()


def finish():
    sys.exit(1 if failures else 0)


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


class Server:
    def __init__(self, folder, *options):
        self.log = open(f"{folder}/log", "w+")
        self.process = subprocess.Popen(
            [ROOST, "serve", "--data", f"{folder}/data", "--port", "0", *options], stdout=subprocess.PIPE,
            stderr=self.log, text=True)
        self.port = int(self.process.stdout.readline().strip().rsplit(":", 1)[1])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(LIMIT)
        self.log.seek(0)
        return self.log.read()


class Proxy:
    """An nginx of its own, with a location as it stands in a document; with the path of a certificate and its key, without
    their endings, it speaks TLS."""

    def __init__(self, folder, location, server, certificate=None):
        self.port = free_port()
        self.folder = folder
        self.location = location.replace("7878", str(server))
        self.start(certificate)

    def start(self, certificate=None):
        """Starts it, again on the same port."""
        folder, secure, names = self.folder, "", ""
        if certificate:
            secure, names = " ssl", f"ssl_certificate {certificate}.pem; ssl_certificate_key {certificate}.key;"
        pathlib.Path(f"{folder}/nginx.conf").write_text(f"""
            daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log info; worker_processes 1;
            events {{ }}
            http {{
                access_log {folder}/access.log; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
                map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}
                server {{ listen 127.0.0.1:{self.port}{secure}; {names} {self.location} }}
            }}""")
        self.process = subprocess.Popen([NGINX, "-e", f"{folder}/error.log", "-p", folder, "-c", f"{folder}/nginx.conf"])
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT).close()
                return
            except ConnectionRefusedError:
                # This is also the pause; it ends when the process does.
                try:
                    self.process.wait(0.05)
                except subprocess.TimeoutExpired:
                    pass
        sys.exit(f"nginx did not start: {self.log()}")

    def log(self):
        """What it has reported."""
        return pathlib.Path(self.folder, "error.log").read_text()

    def requests(self):
        """The requests that it has got, a line each."""
        return pathlib.Path(self.folder, "access.log").read_text().splitlines()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(LIMIT)


FIVE_LINES = """location / { proxy_pass http://127.0.0.1:7878; proxy_http_version 1.1;
    proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade; %s }"""
