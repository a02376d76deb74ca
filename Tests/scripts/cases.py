"""What the tests of the scripts in dev/ share: a small repository, runs of a script, and a line for each check."""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "dev"))
import runs  # noqa: E402

failures = 0


def check(name, condition, detail=""):
    global failures
    failures += not condition
    print(f"ok - {name}" if condition else f"FAIL - {name}: {detail}", flush=True)


def end():
    sys.exit(1 if failures else 0)


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def git(folder, *words):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True,
                   capture_output=True)


def commit(folder):
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")


def run(*words, **environment):
    """Runs a command; answers with its exit code and all that it has printed."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    done = subprocess.run([str(word) for word in words], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=kept | environment)
    return done.returncode, done.stdout


def record(root, logs):
    """Writes logs as dev/checks does: logs are by name of the step, each with what it may prove and its lines."""
    folder = root / ".build/test-logs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    record, paths = runs.Record(folder, root), []
    for name, (proves, lines) in logs.items():
        path = write(folder / (name + ".log"), record.header(name) + "\n".join(lines) + "\n")
        record.add(name, path, proves)
        paths.append(path)
    return paths
