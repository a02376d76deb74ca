#!/usr/bin/env python3
"""Prints which packages are in the binary, as SPDX 2.3 in JSON.

usage: packaging/sbom.py SOURCE VERSION COMMIT TIME

SOURCE is a clone in which the binary was built; its versions are those that SwiftPM has resolved. Libraries of the system, which
the binary loads when it starts, are dependencies of the Debian package and not in here.
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys

# A sentence of each licence that is in none of the others.
LICENCES = [
    ("Apache-2.0", r"Apache License,?\s+Version 2\.0"),
    ("MIT", r"Permission is hereby granted, free of charge"),
    ("BSD-3-Clause", r"Neither the name of"),
    ("BSD-2-Clause", r"Redistributions in binary form"),
]


def licence(folder):
    """The licence of a package by its text; NOASSERTION if it is none of those that are known."""
    for name in ("LICENSE.txt", "LICENSE", "LICENSE.md"):
        path = folder / name
        if path.exists():
            text = " ".join(path.read_text(errors="replace").split())
            return next((name for name, sentence in LICENCES if re.search(sentence, text)), "NOASSERTION")
    return "NOASSERTION"


def package(name, version, url, licence):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
        "downloadLocation": f"git+{url}@{version}" if url else "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
    }


def main(source, version, commit, time):
    source = pathlib.Path(source)
    pins = json.loads((source / "Package.resolved").read_text())["pins"]
    swift = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    toolchain = re.search(r"Swift version ([0-9.]+)", swift)[1]
    own = package("roost", version, "", licence(source))
    own["sourceInfo"] = f"git commit {commit}"
    runtime = package("swift-runtime", toolchain, "https://github.com/swiftlang/swift", "Apache-2.0")
    others = [runtime] + [
        package(pin["identity"], pin["state"].get("version", pin["state"]["revision"]), pin["location"],
                licence(source / ".build/checkouts" / pin["location"].rstrip("/").split("/")[-1].removesuffix(".git")))
        for pin in sorted(pins, key=lambda pin: pin["identity"])
    ]
    created = datetime.datetime.fromtimestamp(int(time), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"roost-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/roost-{version}-{commit}",
        "creationInfo": {"created": created, "creators": ["Tool: dev/package"]},
        "packages": [own, *others],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]},
            *({"spdxElementId": own["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": other["SPDXID"]}
              for other in others),
        ],
    }
    json.dump(document, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
