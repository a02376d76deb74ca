"""Certificates of an authority of the test, and clients that trust them, for the scripts here."""

import json
import os
import pathlib
import signal
import subprocess
import threading

from proxy import LIMIT, ROOST


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)


def certify(folder, name, host, days="2"):
    """A certificate of the authority of the test, with its key; the path of both without their endings."""
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
            "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.csr")
    pathlib.Path(f"{folder}/{name}.ext").write_text(f"subjectAltName={host}")
    openssl("x509", "-req", "-in", f"{folder}/{name}.csr", "-CA", f"{folder}/ca.pem", "-CAkey", f"{folder}/ca.key",
            "-CAcreateserial", "-extfile", f"{folder}/{name}.ext", "-days", days, "-out", f"{folder}/{name}.pem")
    return f"{folder}/{name}"


def make_authority(folder):
    """Makes the authority that certify uses: ca.pem and ca.key."""
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
            "/CN=test authority", "-keyout", f"{folder}/ca.key", "-out", f"{folder}/ca.pem")


def roost(folder, url, *words, trust="ca.pem", user="ann"):
    """A command that trusts the certificates of a file, or of the system; its exit code, what it has printed, its error."""
    done = subprocess.run(
        [ROOST, *words, "--as", user, "--server", url, "--profile", f"{folder}/{user}"], capture_output=True, text=True,
        timeout=LIMIT, env={**os.environ, "SSL_CERT_FILE": trust and f"{folder}/{trust}"})
    return done.returncode, done.stdout, done.stderr


class Tail:
    """The texts of a channel, as they come."""

    def __init__(self, folder, url, channel):
        self.process = subprocess.Popen(
            [ROOST, "tail", "--as", "ann", "--server", url, "--profile", f"{folder}/tail", "--channel", channel, "--json",
             "--body", "--after", "0"], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "SSL_CERT_FILE": f"{folder}/ca.pem"})
        self.texts, self.change = [], threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            body = json.loads(line).get("body") or {}
            if "text" in body:
                with self.change:
                    self.texts.append(body["text"])
                    self.change.notify_all()

    def wait(self, text):
        with self.change:
            return self.change.wait_for(lambda: text in self.texts, LIMIT)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(LIMIT)
