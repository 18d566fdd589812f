"""Which claims there are, and what is expected of them, without importing any of them.

The files of expected verdicts name every claim. Reading them costs milliseconds and loads no
package whose name a user's own module could bear.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "verify" / "expected"


@cache
def papers() -> tuple[str, ...]:
    """The papers, by name."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def expected() -> dict[str, dict[str, str]]:
    """Claim id -> "reading.form" -> expected verdict, of all papers."""
    return {
        id: verdicts
        for paper in papers()
        for id, verdicts in json.loads((FOLDER / f"{paper}.json").read_text("utf-8")).items()
    }
