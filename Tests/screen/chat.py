#!/usr/bin/env python3
"""Plays roost chat in a pseudo-terminal against a real server and looks at its screen, as a person would.

The screen is read by pyte, a terminal of its own. Needs ROOST, the server's binary.
"""
import fcntl, json, os, pty, re, select, signal, struct, subprocess, sys, tempfile, termios, time, urllib.request

import pyte

ROOST = os.environ["ROOST"]
LIMIT = 90
failures = 0


def check(name, condition, detail=""):
    global failures
    if condition:
        print(f"ok - {name}")
    else:
        failures += 1
        print(f"FAIL - {name} {detail}")
    sys.stdout.flush()


class Server:
    def __init__(self, folder, *words):
        self.folder, self.port, self.words = folder, 0, words
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [ROOST, "serve", "--dev", "--data", f"{self.folder}/data", "--port", str(self.port), "--log-level", "error",
             *self.words],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        for line in self.process.stdout:
            if line.startswith(b"ready "):
                self.url = line[6:].decode().strip()
                self.port = int(self.url.rsplit(":", 1)[1])
                return
        raise SystemExit("roost serve did not get ready")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def roost(self, *words, text=None, is_local=False):
        connection = [] if is_local else ["--server", self.url, "--profile", f"{self.folder}/cli"]
        done = subprocess.run(
            [ROOST, *words, *connection], input=text, capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise SystemExit(f"roost {' '.join(words)}: {done.stderr}")
        return done.stdout

    def upload(self, user, content, **about):
        """Uploads a file and answers with its id."""
        def ask(method, path, body, kind, **headers):
            headers = {"Roost-Guest": user, "Content-Type": kind, "Idempotency-Key": f"upload-{time.time_ns()}", **headers}
            request = urllib.request.Request(self.url + path, body, headers, method=method)
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.read()

        about = json.dumps({"size": len(content), **about}).encode()
        created = json.loads(ask("POST", "/v1/file.create", about, "application/json"))
        ask("PATCH", created["path"], content, "application/offset+octet-stream",
            **{"Tus-Resumable": "1.0.0", "Upload-Offset": "0"})
        return created["fileID"]


class Chat:
    """roost chat of one user in a terminal of its own."""

    def __init__(self, server, user, *words, columns=80, rows=24, profile=None, environment=None):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""
        self.status = None
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.set_size(columns, rows)
        names = dict(os.environ, TERM="xterm-256color", TZ="UTC")
        names |= {"LC_ALL": "C.UTF-8", **(environment or {})}
        self.process = subprocess.Popen(
            [ROOST, "chat", "--as", user, "--server", server.url, "--profile", f"{server.folder}/{profile or user}", *words],
            stdin=self.slave, stdout=self.slave, stderr=self.slave, env=names, start_new_session=True,
            preexec_fn=self.prepare)

    @staticmethod
    def prepare():
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        # A shell that starts something in the background has it ignore these.
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)

    def set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self.set_size(columns, rows)

    def type(self, text):
        os.write(self.master, text.encode())

    def read(self, seconds):
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        data = os.read(self.master, 65536)
        self.bytes += data
        self.stream.feed(data)
        return True

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.lines)

    def wait(self, condition, limit=LIMIT):
        """Waits until the screen is as wanted; answers whether it came to that."""
        end = time.monotonic() + limit
        while not condition(self):
            left = end - time.monotonic()
            if left <= 0:
                return False
            self.read(left)
        return True

    def sees(self, name, condition):
        check(name, self.wait(condition), "\n" + self.text)

    def end(self, how=None):
        """Ends it by a signal or waits for its end; reads what it wrote until then."""
        if how is not None:
            self.process.send_signal(how)
        end = time.monotonic() + LIMIT
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.05)
        while self.read(0):
            pass
        self.status = self.process.returncode
        if self.status is None:
            self.process.kill()
        return self.status

    def is_restored(self):
        return termios.tcgetattr(self.slave) == self.before and self.bytes.rstrip().endswith(b"\x1b[?1049l")

    def close(self):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        os.close(self.master)
        os.close(self.slave)


def has(text):
    return lambda chat: text in chat.text


def shows(text):
    """A line of the conversation is this text, whether or not it says after it how many have not read it."""
    return lambda client: any(
        re.fullmatch(re.escape(text) + r"(  \d+ unread)? *", line.split("│")[1]) for line in client.lines if "│" in line)


def lacks(text):
    return lambda chat: text not in chat.text


def row_of(chat, text):
    return next((number for number, line in enumerate(chat.lines) if text in line), None)


def status(text):
    return lambda chat: text in chat.lines[-1]


def run(play, *words):
    folder = tempfile.mkdtemp()
    server = Server(folder, *words)
    chats = []

    def chat(*words, **options):
        made = Chat(server, *words, **options)
        chats.append(made)
        return made

    try:
        play(server, chat)
    finally:
        for made in chats:
            made.close()
        server.kill()
    sys.exit(1 if failures else 0)


def play(server, chat):
    for user in ("ann", "bob", "cid"):
        server.roost("channels", "--as", user, "--name", user.capitalize())
    server.roost("channel", "create", "--as", "ann", "--kind", "group", "--channel", "club", "--title", "Book club",
                 "--member", "bob", "--member", "cid")
    history = "".join(f"line {number}\n" for number in range(1, 121))
    server.roost("send", "--as", "cid", "--channel", "club", "-", text=history)
    server.roost("send", "--as", "bob", "--to", "ann", "hello Ann")

    server.roost("channel", "create", "--as", "ann", "--kind", "group", "--channel", "old", "--title", "Old things",
                 "--member", "bob")
    server.roost("channel", "hide", "--as", "ann", "--channel", "old")
    server.roost("channel", "create", "--as", "ann", "--kind", "group", "--channel", "nameless", "--member", "bob",
                 "--member", "cid")

    # The list.
    ann = chat("ann")
    ann.sees("the list shows the own conversations, newest activity first, hidden ones left out [J-54]",
             lambda c: (row_of(c, "Bob (2)") or 99) < (row_of(c, "Book club (3)") or 0) and "Old things" not in c.text)

    def is_whole(c):
        row = row_of(c, "Book club (3)")
        return row is not None and row + 1 < len(c.lines) and re.search(r"Book club \(3\) +99\+", c.lines[row]) \
            and re.search(r"line 120 +\d\d:\d\d", c.lines[row + 1].split("│")[0])

    ann.sees("a row shows title, members, last message with its time, and unread [J-55]", is_whole)
    ann.type("\x1b[H\r")
    ann.sees("a group without a title has its size", lambda c: c.lines[0].split("│")[1].startswith("Group(3)"))
    ann.type("\x0e")
    ann.sees("titles come from the members: the other's name, or the size of the group [J-56]",
             lambda c: re.match("Bob *$", c.lines[0].split("│")[1]))
    ann.type("\x14\x1b[B\r")
    ann.sees("choosing a row opens that conversation [J-61]",
             lambda c: c.lines[0].split("│")[1].startswith("Book club  3 members") and "   line 120" in c.text)
    ann.sees("what was read has no badge any more", lambda c: "99+" not in c.text and "120" not in c.lines[1])

    # Pages.
    ann.type("\x1b[5~")
    ann.sees("scrolled up, the place is kept and the way back is told", has("Ctrl-End"))
    top = None
    for _ in range(12):
        shown = ann.lines[1]
        ann.type("\x1b[5~")
        if not ann.wait(lambda c: c.lines[1] != shown):
            break
        top = ann.lines[1]
        if shows("   line 1")(ann):
            break
    ann.sees("older pages come in while one scrolls up", shows("   line 1"))
    # What was still on its way has been drawn when nothing has come for a second.
    while ann.read(1):
        pass
    place = [line.split("│")[1] for line in ann.lines[2:18]]
    server.roost("send", "--as", "bob", "--channel", "club", "news from below")
    ann.sees("new messages are announced while one reads above", has("1 new"))
    stayed = [line.split("│")[1] for line in ann.lines[2:18]] == place
    check("and do not move what is read", stayed, ann.text)
    ann.type("an own line\r")
    ann.sees("new messages do not move the list while one reads above, and an own send goes to the end [J-33]",
             lambda c: stayed and "own line" in c.text and "1 new" not in c.text)

    # States, unread, typing.
    ann.sees("a message on the server's disk has its sign, and tells how many have not read it [J-53]",
             lambda c: re.search(r"✓  an own line  2 unread", c.text))
    bob = chat("bob", "--channel", "club")
    bob.sees("bob sees it", has("an own line"))
    ann.sees("who has read it does not count any more", has("an own line  1 unread"))
    bob.type("hm")
    ann.sees("the typing line names who types", has("Bob is typing"))
    bob.wait(has("hm"))
    while bob.read(1):
        pass
    check("and the typist's own screen says nothing", "typing" not in bob.text, bob.text)
    cid = chat("cid", "--channel", "club")
    cid.wait(has("an own line"))
    # Typing is told again every three seconds, and forgotten after ten: both go on until it is seen.
    for _ in range(30):
        cid.type("m")
        bob.type("m")
        if ann.wait(has("Bob, Cid are typing"), 1):
            break
    ann.sees("and how many do", has("Bob, Cid are typing"))
    bob.type("\x15")
    cid.type("\x15")
    ann.sees("the typing line names who types and how many, and goes when nobody does [J-47]", lacks("typing"))
    cid.type("\x03")
    cid.end()
    bob.type("漢字 👍 ok\x1b\rsecond line\r")
    ann.sees("wide characters and several lines arrive whole",
             lambda c: shows("   漢字 👍 ok")(c) and shows("   second line")(c))
    server.roost("send", "--as", "cid", "--channel", "club", "\x1b]52;c;aGk=\x07\x1b[2Jevil")
    ann.sees("orders in a text are shown, not obeyed", has("evil"))
    check("none of them reaches the terminal", b"]52;c" not in ann.bytes.replace(b"\xef\xbf\xbd]52;c", b""))

    # Paste and mouse.
    ann.type("\x1b[200~pasted\rin two lines\x1b[2J\x1b[201~")
    ann.sees("what is pasted stands in the field and is not sent, whatever lines and orders are in it",
             lambda c: "in two lines" in "\n".join(c.lines[-4:]) and not any(line.endswith("✓  pasted") for line in c.lines))
    ann.type("\r")
    ann.sees("Enter sends it as one message",
             lambda c: re.search(r"✓  pasted *\n.*   in two lines.*  1 unread", c.text))
    ann.type("\x1b[<64;50;5M" * 3)
    ann.sees("the wheel scrolls up", has("Ctrl-End"))
    ann.type("\x1b[<65;50;5M" * 9)
    ann.sees("and down to the newest", lacks("Ctrl-End"))

    # Refused.
    ann.type("x" * 70 + "\r")
    ann.sees("a refused message stays and says why", lambda c: "✗" in c.text and "Not sent" in c.text)
    ann.type("/retry\r")
    ann.wait(lambda c: c.lines[-2].endswith("›"))
    ann.sees("a failed message stays, and trying again keeps it the same message",
             lambda c: c.text.count("✗") == 1 and "⏳" not in c.text and c.text.count("Not sent") == 1)
    def is_back(c):
        return "✗" not in c.text and "x" * 40 in c.lines[-2] + c.lines[-3]

    # The second try may still be on its way, which is told; then it is asked for again.
    told = ("Nothing here has failed", "on its way")
    for _ in range(30):
        # The first key takes away what was told before.
        ann.type("/edit")
        ann.wait(lambda c: c.lines[-2].endswith("› /edit") and not any(text in c.text for text in told))
        ann.type("\r")
        ann.wait(lambda c: is_back(c) or any(text in c.text for text in told))
        if is_back(ann):
            break
    ann.sees("it can be taken back", is_back)
    ann.type("\r")
    ann.wait(lambda c: c.text.count("✗") == 1 and "Not sent" in c.text and c.lines[-2].endswith("›"))
    ann.type("/edit\r/new")
    ann.wait(lacks("✗"))
    ann.type("est\r")
    ann.sees("what comes back while one writes an order is not lost", is_back)
    ann.type("\x15short\r")
    ann.sees("and sent again in another form", has("✓  short"))

    # Files.
    picture = b"\x89PNG\r\n\x1a\n" + b"x" * 299_992
    file = server.upload("bob", picture, name="roof.png", contentType="image/png", blurHash="00TNoS")
    server.roost("message", "send", "--as", "bob", "--channel", "club", "--type", "image", "--file-id", file, "The new roof")

    def is_drawn(c):
        row = next((row for row, line in enumerate(c.lines) if "[image] roof.png, 300 kB The new roof" in line), None)
        return row is not None and all("▀" * 32 in line for line in c.lines[row + 1:row + 9])

    ann.sees("a picture is shown with its kind, name and size, and below it blurred", is_drawn)
    check("in the colours of its BlurHash", re.search(rb"38;(5;208|2;255;128;0);48;", ann.bytes))

    # Offline.
    server.kill()
    ann.sees("a lost connection is told", status("connecting"))
    ann.type("written offline\r")
    ann.sees("what is written without a connection waits", lambda c: "⏳ written offline" in c.text)
    ann.type("\x03")
    check("Ctrl-C ends it with 0", ann.end() == 0)
    check("and gives the terminal back", ann.is_restored())
    again = chat("ann", "--channel", "club")
    again.sees("an offline start shows what was there, and what waits",
               lambda c: "⏳ written offline" in c.text and "✓  short" in c.text)
    server.start()
    again.sees("what waited goes out", has("✓  written offline"))
    again.type("y" * 70 + "\r")
    again.sees("each own message shows whether it is on its way, sent or failed [Z-15]",
               lambda c: "✗  yyy" in c.text and "✓  written offline" in c.text)
    again.type("/discard\r")
    again.sees("a failed one can be thrown away", lacks("✗"))
    again.sees("the connection is back", status("● connected"))

    # Size.
    again.resize(40, 10)
    again.sees("on a narrow terminal the list makes room",
               lambda c: c.lines[0].startswith("Book club") and "Conversations" not in c.text)
    again.type("\x14")
    again.sees("Ctrl-T shows it", lambda c: c.lines[0].startswith("Conversations"))
    again.type("\x1b")
    again.sees("Esc goes back", lambda c: c.lines[0].startswith("Book club"))
    again.resize(100, 30)
    again.sees("on a wide one it stands beside",
               lambda c: c.lines[0].startswith("Conversations") and "Book club  3 members" in c.lines[0])
    again.type("/quit\r")
    check("/quit ends it with 0, the terminal restored", again.end() == 0 and again.is_restored(),
          f"{again.status} {again.bytes[-200:]}")

    # Languages.
    for locale, heading, status_text, line, help_line in (
            ("de_DE.UTF-8", "Unterhaltungen", "● verbunden", "Noch keine Nachrichten.", "Hilfe"),
            ("zh_TW.UTF-8", "對話", "● 已連線", "還沒有訊息。", "說明"),
            ("ko_KR.UTF-8", "대화", "● 연결됨", "아직 메시지가 없습니다.", "도움말"),
            ("ar_EG.UTF-8", "المحادثات", "● متصل", "لا توجد رسائل بعد.", "المساعدة")):
        reader = chat("bob", "--channel", "nameless", profile=f"bob-{locale}", columns=100, environment={"LC_ALL": locale})

        def is_translated(c):
            return heading in c.text and status_text in c.text and line in c.text \
                and all("│" in row for row in c.lines[:-1])

        reader.sees(f"the screen is in the language of {locale}", is_translated)
        reader.type("\x1bOP")
        reader.sees("its help too", lambda c: help_line in c.lines[0] and "/join CHANNEL" in c.text and "go to" not in c.text)
        reader.type("\x03")
        check("and it quits", reader.end() == 0)

    # Every end.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT):
        dying = chat("cid", "--channel", "club", profile=f"cid-{number}", environment={"NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"})
        is_drawn = dying.wait(status("● connected"))
        ended = dying.end(number)
        check(f"{number.name} restores the terminal", ended == -number and dying.is_restored(), f"{ended} {dying.bytes[-80:]}")
        if number == signal.SIGTERM:
            colors = re.findall(rb"\x1b\[[0-9;]*3[0-7]m", dying.bytes)
            check("with NO_COLOR there are no colours", is_drawn and not colors, colors[:3])


if __name__ == "__main__":
    run(play, "--limit", "textLength=60")
