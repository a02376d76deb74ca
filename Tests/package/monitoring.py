#!/usr/bin/env python3
"""The files of packaging/monitoring, with a real server and a real Prometheus.

Needs ROOST, the binary, and prometheus with promtool.
"""
import base64
import datetime
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from cases import ROOT, check, end, run  # noqa: E402

FOLDER = ROOT / "packaging/monitoring"
LIMIT = 30
# What a single server with SQLite that is well, without TLS, push and backups, does not have.
ABSENT = {
    "roost_bus_up": "needs --bus",
    "roost_bus_lag_seconds": "needs several servers",
    "roost_certificate_end_timestamp_seconds": "needs --tls-certificate",
    "roost_backup_newest_timestamp_seconds": "needs --backup-to",
    "roost_pushes_total": "needs --push",
    "roost_task_failures_total": "needs a task that fails",
}
# The values of the labels of a server that has all of it; "x" for others.
LABELS = {
    "result": ["accepted", "refused"], "name": ["message.send", "file.upload"], "code": ["0", "1003"],
    "task": ["schedules"], "gateway": ["apns"], "version": ["0.1.0"], "commit": ["abc"], "schema": ["30"],
    "protocol": ["1"],
}
# What --connection-memory says.
MEMORY = 64 << 20
NAME = re.compile(r"\b(?:roost|process)_[a-z_]+")
SUFFIX = re.compile(r"_(?:bucket|sum|count)$")


def until(found, seconds=LIMIT):
    """What a function finds, as soon as it finds something; what it found last if that takes too long."""
    deadline = time.monotonic() + seconds
    while True:
        value = found()
        if value or time.monotonic() > deadline:
            return value
        time.sleep(0.05)


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=LIMIT) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()
    except OSError:
        return ""


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def declared():
    """The metrics of Metric.swift: the kind and the labels of each, by name."""
    text = (ROOT / "Sources/RoostCore/Metrics/Metric.swift").read_text()
    found = re.findall(r'= Metric\(\s*"(\w+)", \.(\w+)(?:\([^"]*?\))?(?:, by: \[([^\]]*)\])?,', text)
    return {name: (kind, re.findall(r'"(\w+)"', labels)) for name, kind, labels in found}


# What a server tells.


class Server:
    """A server, with a session that goes on listening."""

    def __init__(self, folder):
        self.folder, self.number = folder, 0
        self.log = open(f"{folder}/log", "w+")
        self.process = subprocess.Popen(
            [os.environ["ROOST"], "serve", "--dev", "--data", f"{folder}/data", "--port", "0", "--admin-port", "0",
             "--connection-memory", str(MEMORY)], stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.url, self.admin = (self.process.stdout.readline().strip().partition(" ")[2] for _ in range(2))
        self.sessions = []
        if not self.admin:
            self.stop()
            sys.exit(f"FAIL - roost serve did not start: {pathlib.Path(self.log.name).read_text()}")

    def ask(self, path, body=None, **headers):
        """The code of the answer to a request, 0 if it was accepted; and where to go on."""
        headers = {name.replace("_", "-"): value for name, value in headers.items() if value}
        try:
            asked = urllib.request.Request(self.url + path, body, headers)
            with urllib.request.urlopen(asked, timeout=LIMIT) as answer:
                answer.read()
                return 0, answer.headers["Location"]
        except urllib.error.HTTPError as error:
            return json.loads(error.read())["error"]["code"], None

    def post(self, name, body, guest="ann"):
        """The code of the answer to a command, with a body that is JSON already or is made JSON."""
        self.number += 1
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask(f"/v1/{name}", body, Roost_Guest=guest, Idempotency_Key=f"k{self.number}",
                        Content_Type="application/json")[0]

    def upload(self):
        name = base64.b64encode(b"a.txt").decode()
        return self.ask("/v1/files", b"Hello", Roost_Guest="ann", Tus_Resumable="1.0.0", Upload_Length="5",
                        Upload_Metadata=f"filename {name}", Content_Type="application/offset+octet-stream")

    def use(self):
        """Commands and requests for files that are accepted, and some that are not; their codes."""
        code, file = self.upload()
        return [code, self.ask(file or "/v1/files/none", Roost_Guest="ann")[0],
                self.post("message.send", {"channel": "lobby", "text": "Hello"}),
                self.post("message.list", {"channel": "lobby", "limit": 5}),
                self.post("channel.list", {}),
                self.post("message.recall", {"channel": "lobby", "messageIDs": ["0" * 32]}),
                self.post("channel.dismiss", {"channel": "nowhere"}),
                self.post("message.send", b"{"),
                self.post("message.send", {"channel": "lobby", "text": "Hello"}, guest=None),
                self.post("message.nothing", {})]

    def roost(self, *words):
        return [os.environ["ROOST"], *words, "--server", self.url, "--profile", f"{self.folder}/profile"]

    def listen(self):
        words = self.roost("tail", "--as", "bob", "--channel", "lobby")
        self.sessions.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def refuse(self):
        """A login with a token that is none."""
        words = self.roost("tail", "--token", "bad", "--channel", "lobby")
        return subprocess.run(words, capture_output=True, timeout=LIMIT).returncode

    def written(self):
        """The end of its log."""
        return pathlib.Path(self.log.name).read_text()[-2000:]

    def stop(self):
        """Ends all, and returns the status of the server, or the command of a program that does not end."""
        # Not SIGINT, which a shell lets programs in the background ignore.
        for process in [*self.sessions, self.process]:
            process.terminate()
        try:
            # The server takes 30 seconds at most.
            for process in [*self.sessions, self.process]:
                process.wait(2 * LIMIT)
        except subprocess.TimeoutExpired as late:
            for process in [*self.sessions, self.process]:
                process.kill()
                process.wait()
            return late.cmd
        self.log.close()
        return self.process.returncode


def parse(text):
    """The samples of a scrape by name and labels, and the names with HELP and TYPE."""
    samples, helps, types = {}, set(), {}
    for line in text.splitlines():
        words = line.split(" ")
        if line.startswith("# HELP "):
            helps.add(words[2])
        elif line.startswith("# TYPE "):
            types[words[2]] = words[3]
        elif line:
            match = re.fullmatch(r'(\w+)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)', line)
            if not match:
                check("a line of a scrape can be read", False, line)
                continue
            samples[match[1], match[2] or ""] = float(match[3])
    return samples, helps, types


def family(name, types):
    """The metric that a sample belongs to."""
    base = SUFFIX.sub("", name)
    return base if types.get(base) == "histogram" else name


def scrapes(server, metrics):
    """Checks what the server tells, before and after it is used."""
    before = get(f"{server.admin}/metrics")
    codes = server.use()
    check("commands are accepted and refused", [code > 0 for code in codes] == [False] * 5 + [True] * 5, codes)
    check("a login with a wrong token is refused", server.refuse() != 0)
    server.listen()
    # A session is counted before it is logged in.
    until(lambda: '{result="accepted"} 1\n' in get(f"{server.admin}/metrics"))
    after = get(f"{server.admin}/metrics")
    check("a session is counted", "\nroost_sessions 1\n" in after and "\nroost_ready 1\n" in after, after[:600])
    for words, text in (("at the start", before), ("after use", after)):
        done = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        check(f"promtool has no complaint about a scrape {words}", done.returncode == 0 and not done.stdout,
              done.stdout)

    (old, _, _), (new, helps, types) = parse(before), parse(after)
    bad = {name for name, _ in new if family(name, types) not in helps or family(name, types) not in types}
    check("every sample has HELP and TYPE", not bad, bad)
    kinds = {name: kind for name, (kind, _) in metrics.items()}
    check("with the types of Metric.swift, and nothing else", types.items() <= kinds.items(),
          types.items() - kinds.items())
    bad = [(name, labels) for name, labels in new
           if set(re.findall(r'(\w+)="', labels)) - {"le"} != set(metrics[family(name, types)][1])]
    check("and its labels", not bad, bad)
    histograms, wrong = {}, []
    for (name, labels), value in new.items():
        if name.endswith("_bucket"):
            base, bound = re.fullmatch(r'(.*?),?le="([^"]*)"', labels).groups()
            histograms.setdefault((SUFFIX.sub("", name), base), []).append((float(bound), value))
    for (name, labels), buckets in histograms.items():
        counts = [count for _, count in buckets]
        if buckets != sorted(buckets) or counts != sorted(counts) or buckets[-1] != (
                float("inf"), new[name + "_count", labels]) or (name + "_sum", labels) not in new:
            wrong.append((name, labels, buckets))
    check("buckets are cumulative, and end with the count", histograms and not wrong, wrong)
    grows = {key: value for key, value in old.items() if types.get(family(key[0], types)) in ("counter", "histogram")}
    fallen = {key: (value, new.get(key)) for key, value in grows.items() if new.get(key, -1) < value}
    check("counters only grow", grows and not fallen, fallen)
    commands = {labels: value for (name, labels), value in new.items() if name == "roost_commands_total"}
    names = [f'name="{name}",code="{code}"' for name, code in zip(
        ["file.upload", "file.download", "message.send", "message.list", "channel.list", "message.recall",
         "channel.dismiss", "message.send", "message.send", "unknown"], codes)]
    wrong = [name for name in names if commands.get(name) != 1]
    check("and count what was used, with its code, once", len(set(names)) == len(names) and not wrong,
          (wrong, commands))
    timed = {labels for name, labels in new if name == "roost_command_seconds_count"}
    check("and takes no time", 'name="message.send"' in timed and 'name="unknown"' not in timed, timed)
    logins = [[each.get(("roost_logins_total", f'result="{result}"')) for result in ("accepted", "refused")]
              for each in (old, new)]
    check("logins are counted from 0 on", logins == [[0, 0], [1, 1]], logins)
    most = new.get(("roost_connection_max_bytes", ""))
    check("the limit of the memory is that of --connection-memory", most == MEMORY, most)
    missing = set(kinds) - set(types) - set(ABSENT)
    check("every metric is told that this server has", not missing, missing)


# The files.


def panels(dashboard):
    return [panel for each in dashboard["panels"] for panel in [each, *each.get("panels", [])]]


def queries(dashboard):
    """The queries of a dashboard, with the title of the panel, and whether each is about the present time only."""
    for panel in panels(dashboard):
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"], target.get("instant", False)
    for note in dashboard["annotations"]["list"]:
        if "expr" in note:
            yield note["name"], note["expr"], False


def structure(dashboard):
    """Checks what Grafana expects of a dashboard."""
    every = panels(dashboard)
    shown = [panel for panel in every if panel["type"] != "row"]
    ids = [panel["id"] for panel in every]
    check("the panels have ids that differ", len(ids) == len(set(ids)) and all(type(each) is int for each in ids), ids)
    taken, overlaps = {}, []
    for index, panel in enumerate(every):
        place = panel["gridPos"]
        if place["x"] < 0 or place["x"] + place["w"] > 24 or min(place["w"], place["h"]) < 1:
            overlaps.append(panel["title"])
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                if taken.setdefault((x, y), index) != index:
                    overlaps.append(panel["title"])
    check("no panels overlap", not overlaps, overlaps)
    source = {"type": "prometheus", "uid": "${datasource}"}
    wrong = [panel["title"] for panel in shown
             if not panel.get("description", "").endswith(".") or panel["datasource"] != source or not panel["targets"]
             or not panel["fieldConfig"]["defaults"].get("unit") or "overrides" not in panel["fieldConfig"]
             or panel["type"] not in ("stat", "timeseries", "table") or "options" not in panel
             or any(not target.get("legendFormat") or target["datasource"] != source for target in panel["targets"])
             or len({target["refId"] for target in panel["targets"]}) != len(panel["targets"])]
    check("every panel has a description, a unit, queries with ids and legends, and the chosen data source", not wrong,
          wrong)
    variables = {each["name"]: each for each in dashboard["templating"]["list"]}
    check("the data source, the job and the servers can be chosen",
          list(variables) == ["datasource", "job", "instance"] and variables["datasource"]["query"] == "prometheus"
          and all(variables[name]["multi"] and variables[name]["includeAll"] for name in ("job", "instance")),
          variables)
    keys = ("uid", "title", "schemaVersion", "time", "refresh", "annotations", "tags", "version")
    check("the dashboard has what Grafana imports", all(key in dashboard for key in keys) and dashboard["id"] is None
          and dashboard["schemaVersion"] >= 36)
    text = (FOLDER / "roost-dashboard.json").read_text()
    check("the file is formatted", text == json.dumps(dashboard, indent=2, ensure_ascii=False) + "\n")


def files(metrics, dashboard):
    """Checks the files without a Prometheus that runs."""
    for words in (["check", "rules", "roost-alerts.yml"], ["check", "config", "prometheus.yml"]):
        status, output = run("promtool", *words[:2], FOLDER / words[2])
        check(f"promtool {' '.join(words)} passes", status == 0, output)
    structure(dashboard)
    alerts = (FOLDER / "roost-alerts.yml").read_text()
    rules = re.split(r"^ +- alert: ", alerts, flags=re.M)[1:]
    names = [rule.split("\n", 1)[0] for rule in rules]
    whole = re.compile(r"^ +severity: (?:page|ticket)$.*^ +summary: \S.*^ +description: >-$", re.M | re.S)
    incomplete = [name for name, rule in zip(names, rules) if not whole.search(rule)]
    check("every alert has a severity, a summary and what to do", not incomplete, incomplete)
    documents = set(re.findall(r"docs/[\w-]+\.md", alerts + json.dumps(dashboard)))
    lost = [name for name in documents if not (ROOT / name).exists()]
    check("the documents that they name exist", not lost, lost)
    words = " ".join(alerts.split())
    parts = re.findall(r'"([^"]+)" in (docs/[\w-]+\.md)', words)
    lost = [each for each in parts if not re.search(rf"^#+ {re.escape(each[0])}$", (ROOT / each[1]).read_text(), re.M)]
    check("and have the parts that the alerts name", parts and not lost, lost)
    titles = {panel["title"] for panel in panels(dashboard)}
    shown = {title for pair in re.findall(r'(?:panels?|row) "([^"]+)"(?: and "([^"]+)")?', words) for title in pair}
    check("the dashboard has the panels that they name", len(shown) > 3 and shown - {""} <= titles, shown - titles)
    cases = (FOLDER / "roost-alerts-test.yml").read_text()
    fire = set(re.findall(r"""labels: '\{alertname="(\w+)"\}'\n +value: [1-9]""", cases))
    check("every alert fires in a test", set(names) == fire and len(names) == len(fire), set(names) ^ fire)

    # Comments do not count.
    code = re.sub(r"^ *#.*$", "", alerts, flags=re.M)
    used = set(NAME.findall(code + " ".join(query for _, query, _ in queries(dashboard))))
    used = {name if name in metrics else SUFFIX.sub("", name) for name in used}
    check("the dashboard and the alerts use metrics that exist", used <= set(metrics), used - set(metrics))
    check("and every metric", set(metrics) <= used, set(metrics) - used)


# A real Prometheus.


class Complete(http.server.ThreadingHTTPServer):
    """Tells made-up figures of every metric, as a server with TLS, push, backups and others beside it would."""

    def __init__(self, metrics):
        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.server.text().encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        super().__init__(("127.0.0.1", 0), Answer)
        self.metrics, self.count = metrics, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def text(self):
        self.count += 1
        lines = []
        for name, (kind, labels) in self.metrics.items():
            lines.append(f"# TYPE {name} {kind}")
            sets = [""]
            for label in labels:
                sets = [f'{each}{label}="{value}",' for each in sets for value in LABELS.get(label, ["x"])]
            for each in sets:
                if kind == "histogram":
                    lines += [f'{name}_bucket{{{each}le="{bound}"}} {self.count}' for bound in ("0.5", "+Inf")]
                    lines += [f"{name}_sum{{{each}}} {self.count / 10}", f"{name}_count{{{each}}} {self.count}"]
                else:
                    lines.append(f"{name}{{{each}}} {self.count}")
        return "\n".join(lines) + "\n"


class Prometheus:
    """A Prometheus that reads some servers each second, with the alerts of the repository."""

    def __init__(self, folder, targets):
        self.port = free_port()
        jobs = "".join(
            f"  - job_name: {name}\n    static_configs: [{{targets: [{target}], labels: {{instance: {name}-1}}}}]\n"
            for name, target in targets.items())
        pathlib.Path(f"{folder}/prometheus.yml").write_text(
            "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
            f"rule_files: [{json.dumps(str(FOLDER / 'roost-alerts.yml'))}]\nscrape_configs:\n{jobs}")
        self.log = open(f"{folder}/prometheus.log", "w+")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/prometheus",
             f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def ask(self, path, **fields):
        """The data of an answer of its API; a text with what is wrong if it is an error."""
        answer = get(f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(fields)}")
        try:
            value = json.loads(answer)
        except ValueError:
            return f"no JSON: {answer[:200]}"
        return value["data"] if value["status"] == "success" else f"{value['errorType']}: {value['error']}"

    def result(self, query, instant=True):
        """The series of a query, of this moment or of the last half minute; a text if it is wrong."""
        now = time.time()
        data = (self.ask("query", query=query) if instant
                else self.ask("query_range", query=query, start=now - 30, end=now, step=1))
        return data if isinstance(data, str) else data["result"]

    def groups(self):
        data = self.ask("rules")
        return [] if isinstance(data, str) else data["groups"]

    def rules(self):
        return [rule for group in self.groups() for rule in group["rules"]]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def alert_rules(prometheus, server):
    """Checks that no alert is even pending while a server idles, and later."""
    # Two evaluations or more after three scrapes.
    scraped = until(lambda: prometheus.result('count_over_time(up{job="roost"}[1m]) >= 3'))
    check("Prometheus reads the server", scraped and prometheus.result('min(up{job="roost"}) == 1'),
          (scraped, prometheus.ask("targets")))
    since = time.time()

    def evaluated():
        groups = prometheus.groups()
        times = [datetime.datetime.fromisoformat(group["lastEvaluation"]).timestamp() for group in groups]
        return groups and min(times) > since + 2

    check("and evaluates the alerts", until(evaluated), prometheus.groups())
    check("without errors", prometheus.rules() and all(rule["health"] == "ok" for rule in prometheus.rules()),
          [(rule["name"], rule.get("lastError")) for rule in prometheus.rules() if rule["health"] != "ok"])
    quiet(prometheus, "no alert is pending on a server that has just started and idles")


def quiet(prometheus, name):
    def pending():
        return [(alert["labels"], alert["state"]) for rule in prometheus.rules() for alert in rule["alerts"]
                if alert["labels"].get("job") != "made"]

    def found():
        results = {rule["name"]: prometheus.result(rule["query"]) for rule in prometheus.rules()}
        return {alert: series for alert, series in results.items()
                if isinstance(series, str) or any(each["metric"].get("job") != "made" for each in series)}

    # On a busy machine Prometheus itself is late, and takes what it has not read for a moment for gone.
    check(name, until(lambda: not pending()), pending())
    check(f"{name}: its query finds nothing", prometheus.rules() and until(lambda: not found()), found())


def substituted(query, job):
    """A query as Grafana sends it."""
    for name, value in (("$__rate_interval", "10s"), ("$__range", "30s"), ("$job", job), ("$instance", ".+")):
        query = query.replace(name, value)
    return query


def results(prometheus, server, dashboard):
    """Checks that every query of the dashboard finds something while the server is used."""
    wanted, wrong, empty = list(queries(dashboard)), [], []

    def all_found():
        server.use()
        empty.clear()
        for title, query, instant in wanted:
            job = "made" if set(NAME.findall(query)) & set(ABSENT) else "roost"
            series = prometheus.result(substituted(query, job), instant)
            if isinstance(series, str) or "$" in substituted(query, job):
                wrong.append((title, query, series))
            elif not series:
                empty.append((title, query))
        return wrong or not empty

    until(all_found)
    check("no query of the dashboard is wrong", not wrong, wrong)
    check("every query finds something at this server, or at one that has what it is about", wanted and not empty,
          empty)
    # The list must not hide more than it has to.
    present = [name for name in ABSENT if prometheus.result(f'{name}{{job="roost"}}')]
    check("this server has none of what the others are about", not present, present)
    stat = next(query for title, query, _ in wanted if title == "Ready")
    value = prometheus.result(substituted(stat, "roost"))
    check("the dashboard says that the server is ready", [each["value"][1] for each in value] == ["1"], value)


def faults(prometheus, server):
    """Checks that the figures show what is wrong with what is stored."""
    def figures():
        return parse(get(f"{server.admin}/metrics"))[0]

    failed = ("roost_commands_total", 'name="file.upload",code="7024"')
    before = figures()
    folder = pathlib.Path(server.folder, "data/files/bytes")
    folder.rename(folder.with_name("away"))
    folder.touch()
    code, _ = server.upload()
    folder.unlink()
    folder.with_name("away").rename(folder)
    after = figures()
    counts = code, before.get(failed), after.get(failed)
    check("a file that cannot be stored is counted with the code 7024", counts == (7024, None, 1), counts)
    damaged = ("roost_database_damaged", "")
    database = sqlite3.connect(f"{server.folder}/data/roost.sqlite", isolation_level=None, timeout=LIMIT)
    newest = "SELECT MAX(seq) FROM channel_log WHERE channel = 'lobby'"
    rows = database.execute(
        f"UPDATE channel_log SET frame = x'00' WHERE channel = 'lobby' AND seq = ({newest})").rowcount
    database.close()
    code = server.post("message.list", {"channel": "lobby", "limit": 5})
    now = figures()
    check("a damaged row that is read is shown", (rows, code, after[damaged], now[damaged]) == (1, 0, 0, 1),
          (rows, code, after[damaged], now[damaged]))
    firing = 'ALERTS{alertname="RoostDatabaseDamaged",job="roost",alertstate="firing"}'
    alerts = until(lambda: prometheus.result(firing))
    check("and an alert comes at once", len(alerts) == 1, alerts)


def main(folder):
    for program in ("prometheus", "promtool"):
        if not shutil.which(program):
            sys.exit(f"FAIL - {program} is missing: apt install prometheus")
    metrics = declared()
    dashboard = json.loads((FOLDER / "roost-dashboard.json").read_text())
    begun = []
    tests = subprocess.Popen(["promtool", "test", "rules", FOLDER / "roost-alerts-test.yml"], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        server = Server(folder)
        begun.append(server)
        made = Complete(metrics)
        targets = {"roost": server.admin.removeprefix("http://"), "made": f"127.0.0.1:{made.server_port}"}
        prometheus = Prometheus(folder, targets)
        begun.append(prometheus)
        check("Metric.swift is read", len(metrics) > 30 and set(ABSENT) <= set(metrics), metrics)
        files(metrics, dashboard)
        alert_rules(prometheus, server)
        scrapes(server, metrics)
        results(prometheus, server, dashboard)
        quiet(prometheus, "no alert is pending on a server that is used")
        faults(prometheus, server)
        output = tests.communicate(timeout=120)[0]
        check("promtool test rules roost-alerts-test.yml passes", tests.returncode == 0, output)
        begun.remove(server)
        status = server.stop()
        check("the server stops cleanly", status == 0, (status, server.written()))
        # It is gone now, which the dashboard has to say.
        stat = next(query for title, query, _ in queries(dashboard) if title == "Ready")
        gone = until(lambda: [each["value"][1] for each in prometheus.result(substituted(stat, "roost"))] == ["0"])
        check("the dashboard says when it does not answer", gone, prometheus.result(substituted(stat, "roost")))
        down = until(lambda: [alert for rule in prometheus.rules() if rule["name"] == "RoostDown"
                              for alert in rule["alerts"]])
        check("and so does an alert", [alert["labels"]["instance"] for alert in down or []] == ["roost-1"], down)
    finally:
        for each in begun:
            each.stop()
        tests.kill()
        tests.wait()


with tempfile.TemporaryDirectory(prefix="roost-monitoring.") as folder:
    main(folder)
end()
