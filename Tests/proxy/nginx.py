#!/usr/bin/env python3
"""A page behind nginx: the examples of docs/proxy.md, and what a server says to one that hides its name.

Needs ROOST, the binary, and nginx.
"""
import base64, json, pathlib, re, socket, tempfile

from proxy import FIVE_LINES, LIMIT, Proxy, Server, check, finish

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs/proxy.md"


def exchange(port, method, host, *headers):
    """The status of an answer, and its body; a WebSocket has none."""
    lines = [f"{method} /v1/connect HTTP/1.1", f"Host: {host}", *headers]
    if method == "GET":
        key = base64.b64encode(bytes(16)).decode()
        lines += ["Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
    else:
        lines += ["Content-Length: 0", "Connection: close"]
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as sock:
        sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        answer = b""
        while True:
            head, end, body = answer.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *(\d+)", head)
            # nginx keeps the connection open.
            if end and len(body) >= (int(length[1]) if length else 0):
                break
            part = sock.recv(65536)
            if not part:
                break
            answer += part
    return int(head.split(b" ")[1]), body.decode(errors="replace")


HOST = "chat.example.com"
ORIGIN = f"Origin: http://{HOST}"


def try_with(folder, location, *options):
    """The answers to a WebSocket and to a question of a page of `HOST`, and the log."""
    folder = tempfile.mkdtemp(dir=folder)
    server = Server(folder, *options)
    proxy = Proxy(folder, location, server.port)
    try:
        answers = exchange(proxy.port, "GET", HOST, ORIGIN), exchange(proxy.port, "POST", HOST, ORIGIN)
    finally:
        proxy.stop()
        log = server.stop()
    return *answers, log


with tempfile.TemporaryDirectory() as folder:
    (status, body), (why, reason), log = try_with(folder, FIVE_LINES % "")
    names = f"http://{HOST}" in body and "127.0.0.1:" in body and "--public-url" in body and "proxy_set_header" in body
    check("behind five lines of nginx a page is refused, and the refusal names both values", status == 403 and names, body)
    check("the page can ask for the reason", why == 403 and json.loads(reason)["error"]["message"] in body, reason)
    check("the log tells the operator, once", log.count(f"http://{HOST}") == 1 and "warning" in log, log)

    (status, body), (why, _), _ = try_with(folder, FIVE_LINES % "", "--public-url", f"http://{HOST}")
    check("with --public-url the same five lines are enough", (status, why) == (101, 404), body)

    (status, body), (why, _), _ = try_with(
        folder, FIVE_LINES % "proxy_set_header X-Forwarded-Host $http_host;", "--behind-proxy")
    check("with --behind-proxy X-Forwarded-Host is enough", (status, why) == (101, 404), body)

    (status, body), (why, _), _ = try_with(folder, FIVE_LINES % "proxy_set_header X-Forwarded-Host $http_host;")
    check("without --behind-proxy it does not count", (status, why) == (403, 403), body)

    example = re.search(r"( +location / \{.*?\n +\}\n)", DOCS.read_text(), re.S)
    (status, body), (why, _), _ = try_with(folder, example.group(1), "--behind-proxy")
    check("the example for nginx in docs/proxy.md works", (status, why) == (101, 404), body)

    # Without the headers Upgrade and Connection there is no WebSocket, and the page learns that its origin is not the reason.
    (status, body), (why, reason), _ = try_with(
        folder, "location / { proxy_pass http://127.0.0.1:7878; proxy_set_header Host $http_host; }")
    check("a proxy that passes on no Upgrade is told so", (status, why) == (426, 404) and "Upgrade" in reason, reason)

finish()
