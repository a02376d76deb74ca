#!/usr/bin/env python3
"""Several servers, as dev/run --nodes starts them, behind the balancers of docs/scaling.md.

Needs ROOST, the binary, PostgreSQL, nats-server, nginx and haproxy.
"""
import asyncio, base64, hashlib, json, os, pathlib, re, shutil, signal, socket, subprocess, tempfile

from ledger import Client, request
from proxy import LIMIT, NGINX, ROOST, check, finish, free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAPROXY = shutil.which("haproxy") or "/usr/sbin/haproxy"
DOCS = (ROOT / "docs/scaling.md").read_text()
MEGABYTE = 1 << 20


def example(heading):
    """The indented text of a chapter of the document."""
    chapter = DOCS.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in chapter.splitlines() if line.startswith("    ") or not line]
    return "\n".join(line[4:] for line in lines).strip()


class Nodes:
    def __init__(self, folder, *options):
        self.data = f"{folder}/nodes"
        self.process = subprocess.Popen(
            [ROOT / "dev/nodes", "--port", "0", "--data", self.data, "--log-level", "error", "--behind-proxy", *options],
            stdout=subprocess.PIPE, text=True)
        self.text, self.started = "", []
        while "--to ann" not in self.text:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"dev/nodes ended: {self.text}")
            self.text += line
        self.ports = [int(port) for port in re.findall(r"Node \d+ runs at http://[\d.]+:(\d+)", self.text)]

    def token(self, user):
        return subprocess.run([ROOST, "token", "--data", f"{self.data}/node1", "--user", user], check=True, text=True,
                              capture_output=True).stdout.strip()

    def processes(self, *wanted):
        """The processes with these words on the command line, and all words of each."""
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().decode(errors="replace").split("\0")[:-1]
            except OSError:
                continue
            if set(wanted) <= set(words):
                yield int(path.parent.name), words

    def signal(self, number, signum):
        """Sends a signal to a server, and returns its command line."""
        (pid, words), = self.processes("serve", f"{self.data}/node{number}")
        os.kill(pid, signum)
        return words

    def start(self, words):
        """Starts a server again with its command line."""
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.started.append(process)
        return process.stdout.readline().startswith("ready ")

    def holder(self, upload):
        """The number of the server that has the bytes of an upload."""
        kept = list(pathlib.Path(f"{self.data}/files").glob(f"uploads-*/{upload}"))
        ids = [pathlib.Path(f"{self.data}/node{number}/node").read_text().split()[0] for number in (1, 2)]
        return [number for number, place in enumerate(ids, 1) if any(place in str(path) for path in kept)]

    def stop(self):
        for process in self.started:
            if process.poll() is None:
                process.terminate()
                process.wait(LIMIT)
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(LIMIT)


class Balancer:
    def __init__(self, folder, kind, ports):
        self.port = free_port()
        folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        text = example(kind)
        for place, port in enumerate(ports):
            text = text.replace(f"10.0.0.{place + 1}:7878", f"127.0.0.1:{port}")
        if kind == "nginx":
            text = re.sub(r"listen 443 ssl;|server_name .*;|ssl_cert.*;", "", text)
            text = text.replace("server {\n", f"server {{ listen 127.0.0.1:{self.port};\n", 1)
            temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in ("fastcgi", "uwsgi", "scgi", "proxy"))
            text = f"""daemon off; pid {folder}/pid; worker_processes 1; events {{ }}
                http {{ access_log off; client_body_temp_path {folder}/body; {temporary} {text} }}"""
            command = [NGINX, "-e", f"{folder}/log", "-p", folder, "-c", f"{folder}/conf"]
        else:
            text = re.sub(r"bind :443 ssl crt \S+", f"bind 127.0.0.1:{self.port}", text)
            command = [HAPROXY, "-db", "-f", f"{folder}/conf"]
        (folder / "conf").write_text(text + "\n")
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def stop(self):
        self.process.terminate()
        self.process.wait(LIMIT)


async def until_ready(port, token):
    while request(port, "POST", "/v1/channel.list", token, b"{}", Content_Type="application/json")[0] != 200:
        await asyncio.sleep(0.1)


async def converse(nodes, port, kind, kills):
    """Two users write in turn, and each has to get everything, in its order and once."""
    tokens = {user: nodes.token(user) for user in ("ann", "bob")}
    for token in tokens.values():
        await until_ready(port, token)
    request(port, "POST", "/v1/channel.create", tokens["ann"], json.dumps(
        {"kind": "group", "channel": "club", "members": [{"userID": "bob"}]}).encode(),
        Content_Type="application/json", Idempotency_Key="make")
    clients = [Client(port, user, token) for user, token in tokens.items()]
    tasks = [asyncio.create_task(client.run()) for client in clients]
    for number in range(40):
        if kills and number == 20:
            words = nodes.signal(2, signal.SIGKILL)
        await asyncio.wait_for(clients[number % 2].send(number), LIMIT)
    _, _, body = request(port, "POST", "/v1/message.list", tokens["bob"], json.dumps(
        {"channel": "club", "limit": 100}).encode(), Content_Type="application/json")
    stored = re.findall(r'"(text \d+)"', body.decode())
    wanted = [f"text {number}" for number in range(40)]
    check(f"behind {kind}, everything that was acknowledged is there, once{', although a server was killed' * kills}",
          sorted(stored) == sorted(wanted), body[:300])
    if not kills:
        while not all(set(wanted) <= set(client.texts) for client in clients):
            await asyncio.sleep(0.05)
        check(f"behind {kind}, users at two servers get what the other one writes, in its order",
              all(client.texts == wanted for client in clients), clients[0].texts)
    for task in tasks:
        task.cancel()
    if kills:
        check("a server that was killed is started again", nodes.start(words))
    return tokens


async def upload(nodes, port, token, kind, size, stops):
    """Sends a file in parts of 1 MB to any server, while the one that has them may be stopped."""
    content = os.urandom(MEGABYTE) * size
    status, headers, body = request(
        port, "POST", "/v1/files", token, b"", Tus_Resumable="1.0.0", Upload_Length=str(len(content)),
        Upload_Metadata="filename " + base64.b64encode(b"big").decode(), Idempotency_Key=f"file-{kind}")
    if status != 201:
        return check(f"behind {kind}, an upload begins", False, body)
    path, offset, begun, steps = headers["Location"], 0, 0, 0
    while offset < len(content):
        steps += 1
        if steps == size // 2:
            kept = [int(request(at, "HEAD", path, token)[1]["Upload-Offset"]) for at in nodes.ports]
            check(f"behind {kind}, both servers say where an upload ends", kept == [offset, offset], (kept, offset))
            holder = nodes.holder(path.rsplit("/")[-1])
            check(f"behind {kind}, one server has its bytes", len(holder) == 1, holder)
            if stops:
                nodes.signal(holder[0], signal.SIGTERM)
        status, headers, _ = request(
            port, "PATCH", path, token, content[offset:offset + MEGABYTE], Tus_Resumable="1.0.0",
            Upload_Offset=str(offset), Content_Type="application/offset+octet-stream")
        if status == 204:
            offset = int(headers["Upload-Offset"])
            continue
        await asyncio.sleep(0.1)
        status, headers, _ = request(port, "HEAD", path, token, Tus_Resumable="1.0.0")
        if status == 200:
            begun += int(headers["Upload-Offset"]) == 0
            offset = int(headers["Upload-Offset"])
        if steps > 2_000:
            break
    _, _, got = request(port, "GET", path, token)
    same = hashlib.sha256(got).digest() == hashlib.sha256(content).digest()
    check(f"behind {kind}, an upload of {size} MB in parts is whole{', although a server was stopped meanwhile' * stops}",
          same and begun == stops and (stops or steps == size),
          f"{steps} steps, {begun} new beginnings, {len(got)} bytes")


def refusals(folder):
    def run(*options):
        made = subprocess.run([ROOT / "dev/nodes", *options], capture_output=True, text=True, timeout=LIMIT)
        return made.returncode, made.stderr

    code, text = run("--nodes", "1")
    check("one server is refused", code == 2 and "2 to 8" in text, text)
    code, text = run("--port", "port")
    check("a port that is none is refused", code == 2, text)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, text = run("--port", str(port), "--data", f"{folder}/taken")
    check("a port that is in use is named", code == 1 and f"port {port}" in text, text)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        refusals(folder)
        for kind in ("nginx", "HAProxy"):
            nodes = Nodes(f"{folder}/{kind}")
            balancer = Balancer(folder, kind, nodes.ports)
            try:
                check("two servers run, and links for two users are shown",
                      len(nodes.ports) == 2 and len(re.findall(r"#code=\S+|code\S*=", nodes.text)) >= 2, nodes.text)
                hard = kind == "HAProxy"
                tokens = asyncio.run(converse(nodes, balancer.port, kind, kills=hard))
                asyncio.run(upload(nodes, balancer.port, tokens["ann"], kind, 100 if hard else 24, stops=hard))
            finally:
                balancer.stop()
                status = nodes.stop()
            check("Ctrl-C stops everything", status == 0, status)
    finish()


if __name__ == "__main__":
    main()
