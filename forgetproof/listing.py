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
    raise ValueError(f"must be one of {', '.join(papers())}, got {name!r}{how_to_install()}")


def how_to_install() -> str:
    """What to add to a complaint where none of the project's papers is installed; else empty."""
    return str(_told()["how to install"])


def expected() -> dict[str, dict[str, str]]:
    """Claim id -> "interpretation.form" -> expected verdict, of all papers."""
    entries: dict[str, dict[str, str]] = _told()["expected"]
    return entries


def origins() -> dict[str, str]:
    """Claim id -> whose statement it is: "paper", or "ours" beside it."""
    entries: dict[str, str] = _told()["origins"]
    return entries


def broken() -> dict[str, str]:
    """What of a third party's cannot be used, each with why in a line."""
    entries: dict[str, str] = _told()["broken"]
    return entries


@cache
def _told() -> dict[str, Any]:
    # Ours first, then the caller's path, on which third-party papers lie.
    path = os.pathsep.join([HOME, *filter(None, sys.path)])
    # -P: without the working directory in front, which may hold modules of these names.
    process = subprocess.run(
        [sys.executable, "-P", "-m", __name__],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if process.returncode:
        raise RuntimeError(f"claims cannot be listed: {process.stderr.strip().splitlines()[-1]}")
    # The last line alone: what a third-party package prints as it is imported comes before.
    listing: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return listing


def _tell() -> dict[str, Any]:
    import bounds
    from bounds import library
    from verify.expectation import load

    words = load()
    return {
        "papers": {p.key: sorted(p.names) for p in bounds.papers()},
        "expected": {id: words.get(id, {}) for id in bounds.ids()},
        "origins": {s.id: s.origin for s in bounds.statements()},
        "broken": bounds.broken(),
        "how to install": library.how_to_install(),
    }


if __name__ == "__main__":
    print(json.dumps(_tell()))
