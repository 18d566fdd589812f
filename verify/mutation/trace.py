"""Which functions of the shipped source a claim's check runs, and how long the check takes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import accounting
import bounds
import simulators
from verify import checks
from verify.oracles import departure
from verify.runner import Settings, run_claim

ROOT = Path(bounds.__file__ or "").parent.parent
FOLDERS = tuple(str(Path(p.__file__ or "").parent) + "/" for p in (accounting, bounds, simulators))

# (file relative to the project, qualified name of a function) -> claim -> seconds of its check
Users = dict[tuple[str, str], dict[str, float]]


def users(
    ids: Iterable[str],
    progress: Callable[[str], None] | None = None,
    settings: Settings | None = None,
) -> Users:
    """Runs the checks and notes the functions of ours that each one calls.

    Raises RuntimeError if a check breaks: nothing can be said of mutants then.
    """
    found: Users = {}
    for id in ids:
        name = bounds.get(id).id
        checks.check(bounds.get(id))  # imports are not calls of the check
        departure(checks.module(bounds.get(id)).__name__)  # nor are equalities
        called, (_, seconds, error) = _calls(partial(run_claim, name, settings or Settings()))
        if error:
            raise RuntimeError(f"the check of {name} breaks: {error.strip().splitlines()[-1]}")
        for key in called:
            found.setdefault(key, {})[name] = seconds
        if progress:
            progress(name)
    return found


def _calls(work: Callable[[], Any]) -> tuple[set[tuple[str, str]], Any]:
    """What `work` returns, and the (file, function) pairs of ours that were called meanwhile."""
    codes = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        result = work()
    finally:
        sys.setprofile(before)
    return {
        (str(Path(c.co_filename).relative_to(ROOT)), c.co_qualname.split(".<locals>")[0])
        for c in codes
        if c.co_filename.startswith(FOLDERS)
    }, result
