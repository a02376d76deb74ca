"""What the tests of the scripts in dev/ share: a small repository, runs of a script, and a line for each check."""
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
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
    done = subprocess.run([str(word) for word in words], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={"PATH": "/usr/bin:/bin", **environment})
    return done.returncode, done.stdout


def record(root, logs, changed=None):
    """Writes logs as dev/checks does: logs are by name of the step, each with what it may prove and its lines."""
    folder = root / ".build/test-logs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        sys.path.insert(0, str(ROOT / "dev"))
        import runs
        record = runs.Record(folder, root)
    except ImportError:
        record = None
    paths = []
    for name, (proves, lines) in logs.items():
        path = folder / (name + ".log")
        path.write_text((record.header(name) if record else "") + "\n".join(lines) + "\n")
        if record:
            record.add(name, path, proves)
        paths.append(path)
    return paths
