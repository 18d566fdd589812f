"""Running a check again to see its deciding comparisons, and whether stored numbers come back."""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bounds
from bounds import Statement
from verify.evidence import Comparison, from_dict
from verify.jsonio import SCHEMA, load
from verify.outcome import Outcome
from verify.report.document import counterexample, program
from verify.runner import Settings, fresh_outcome
from verify.typed import insist
from verify.verdict import Verdict

TOLERANCE = 1e-9


class BrokenCheck(RuntimeError):
    """A check raised; the message is the last line of its traceback."""


@dataclass(frozen=True)
class Stored:
    """A verdict of an earlier run: its word, its deciding comparison, and the run's settings."""

    claim: str
    interpretation: str
    form: str
    word: str
    comparison: Comparison | None
    settings: Settings


@dataclass(frozen=True)
class Replayed:
    """A verdict reached again; `reproduced` is None where nothing was stored."""

    claim: Statement
    verdict: Verdict
    script: str | None
    stored: Stored | None
    reproduced: bool | None

    @property
    def refutes(self) -> bool:
        return counterexample(self.verdict) is not None


def read(path: Path) -> list[Stored]:
    """The verdicts in a `results.json`, or the one in a counterexample's file.

    Raises:
        ValueError: the file cannot be read or is neither.
    """
    try:
        # A file from elsewhere: every field may be missing or of another type.
        data = load(path)
        if data["schema"] != SCHEMA:
            raise ValueError(f"its schema is {data['schema']!r}, not {SCHEMA!r}")
        if "comparison" in data:
            return [_stored_case(data)]
        settings = _settings(data["manifest"])
        return [
            _stored_verdict(c["id"], v, settings) for c in data["claims"] for v in c["verdicts"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"file must be a results.json or a counterexample that `forgetproof verify` wrote, "
            f"got {path}: {error}"
        ) from error


def replay(stored: Sequence[Stored]) -> list[Replayed]:
    """Runs the claims' checks again under the stored settings; counterexamples come first.

    Raises:
        ValueError: a claim is unknown.
        BrokenCheck: a check raised.
    """
    # One run for each claim and settings, however many of its verdicts are stored.
    fresh = {key: _outcome(*key) for key in dict.fromkeys((s.claim, s.settings) for s in stored)}
    return _ordered(_against(s, fresh[s.claim, s.settings]) for s in stored)


def rerun(id: str, settings: Settings) -> list[Replayed]:
    """Every verdict of a claim, reached again with nothing stored to compare it with."""
    outcome = _outcome(id, settings)
    return _ordered(
        Replayed(outcome.claim, v, program(outcome, v), None, None) for v in outcome.verdicts
    )


def _ordered(found: Iterable[Replayed]) -> list[Replayed]:
    return sorted(found, key=lambda r: not r.refutes)


def _outcome(id: str, settings: Settings) -> Outcome:
    claim = bounds.get(id)
    outcome = fresh_outcome(claim, settings)
    if outcome.error:
        last = outcome.error.strip().splitlines()[-1]
        raise BrokenCheck(f"the check of {claim.id} broke: {last}")
    return outcome


def _against(stored: Stored, outcome: Outcome) -> Replayed:
    key = f"{stored.interpretation}.{stored.form}"
    verdict = next((v for v in outcome.verdicts if v.key == key), None)
    if verdict is None:
        raise ValueError(f"{stored.claim} has no {key}: the file is of another version")
    same = verdict.word == stored.word
    # The same word is not enough: the deciding numbers must come back.
    if stored.comparison is not None:
        same = same and any(_equal(stored.comparison, e) for e in outcome.evidence)
    return Replayed(outcome.claim, verdict, program(outcome, verdict), stored, same)


def _equal(stored: Comparison, fresh: object) -> bool:
    """Whether it is the same comparison with the same numbers."""
    return (
        isinstance(fresh, Comparison)
        and (stored.interpretation, stored.form, stored.instance, stored.role)
        == (fresh.interpretation, fresh.form, fresh.instance, fresh.role)
        and _close(stored.measured, fresh.measured)
        and _close(stored.bound, fresh.bound)
        and stored.inputs.keys() == fresh.inputs.keys()
        and all(_close(stored.inputs[k], fresh.inputs[k]) for k in stored.inputs)
    )


def _close(first: Any, second: Any) -> bool:
    if isinstance(first, int | float) and isinstance(second, int | float):
        with suppress(OverflowError):  # integers beyond the range of floats are compared as such
            return math.isclose(first, second, rel_tol=TOLERANCE)
        return first == second
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(_close, first, second))
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        # JSON has texts for keys where hits have numbers.
        keys = {str(k): v for k, v in second.items()}
        return first.keys() == keys.keys() and all(_close(first[k], keys[k]) for k in first)
    return bool(first == second)


def _settings(data: Mapping[str, Any]) -> Settings:
    # A name of any accelerator was stored: whichever is here takes its place.
    device = "cpu" if data["device"] == "cpu" else "cuda"
    if device == "cuda":
        from simulators.device.placement import device_named

        device_named(device)
    return Settings(data["profile"], data["seed"], data["scale"], device=device)


def _stored_case(data: Mapping[str, Any]) -> Stored:
    comparison = _comparison(data["comparison"])
    settings = _settings(data)
    claim, word = (insist(name, data[name], str) for name in ("claim", "word"))
    return Stored(claim, comparison.interpretation, comparison.form, word, comparison, settings)


def _stored_verdict(id: str, data: Mapping[str, Any], settings: Settings) -> Stored:
    worst = _comparison(data["worst"]) if data["worst"] else None
    interpretation, form, word = (
        insist(name, data[name], str) for name in ("interpretation", "form", "word")
    )
    return Stored(insist("id", id, str), interpretation, form, word, worst, settings)


def _comparison(data: Mapping[str, Any]) -> Comparison:
    record = from_dict(data)
    if not isinstance(record, Comparison):
        raise ValueError("it holds no comparison")
    return record
