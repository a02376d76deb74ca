"""The attacks: what each does, and what its figure was when it was found."""

import contextlib
import time
import traceback

import codes
import damage
import evidence
import kit
import logins
import rights
import strangers
import transfers

MODULES = [strangers, transfers, damage, logins, rights, codes, evidence]


def order(id):
    return "HMLX".index(id[0]), int(id[1:].rstrip("abcdefgh"))


ALL = dict(
    sorted(((attack.id, attack) for module in MODULES for attack in module.ATTACKS), key=lambda pair: order(pair[0]))
)

# The others, which take more than a network and a disk, and the tests that hold them.
ELSEWHERE = {
    "L14": (
        "the time that the first touch of a channel takes",
        (
            "Tests/RoostCoreTests/StrangerTests.swift: a stranger costs the same statements whether there is a channel"
            " or not, and whether it is remembered"
        ),
    ),
    "H5": ("a power loss at any moment", "Tests/RoostCoreTests/Database/PowerLossTests.swift"),
}


def run(id, binary, has_namespace):
    """The result of an attack: `held` is None if it could not be tried."""
    attack = ALL[id]
    result = {"id": id, "load": attack.load, "then": attack.then, "now": "", "held": None, "failed": [], "seconds": 0}
    if attack.needs_namespace and not has_namespace:
        return {**result, "now": "needs unshare and ip"}
    began = time.monotonic()
    trial = kit.Trial(binary)
    try:
        with contextlib.closing(trial):
            attack.body(trial)
        held = not trial.failed
    except kit.Unavailable as reason:
        trial.figures.append(str(reason))
        held = None if not trial.failed else False
    except Exception as error:
        # The other attacks are tried nevertheless.
        traceback.print_exception(error)
        trial.failed.append(f"stopped by {error!r}")
        held = False
    return {
        **result,
        "now": "; ".join(trial.figures),
        "held": held,
        "failed": trial.failed,
        "seconds": round(time.monotonic() - began, 1),
    }
