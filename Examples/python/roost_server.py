"""A server of `roost serve --dev` in a temporary folder, which tests may kill and start again at the same address."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Server:
    def __init__(self, *options, binary=None):
        self.binary = binary or os.environ.get("ROOST", ROOT / ".build/release/roost")
        self.folder, self.options, self.process = tempfile.TemporaryDirectory(), options, None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"ws://127.0.0.1:{self.port}"

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # So that the server ends with the test.
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        self.folder.cleanup()

    def start(self):
        """Starts it, and returns when it accepts connections."""
        command = [self.binary, "serve", "--dev", "--port", str(self.port), "--data", self.folder.name + "/data",
                   "--no-web", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if not re.match(r"ready http://\S+", self.process.stdout.readline()):
            raise SystemExit("the server did not start")

    def kill(self):
        """SIGKILL: it has no time to say or to write anything."""
        self.process.kill()
        self.process.wait(60)
        self.process.stdout.close()

    def operator_token(self, user):
        command = [self.binary, "token", "--data", self.folder.name + "/data", "--user", user, "--operator"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
