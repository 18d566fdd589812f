"""Expected verdicts, a file beside the checks of each paper; only this comparison reads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import bounds
from bounds import Paper
from bounds.library import blame
from simulators.data.disk import read_json
from verify.typed import insist

if TYPE_CHECKING:
    from verify.outcome import Outcome

NAME = "expected.json"


@dataclass(frozen=True)
class Surprise:
    """A verdict that differs from the expected one."""

    claim: str
    key: str
    expected: str
    found: str


def load(file: Path | None = None) -> dict[str, dict[str, str]]:
    """Map claim id -> "interpretation.form" -> expected word, from one file or all shipped ones.

    Raises:
        ValueError: the file, or one of ours, is missing or not such a map.
    """
    if file:
        return _read(file)
    table: dict[str, dict[str, str]] = {}
    for paper in bounds.papers():
        table.update(of_paper(paper))
    return table


def of_paper(paper: Paper) -> dict[str, dict[str, str]]:
    """The same map, of the claims of one paper; ValueError where one of ours has none."""
    try:
        return _read(beside) if (beside := _shipped(paper)) else {}
    except Exception as error:  # a third-party package may fail in any way
        if not paper.foreign:
            raise
        blame(f"{NAME} of {paper.distribution}", error)
        return {}


def _read(path: Path) -> dict[str, dict[str, str]]:
    """The map in a file, the caller's own; the file is read again only where it changed."""
    try:
        status = path.stat()
        data = _parsed(path, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"expected must be a JSON file {{claim: {{interpretation.form: word}}}}, got {path}: "
            f"{error}"
        ) from error
    return {id: dict(words) for id, words in data.items()}


@lru_cache(maxsize=64)
def _parsed(path: Path, _changed: int, _size: int) -> dict[str, dict[str, str]]:
    data: dict[str, dict[str, str]] = insist("a file", read_json(path), dict)
    for id, words in data.items():
        for key, word in insist(id, words, dict).items():
            insist(f"{id} {key}", word, str)
    return data


def folders_of_checks(paper: Paper) -> list[Path]:
    """Where the checks of a paper lie; none of them is imported."""
    spec = find_spec(paper.checks) if paper.checks else None
    return [Path(place) for place in (spec and spec.submodule_search_locations) or ()]


def _shipped(paper: Paper) -> Path | None:
    """The file beside the checks of a paper, if there is one."""
    candidates = (folder / NAME for folder in folders_of_checks(paper))
    return next((file for file in candidates if file.is_file()), None)


def surprises(outcomes: Iterable[Outcome], expected: dict[str, dict[str, str]]) -> list[Surprise]:
    """Every (claim, interpretation, form) whose verdict is not the expected one."""
    mismatches = []
    for outcome in outcomes:
        target = expected.get(outcome.claim.id, {})
        words = {v.key: v.word for v in outcome.verdicts}
        if outcome.error:
            words = dict.fromkeys(words | target, "error")
        for key in words | target:
            if words.get(key) != target.get(key):
                mismatches.append(
                    Surprise(outcome.claim.id, key, target.get(key, "none"), words.get(key, "none"))
                )
    return mismatches
