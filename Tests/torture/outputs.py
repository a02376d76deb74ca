#!/usr/bin/env python3
"""The outputs of roost: readers that exit, outputs that are closed, and a server that sends escapes.

The last part uses a hostile server of its own, whose answers contain control sequences.
Needs only ROOST, the binary.
"""
import base64, hashlib, json, os, signal, socket, struct, subprocess, sys, tempfile, threading

ROOST = os.environ["ROOST"]
LIMIT = 60
failures = 0


def check(name, condition, detail=""):
    global failures
    if not condition:
        failures += 1
    print(f"ok - {name}" if condition else f"FAIL - {name} {detail}")
    sys.stdout.flush()


def environment(folder):
    return {"HOME": folder, "PATH": "/usr/bin:/bin", "TZ": "UTC", "ROOST_PROFILE": folder + "/profile"}


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def answers(process, port):
    """Whether the server becomes ready; polls until it does or exits."""
    while process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as sock:
                sock.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return sock.recv(64).startswith(b"HTTP/1.1 200 ")
        except ConnectionRefusedError:
            # This is also the pause; it ends when the process does.
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                pass
    return False


def closed_pipe():
    """The writing end of a pipe without a reader."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def serve(folder):
    """A server continues, whatever happens to its outputs."""
    def start(name, **how):
        port = free_port()
        data = f"{folder}/{name}"
        return port, data, subprocess.Popen(
            [ROOST, "serve", "--dev", "--data", data, "--port", str(port)], env=environment(folder),
            stdin=subprocess.DEVNULL, **how)

    def ended(process):
        process.send_signal(signal.SIGTERM)
        return process.wait(LIMIT)

    out = closed_pipe()
    port, _, process = start("unread", stdout=out, stderr=subprocess.DEVNULL)
    check("a server whose output nobody reads serves, and stops cleanly",
          answers(process, port) and ended(process) == 0, f"it ended with {process.poll()}")
    os.close(out)

    both = closed_pipe()
    port, _, process = start("deaf", stdout=both, stderr=both)
    check("so does one whose errors nobody reads either",
          answers(process, port) and ended(process) == 0, f"it ended with {process.poll()}")
    os.close(both)

    port, data, process = start("closed", stderr=subprocess.DEVNULL, preexec_fn=lambda: os.close(1))
    served = answers(process, port) and ended(process) == 0
    check("a server without an output serves, and stops cleanly", served, f"it ended with {process.poll()}")
    with open(data + "/lock", "rb") as lock, open(data + "/roost.sqlite", "rb") as database:
        check("and writes its address into no file of its own",
              lock.read() == b"" and database.read(15) == b"SQLite format 3")

    port, _, process = start("seen", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    line = process.stdout.readline()
    check("a server says where it listens", line == b"ready http://127.0.0.1:%d\n" % port, line)
    return port, process


def readers(folder, port):
    """Other verbs exit without a message, but not as if everything had been read."""
    def run(*words, text=None, **how):
        return subprocess.run(
            [ROOST, *words, "--server", f"http://127.0.0.1:{port}", "--as", "ann"], env=environment(folder),
            input=text, stderr=subprocess.PIPE, timeout=LIMIT, **how)

    lines = "".join(f"{number} {'x' * 2000}\n" for number in range(100)).encode()
    sent = run("send", "-", "--channel", "lobby", text=lines, stdout=subprocess.DEVNULL)
    check("a hundred lines are sent", sent.returncode == 0, sent.stderr)
    for words in (["history", "--channel", "lobby", "--limit", "100"],
                  ["tail", "--channel", "lobby", "--after", "0", "--json"], ["channels", "--open", "lob"]):
        out = closed_pipe()
        ended = run(*words, stdout=out, stdin=None)
        os.close(out)
        check(f"roost {words[0]} without a reader ends with 141 and no word",
              (ended.returncode, ended.stderr) == (141, b""), f"{ended.returncode} {ended.stderr}")
    out = closed_pipe()
    told = subprocess.run([ROOST, "token", "--data", folder + "/seen", "--user", "ann"], env=environment(folder),
                          stdout=out, stderr=subprocess.PIPE, timeout=LIMIT)
    os.close(out)
    check("roost token without a reader ends with 141 and no word",
          (told.returncode, told.stderr) == (141, b""), f"{told.returncode} {told.stderr}")
    none = run("history", "--channel", "lobby", preexec_fn=lambda: os.close(1))
    check("without an output a verb says so and ends with 1",
          none.returncode == 1 and b"output cannot be written" in none.stderr, f"{none.returncode} {none.stderr}")


# Control sequences for terminals, as text and as C1 controls, and a second line.
NASTY = "red \x1b[31m title \x1b]0;x\x07 csi \u009b2J del \x7f back \b bidi \u202e\nroost: all is well"


def message(sock):
    """Returns the payload of the next text frame of a client; None at the end."""
    def exactly(count):
        data = b""
        while len(data) < count:
            more = sock.recv(count - len(data))
            if not more:
                return None
            data += more
        return data

    while True:
        head = exactly(2)
        if head is None:
            return None
        size = head[1] & 0x7F
        if size == 126:
            size = struct.unpack("!H", exactly(2))[0]
        key = exactly(4)
        payload = bytes(byte ^ key[index % 4] for index, byte in enumerate(exactly(size) or b""))
        if head[0] & 0x0F == 1:
            return payload
        if head[0] & 0x0F == 8:
            return None


def frame(value):
    payload = json.dumps(value, ensure_ascii=False).encode()
    size = bytes([len(payload)]) if len(payload) < 126 else b"\x7e" + struct.pack("!H", len(payload))
    return b"\x81" + size + payload


def hostile(listener):
    """Refuses every login, with a message of control sequences."""
    def answer(sock):
        with sock:
            head = b""
            while b"\r\n\r\n" not in head:
                more = sock.recv(4096)
                if not more:
                    return
                head += more
            key = next(line.split(b":", 1)[1].strip() for line in head.split(b"\r\n")
                       if line.lower().startswith(b"sec-websocket-key:"))
            accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            sock.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
            hello = json.loads(message(sock) or b"{}")
            error = {"code": 1, "name": "wrong\u009bname", "message": NASTY, "retryable": False}
            sock.sendall(frame({"id": hello.get("id"), "error": error}))
            while message(sock) is not None:
                pass

    while True:
        try:
            sock, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=answer, args=(sock,), daemon=True).start()


def escapes(folder):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=hostile, args=(listener,), daemon=True).start()
        server = f"http://127.0.0.1:{listener.getsockname()[1]}"
        for words in (["send", "--channel", "lobby", "hi"], ["tail", "--channel", "lobby"], ["channels"],
                      ["member", "list", "--channel", "lobby"], ["chat", "--lines", "--no-store", "--channel", "lobby"]):
            for more in ([], ["--json"]):
                if more and words[0] == "chat":
                    continue
                ended = subprocess.run(
                    [ROOST, *words, "--server", server, "--as", "ann", *more], env=environment(folder),
                    stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
                text = (ended.stdout + ended.stderr).decode()
                controls = [f"U+{ord(c):04X}" for c in text if c != "\n" and (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0)]
                name = " ".join(words[:2] if words[0] == "member" else words[:1]) + "".join(" " + word for word in more)
                check(f"roost {name} prints the error of a hostile server without its orders",
                      ended.returncode != 0 and "red" in text and not controls and len(text.splitlines()) == 1
                      and (more or "\u202e" not in text), f"{ended.returncode} {controls} {text!r}")


with tempfile.TemporaryDirectory() as folder:
    port, process = serve(folder)
    try:
        readers(folder, port)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(LIMIT)
        process.stdout.close()
    escapes(folder)
sys.exit(1 if failures else 0)
