"""Which papers and claims there are, and what is expected of them, without importing any of them.

An interpreter of its own is asked, once: papers are found by importing packages, some with names
that a user's own module could bear.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

HOME = str(Path(__file__).resolve().parent.parent)


def papers() -> tuple[str, ...]:
    """The papers, by key."""
    return tuple(_told()["papers"])


def paper(name: str) -> str:
    """The key of the paper of this key, alias, title or arXiv number. ValueError if none is."""
    for key, names in _told()["papers"].items():
        if name.lower() in names:
            return str(key)
    raise ValueError(f"must be one of {', '.join(papers())}, got {name!r}")


def expected() -> dict[str, dict[str, str]]:
    """Claim id -> "reading.form" -> expected verdict, of all papers."""
    found: dict[str, dict[str, str]] = _told()["expected"]
    return found


def origins() -> dict[str, str]:
    """Claim id -> whose statement it is: "paper", or "ours" beside it."""
    found: dict[str, str] = _told()["origins"]
    return found


def broken() -> dict[str, str]:
    """What of a stranger's cannot be used, each with why in a line."""
    found: dict[str, str] = _told()["broken"]
    return found


@cache
def _told() -> dict[str, Any]:
    path = os.pathsep.join([HOME, *filter(None, sys.path)])
    found = subprocess.run(
        [sys.executable, "-P", "-m", __name__],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if found.returncode:
        raise RuntimeError(f"claims cannot be listed: {found.stderr.strip().splitlines()[-1]}")
    told: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return told


def _tell() -> dict[str, Any]:
    import bounds
    from verify.expectation import load

    words = load()
    return {
        "papers": {p.key: sorted(p.names) for p in bounds.papers()},
        "expected": {id: words.get(id, {}) for id in bounds.ids()},
        "origins": {s.id: s.origin for s in bounds.statements()},
        "broken": bounds.broken(),
    }


if __name__ == "__main__":
    print(json.dumps(_tell()))
