"""Expected verdicts, a file beside the checks of each paper; only this comparison reads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import bounds
from simulators.disk import read_json
from verify.typed import insist

if TYPE_CHECKING:
    from verify.runner import Outcome

NAME = "expected.json"


@dataclass(frozen=True)
class Surprise:
    """A verdict that differs from the expected one."""

    claim: str
    key: str
    expected: str
    found: str


def load(file: Path | None = None) -> dict[str, dict[str, str]]:
    """Map claim id -> "reading.form" -> expected word, from one file or all shipped ones.

    Raises:
        ValueError: the file is missing or not such a map.
    """
    files = [file] if file else _shipped()
    table: dict[str, dict[str, str]] = {}
    for path in files:
        try:
            data = read_json(path)
            for id, words in insist("a file", data, dict).items():
                for key, word in insist(id, words, dict).items():
                    insist(f"{id} {key}", word, str)
            table.update(data)
        except (OSError, ValueError) as error:
            raise ValueError(
                "expected must be a JSON file {claim: {reading.form: word}}, "
                f"got {path}: {error}"
            ) from error
    return table


def _shipped() -> list[Path]:
    """The file beside the checks of every paper that has one."""
    homes = [import_module(paper.checks) for paper in bounds.papers() if paper.checks]
    files = [Path(home.__file__ or "").parent / NAME for home in homes]
    return [file for file in files if file.is_file()]


def surprises(outcomes: Iterable[Outcome], expected: dict[str, dict[str, str]]) -> list[Surprise]:
    """Every (claim, reading, form) whose verdict is not the expected one."""
    found = []
    for outcome in outcomes:
        wanted = expected.get(outcome.claim.id, {})
        words = {v.key: v.word for v in outcome.verdicts}
        if outcome.error:
            words = dict.fromkeys(words, "error")
        for key in words | wanted:
            if words.get(key) != wanted.get(key):
                found.append(
                    Surprise(outcome.claim.id, key, wanted.get(key, "none"), words.get(key, "none"))
                )
    return found
