#!/usr/bin/env python3
"""Checks the dependencies of the client library's products, and the contents of an app that uses them.

Needs ROOST, with the example app in the same folder.
"""
import json, os, pathlib, subprocess, sys

SERVER = {"RoostCore", "RoostServer", "RoostSQLite", "RoostPostgres", "CLibPQ", "hummingbird", "jwt-kit"}
failures = 0


def check(name, condition, detail=""):
    global failures
    failures += not condition
    print(f"ok - {name}" if condition else f"FAIL - {name} {detail}", flush=True)


dump = subprocess.run(["swift", "package", "dump-package"], capture_output=True, text=True, check=True, timeout=300)
package = json.loads(dump.stdout)
targets = {target["name"]: target for target in package["targets"]}


def needs(name):
    """The targets and packages that a target needs, directly or not."""
    found = set()
    for dependency in targets[name]["dependencies"]:
        words = next(iter(dependency.values()))
        if words[0] in targets:
            found |= {words[0]} | needs(words[0])
        else:
            found.add(words[1] if "product" in dependency else words[0])
    return found


libraries = {product["name"]: product["targets"] for product in package["products"] if "library" in product["type"]}
for library in ("RoostWire", "RoostClient", "RoostModels"):
    needed = {need for target in libraries[library] for need in needs(target)}
    check(f"{library} needs nothing of the server", not needed & SERVER, needed & SERVER)
check("RoostWire needs nothing at all", not needs("RoostWire"), needs("RoostWire"))
app = (pathlib.Path(os.environ["ROOST"]).parent / "ChatApp").read_bytes()
held = [name for name in ("RoostWire", "RoostClient", "RoostModels", "RoostCore", "RoostServer")
        if f"{len(name)}{name}".encode() in app]
check("the client library is of parts that an app builds and links without the server [L-2]",
      held == ["RoostWire", "RoostClient", "RoostModels"], held)
sys.exit(1 if failures else 0)
