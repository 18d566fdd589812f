"""What is known of a claim's verdict, as far as a picture shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import bounds
from bounds import Statement
from verify import checks
from verify.context import Context
from verify.evidence import Comparison, Evidence, Relation
from verify.expectation import load
from verify.interpretations import AGAINST, counted, headline, is_green
from verify.measurements import on_data
from verify.record import of_claim, sources
from verify.verdict import verdicts

if TYPE_CHECKING:
    from verify.outcome import Outcome

MOST = 400  # comparisons that a picture may show
BRIEF = 60  # of them on a page


@dataclass(frozen=True)
class Told:
    """The verdict in words, and the interpretation and form that decide it.

    `verdict` names the interpretations where they differ, `headline` is the one word for the claim.
    `evidence` is all that was compared, where a check was run: first what decides, then what else
    contradicts the same form under the same interpretation. `run`: whether the verdict is that of a
    run; else it is that of the `recorded_run`, as this text says it, or the expected one where
    nothing was recorded. `seed` is the run's.
    """

    verdict: str
    interpretation: str
    form: str
    relation: Relation
    refutes: bool
    evidence: tuple[Comparison, ...] = ()
    run: bool = False
    headline: str = ""
    recorded_run: str = ""
    seed: int = 0

    @property
    def said(self) -> str:
        """The verdict in one word; what is only expected is never said as if it had been found."""
        if self.run or self.recorded_run:
            return self.headline or "not run"
        return f"expected: {self.headline}, not run" if self.headline else "not run"

    @property
    def against(self) -> tuple[Comparison, ...]:
        """What contradicts the form that decides, the worst first."""
        return tuple(
            c for c in self.evidence if c.violated and (c.interpretation, c.form) == self.key
        )

    def _as_shown(self) -> Told:
        """With the relation that what contradicts the form was compared with."""
        relation = next((c.relation for c in self.against), self.relation)
        return replace(self, relation=relation)

    def brief(self) -> Told:
        """With less evidence: what a page needs."""
        return replace(self, evidence=self.evidence[:BRIEF])

    @property
    def key(self) -> tuple[str, str]:
        """The interpretation and the form."""
        return self.interpretation, self.form


def told(claim: Statement, outcome: Outcome | None = None, seed: int = 0) -> Told:
    """Of a run's outcome, or else of the recorded run, or else the verdict that is expected.

    The interpretation that decides is the first that contradicts the paper's own form: one that
    counts, or else a gap or a repair; without any it is the first that counts.
    """
    words = _expected().get(claim.id, {}) if outcome is None else outcome.words
    own = claim.own_form
    interpretation_words = {
        r.name: words.get(f"{r.name}.{own}", "") for r in claim.interpretations if own in r.forms
    }
    first = next(iter(counted(claim, words)))
    # Interpretations that count first, then gaps and repairs.
    candidates = (*counted(claim, words), *interpretation_words)
    interpretation = next((r for r in candidates if interpretation_words.get(r) in AGAINST), first)
    relations = claim.interpretation(interpretation).relations
    form = own if own in relations else next(iter(relations))
    evidence: tuple[Comparison, ...] = ()
    word, recorded_run = headline(claim, words) if words else "", ""
    if outcome is None:
        word, recorded_run, seed = _recorded(claim, word)
    else:
        word = outcome.headline
        evidence = _sorted(claim, outcome.evidence, (interpretation, form))
        if outcome.error:
            interpretation_words = dict.fromkeys(interpretation_words, "error")
    return Told(
        _said(claim, words, interpretation_words) if any(interpretation_words.values()) else "",
        interpretation,
        form,
        relations[form],
        interpretation_words.get(interpretation) in AGAINST,
        evidence,
        outcome is not None,
        word,
        recorded_run,
        seed,
    )._as_shown()


def _recorded(claim: Statement, expected: str) -> tuple[str, str, int]:
    """Headline, run and seed by the record; the expected headline without a run if it has none."""
    entry = of_claim(claim)
    if entry is None:
        return expected, "", 0
    run = f"run of {entry.date}, {entry.profile} profile, forgetproof {entry.version}"
    if entry.sources != sources(claim):
        run = f"{run}, checked before its formula was last changed"
    return entry.headline, run, entry.seed


def gathered(claim: Statement) -> Told:
    """The expected verdict, with what is compared where the picture needs it.

    That is where the verdict contradicts a form, nothing says at which inputs to draw, or no exact
    side measures there. Runs on data are left out where a declared plot has what its check
    contradicts.
    """
    verdict = told(claim)
    if not bounds.paper(claim.paper).checks:
        return verdict
    has_exact_side = checks.check(claim).exact_side is not None
    if has_exact_side and claim.plot is not None and claim.forms and not verdict.refutes:
        return verdict
    evidence: list[Evidence] = []
    # Cheaper evidence first; runs on data only where the check has not said enough.
    for more in (checks.check(claim), on_data):
        evidence += more(Context(claim))
        verdict = replace(verdict, evidence=_sorted(claim, evidence, verdict.key))._as_shown()
        enough = not verdict.refutes or (verdict.against and claim.plot is not None)
        if has_exact_side and verdict.evidence and enough:
            break
    return verdict


def _said(claim: Statement, words: Mapping[str, str], found: Mapping[str, str]) -> str:
    """One word where all interpretations agree; else the headline, and each of them by its word."""
    by_word: dict[str, list[str]] = {}
    for name, word in found.items():
        by_word.setdefault(word or "not run", []).append(name)
    if len(by_word) == 1:
        return next(iter(by_word))
    ordered = sorted(by_word, key=is_green)
    interpretations = "; ".join(f"{word}: {', '.join(by_word[word])}" for word in ordered)
    first = headline(claim, words)
    return interpretations if first == ordered[0] else f"{first} ({interpretations})"


def _sorted(
    claim: Statement, evidence: Sequence[Evidence], key: tuple[str, str]
) -> tuple[Comparison, ...]:
    worst = next(
        (v.worst for v in verdicts(claim, evidence) if (v.interpretation, v.form) == key), None
    )
    mine = [e for e in evidence if isinstance(e, Comparison) and e.role != "control"]
    # Stable: what decides, what contradicts the same form, then the rest in the order it came.
    mine.sort(key=lambda c: (c != worst, not (c.violated and (c.interpretation, c.form) == key)))
    return tuple(mine[:MOST])


@cache
def _expected() -> dict[str, dict[str, str]]:
    return load(None)
