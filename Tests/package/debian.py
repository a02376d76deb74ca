#!/usr/bin/env python3
"""The Debian package on a bare Debian 12, made with debootstrap: from nothing to the first message, and away again.

usage: Tests/package/debian.py [DEB]

Without DEB, packs ROOST, the binary of the tests, with dev/package; the runtime of Swift, which a release has linked in, is
then put beside it. Needs root, or sudo without a password, and Debian's mirror.
"""
import json, os, pathlib, re, shlex, shutil, signal, socket, subprocess, sys, tempfile, time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 600
AS_ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]
failures = 0


def check(name, condition, detail=""):
    global failures
    failures += not condition
    print(f"ok - {name}" if condition else f"FAIL - {name} {detail}", flush=True)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode:
        sys.exit(f"FAIL - {shlex.join(command)}: {done.stdout[-2000:]} {done.stderr[-2000:]}")
    return done.stdout


class System:
    """A Debian 12 in a folder."""

    def __init__(self, folder):
        self.root = f"{folder}/debian"
        self.admin_port = free_port()
        archive = ROOT / ".build/debian-12.tar"
        if not archive.exists():
            new = f"{folder}/debian-12.tar"
            must(*AS_ROOT, "debootstrap", "--variant=minbase", f"--make-tarball={new}", "bookworm", f"{folder}/packages")
            archive.parent.mkdir(exist_ok=True)
            must(*AS_ROOT, "mv", new, str(archive))
        must(*AS_ROOT, "debootstrap", "--variant=minbase", f"--unpack-tarball={archive}", "bookworm", self.root)
        must(*AS_ROOT, "cp", "/etc/resolv.conf", f"{self.root}/etc/resolv.conf")

    def command(self, *words, user=None, **environment):
        """A command in there; its mounts end with it."""
        words = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *words] if user else list(words)
        inside = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "HOME=/root",
                  *(f"{key}={value}" for key, value in environment.items()), *words]
        mounts = f"mount -t proc proc {self.root}/proc && exec chroot {self.root} {shlex.join(inside)}"
        return [*AS_ROOT, "unshare", "--mount", "sh", "-c", mounts]

    def run(self, *words, **options):
        return run(*self.command(*words, **options))

    def must(self, *words, **options):
        return must(*self.command(*words, **options))

    def stat(self, path):
        return self.must("stat", "-c", "%a %U:%G", path).strip()


class Service:
    """What systemd would do with the unit: the command, the user and the socket on which it waits for READY=1."""

    def __init__(self, system, port):
        unit = pathlib.Path(system.root, "lib/systemd/system/roost.service").read_text()
        command = re.search(r"^ExecStart=(.*)$", unit, re.M)[1].split()
        user = re.search(r"^User=(.*)$", unit, re.M)[1]
        path = f"{system.root}/run/notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.bind(path)
            os.chmod(path, 0o666)
            notify.settimeout(60)
            self.process = subprocess.Popen(
                system.command(*command, user=user, ROOST_PORT=port, ROOST_ADMIN_PORT=system.admin_port,
                               ROOST_BACKUP_TO="/var/backups/roost", NOTIFY_SOCKET="/run/notify"),
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                self.state = notify.recv(1_000).decode()
            except TimeoutError:
                self.state = ""
        os.unlink(path)

    def stop(self):
        """Ends it as systemd does; its exit code and what it has written."""
        must(*AS_ROOT, "pkill", "-TERM", "-f", "^/usr/bin/roost serve --config /etc/roost/roost.yaml")
        output = self.process.communicate(timeout=60)[0]
        return self.process.returncode, output


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return str(sock.getsockname()[1])


def make_package(folder):
    """A package of the binary of the tests."""
    binary = os.environ["ROOST"]
    must(str(ROOT / "dev/package"), "--out", folder, "--binary", binary, cwd=ROOT)
    return next(pathlib.Path(folder).glob("*.deb")), binary


def put_runtime(system, binary):
    """Puts the runtime of Swift where the binary looks for it, if it is not linked in."""
    for line in run("ldd", binary).stdout.splitlines():
        path = line.partition("=> ")[2].split(" ")[0]
        if "/swift/" in path:
            place = pathlib.Path(system.root + path)
            must(*AS_ROOT, "mkdir", "-p", str(place.parent))
            must(*AS_ROOT, "cp", path, str(place))


def send(system, server, text):
    """A message, as docs/operations.md tells a newcomer to send the first one."""
    token = system.must("roost", "token", "--data", "/var/lib/roost", "--user", "ann", user="roost").strip()
    return system.run("roost", "send", "--server", server, "--token", token, "--to", "ann", text)


def history(system, server):
    """What its sender reads."""
    token = system.must("roost", "token", "--data", "/var/lib/roost", "--user", "ann", user="roost").strip()
    done = system.run("roost", "history", "--server", server, "--token", token, "--to", "ann", "--json", "--body")
    return [row["body"]["text"] for row in map(json.loads, done.stdout.splitlines()) if "text" in (row.get("body") or {})]


def backups(system):
    """How many backups there are, as soon as there is one."""
    listed = None
    for _ in range(300):
        listed = system.run("roost", "backup", "list", "--from", "/var/backups/roost", user="roost")
        if listed.returncode == 0:
            break
        time.sleep(0.1)
    return len(listed.stdout.splitlines())


def test(folder, given):
    package, binary = (pathlib.Path(given), None) if given else make_package(folder)
    system = System(folder)
    if binary:
        put_runtime(system, binary)
    compilers = system.run("sh", "-c", "command -v cc gcc clang swift").stdout
    check("the system has no compiler", compilers == "", compilers)
    system.must("apt-get", "-qq", "update")
    must(*AS_ROOT, "cp", str(package), f"{system.root}/root/roost.deb")
    done = system.run("apt-get", "-qq", "install", "--yes", "--no-install-recommends", "/root/roost.deb")
    check("the package installs with one command", done.returncode == 0, done.stdout + done.stderr)
    check("the binary starts", "schema" in system.must("roost", "--version"))
    check("there is a user without a login", ":/usr/sbin/nologin" in system.must("getent", "passwd", "roost"))
    check("only its group reads the settings", system.stat("/etc/roost/roost.yaml") == "640 root:roost")
    check("only the user reads the data", system.stat("/var/lib/roost") == "700 roost:roost")
    check("and the backups", system.stat("/var/backups/roost") == "700 roost:roost")
    checked = system.run("roost", "config", "check", "--config", "/etc/roost/roost.yaml")
    check("the settings are in order", checked.returncode == 0, checked.stderr)
    for path in ("share/man/man1/roost.1.gz", "share/man/man1/roost-serve.1.gz", "share/bash-completion/completions/roost",
                 "share/zsh/vendor-completions/_roost", "share/fish/vendor_completions.d/roost.fish",
                 "share/doc/roost/operations.md", "share/doc/roost/monitoring/roost-alerts.yml",
                 "share/doc/roost/copyright", "share/doc/roost/changelog.gz"):
        check(f"there is {path}", os.path.getsize(f"{system.root}/usr/{path}") > 500)
    enabled = pathlib.Path(system.root, "etc/systemd/system/multi-user.target.wants/roost.service")
    check("the service starts with the machine", enabled.is_symlink())

    port = free_port()
    server = f"http://127.0.0.1:{port}"
    service = Service(system, port)
    check("it says when it is ready", service.state.startswith("READY=1\n"), service.state)
    sent = send(system, server, "Hello")
    check("the first message is sent", sent.returncode == 0, sent.stderr)
    check("and read", history(system, server) == ["Hello"], history(system, server))
    with urllib.request.urlopen(f"http://127.0.0.1:{system.admin_port}/metrics", timeout=30) as metrics:
        check("there are metrics", "\nroost_ready 1\n" in metrics.read().decode())
    check("the server has made a backup", backups(system) == 1)
    status, output = service.stop()
    check("it stops cleanly", status == 0, output)
    check("and has warned of nothing", not re.search(r" (warning|error) ", output), output)

    # The same package again, as an upgrade is.
    must(*AS_ROOT, "sh", "-c", f"echo 'brand: mine' >> {system.root}/etc/roost/roost.yaml")
    done = system.run("apt-get", "-qq", "install", "--yes", "--reinstall", "/root/roost.deb")
    check("an upgrade asks nothing", done.returncode == 0, done.stdout + done.stderr)
    shown = system.must("roost", "config", "show", "--config", "/etc/roost/roost.yaml")
    check("and keeps the settings", re.search(r"^brand +mine ", shown, re.M) is not None, shown)
    check("and who may read them", system.stat("/etc/roost/roost.yaml") == "640 root:roost")

    system.must("apt-get", "-qq", "remove", "--yes", "roost")
    check("without the package there is no binary", not os.path.exists(f"{system.root}/usr/bin/roost"))
    done = system.run("apt-get", "-qq", "purge", "--yes", "roost")
    check("to purge it removes the settings", not os.path.exists(f"{system.root}/etc/roost/roost.yaml"), done.stderr)
    check("and says that the messages stay", "/var/lib/roost stay" in done.stdout, done.stdout)
    system.must("apt-get", "-qq", "install", "--yes", "--no-install-recommends", "/root/roost.deb")
    service = Service(system, port)
    check("and they do", history(system, server) == ["Hello"], history(system, server))
    service.stop()


def main():
    folder = tempfile.mkdtemp()
    try:
        test(folder, sys.argv[1] if len(sys.argv) > 1 else None)
    finally:
        subprocess.run([*AS_ROOT, "rm", "-rf", folder])
    sys.exit(1 if failures else 0)


main()
