"""Why a claim is false or open: the edits after which it would be the number of what runs.

A reason is a counterfactual. One edit is tried before two. An edit counts where the certified
number of the edited mechanism is the claimed one to 1 %, on the claim's own scale; one that the
claim itself bills counts where the claim then holds. What merely makes a claim true, such as ten
times the noise, is no reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from accounting.mechanism import ClaimVerdict, Maps, Mechanism, PrivacyClaim
from forgetproof.linting.edits import MechanismEdit, edits
from forgetproof.linting.findings import shown_up

CLOSE = 0.01
CLOSER = 0.001
"""Of two edits at once, of which some come near any number by chance."""
STRUCTURAL = frozenset({"FP201", "FP202", "FP203", "FP207", "FP209"})
"""Slips of a field that is a word. Of gradient steps, whose numbers are dear, only they pair."""


@dataclass(frozen=True)
class Reason:
    """Edits that give the claimed number, and the number that they give."""

    edits: tuple[MechanismEdit, ...]
    number: float

    @property
    def words(self) -> str:
        """What would have to be so, and the number that is certified then."""
        effect = "hold" if all(edit.billed for edit in self.edits) else "be the number"
        conditions = " and ".join(edit.words for edit in self.edits)
        return f"would {effect} if {conditions}: {shown_up(self.number)}"


def reason(mechanism: Mechanism, claim: PrivacyClaim) -> Reason | None:
    """The closest of the fewest edits that give the claimed number; None where none does.

    Of a draft there is no reason: what is not known may be as it was billed.
    """
    if mechanism.draft:
        return None
    alone = replace(claim, made_from=None, billed=())
    every = list(edits(mechanism, claim))
    words = [(edit,) for edit in every if edit.billed or edit.code in STRUCTURAL]
    numbers = [(edit,) for edit in every if not (edit.billed or edit.code in STRUCTURAL)]
    # A field that is another word is a reason before a number that happens to fit.
    for tried, close in ((words, CLOSE), (numbers, CLOSE), (_pairs(mechanism, every), CLOSER)):
        fitting = list(_giving(mechanism, alone, tried, close))
        if fitting:
            # What the claim bills comes first, then the closest.
            return min(fitting, key=lambda pair: pair[0])[1]
    return None


def _pairs(mechanism: Mechanism, every: list[MechanismEdit]) -> Iterator[tuple[MechanismEdit, ...]]:
    """Two edits of different fields."""
    cheap = all(isinstance(step, Maps) for step in mechanism.steps)
    usable = [edit for edit in every if cheap or edit.billed or edit.code in STRUCTURAL]
    yield from (pair for pair in combinations(usable, 2) if pair[0].key != pair[1].key)


def _giving(
    mechanism: Mechanism,
    claim: PrivacyClaim,
    tried: Iterable[tuple[MechanismEdit, ...]],
    close: float,
) -> Iterator[tuple[tuple[bool, float], Reason]]:
    """The reasons among these edits, each with what it is sorted by."""
    for several in tried:
        verdict = _verdict(mechanism, claim, several)
        if verdict is None:
            continue
        upper, claimed = verdict.comparison.upper, verdict.comparison.claimed
        if not 0 < upper < math.inf or not claimed > 0:
            continue
        apart = abs(math.log(upper / claimed))
        stated = all(edit.billed for edit in several)
        if apart <= close or (stated and verdict.word in ("holds", "conditional")):
            yield (not stated, apart), Reason(several, upper)


def _verdict(
    mechanism: Mechanism, claim: PrivacyClaim, several: tuple[MechanismEdit, ...]
) -> ClaimVerdict | None:
    """The verdict of the claim, were these edits made; None where they do not fit."""
    edited = replace(mechanism, claims=(claim,), places=())
    try:
        for edit in several:
            edited = edit.change(edited)
    except (ValueError, TypeError):
        return None
    if edited == replace(mechanism, claims=(claim,), places=()):
        return None
    (verdict,) = edited.verdicts()
    return verdict
