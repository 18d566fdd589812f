"""Why a claim is false or open: the edits after which it would be the number of what runs.

A reason is a counterfactual. One edit is tried before two. An edit counts where the certified
number of the edited mechanism is the claimed one to 1 %, on the claim's own scale; one that the
claim itself bills counts where the claim then holds. What merely makes a claim true, such as ten
times the noise, is no reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from accounting.mechanism import ClaimVerdict, Mechanism, PrivacyClaim
from forgetproof.linting.edits import Edit, edits

CLOSE = 0.01
MOST_PAIRS = 30
"""Of two edits at once: each is a number to compute."""


@dataclass(frozen=True)
class Reason:
    """Edits that give the claimed number, and the number that they give."""

    edits: tuple[Edit, ...]
    number: float

    @property
    def words(self) -> str:
        """What would have to be so, after "if"."""
        return " and ".join(edit.words for edit in self.edits)


def reason(mechanism: Mechanism, claim: PrivacyClaim) -> Reason | None:
    """The closest of the fewest edits that give the claimed number; None where none does.

    Of a draft there is no reason: what is not known may be as it was billed.
    """
    if mechanism.draft:
        return None
    alone = replace(claim, made_from=None, billed=())
    every = list(edits(mechanism, claim))
    for tried in (
        [(edit,) for edit in every],
        [pair for pair in combinations(every, 2) if pair[0].key != pair[1].key][:MOST_PAIRS],
    ):
        found = list(_giving(mechanism, claim, alone, tried))
        if found:
            # What the claim bills comes first, then the closest.
            return min(found, key=lambda pair: pair[0])[1]
    return None


def _giving(
    mechanism: Mechanism,
    claim: PrivacyClaim,
    alone: PrivacyClaim,
    tried: Sequence[tuple[Edit, ...]],
) -> Iterator[tuple[tuple[bool, float], Reason]]:
    """The reasons among these edits, each with what it is sorted by."""
    billed = {path for path, _ in claim.billed}
    for several in tried:
        verdict = _verdict(mechanism, alone, several)
        if verdict is None:
            continue
        upper, claimed = verdict.comparison.upper, verdict.comparison.claimed
        if not 0 < upper < math.inf or not claimed > 0:
            continue
        apart = abs(math.log(upper / claimed))
        stated = all(edit.key in billed for edit in several)
        if apart <= CLOSE or (stated and verdict.word in ("holds", "conditional")):
            yield (not stated, apart), Reason(several, upper)


def _verdict(
    mechanism: Mechanism, claim: PrivacyClaim, several: tuple[Edit, ...]
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
