"""What checking a claim came to: its evidence, the verdicts, and one word for all of them."""

from __future__ import annotations

from dataclasses import dataclass

from bounds import Statement
from verify.evidence import Evidence
from verify.interpretations import counted, decision, disagreement, headline
from verify.verdict import Verdict, verdicts


@dataclass(frozen=True)
class Outcome:
    """A claim with its evidence and verdicts; `error` holds a traceback if the check broke."""

    claim: Statement
    evidence: tuple[Evidence, ...]
    verdicts: tuple[Verdict, ...]
    seconds: float
    error: str | None = None

    @property
    def words(self) -> dict[str, str]:
        """ "interpretation.form" -> word."""
        return {v.key: v.word for v in self.verdicts}

    @property
    def headline(self) -> str:
        """One word for the claim: "mixed" where interpretations of what is printed disagree."""
        return "error" if self.error else headline(self.claim, self.words)

    @property
    def leading(self) -> Verdict:
        """The verdict of the paper's own form under the first interpretation that counts."""
        interpretation = next(iter(counted(self.claim, self.words)))
        mine = [v for v in self.verdicts if v.interpretation == interpretation]
        return next((v for v in mine if v.form == self.claim.own_form), mine[0])

    @property
    def decision(self) -> str:
        """Which interpretation decides the headline, and what the others that count say."""
        return "" if self.error else decision(self.claim, self.words)

    @property
    def disagreement(self) -> str:
        """The interpretations by their words where the headline is "mixed"; else nothing."""
        return disagreement(self.claim, self.words) if self.headline == "mixed" else ""


def outcome_of(
    claim: Statement, evidence: list[Evidence], seconds: float, error: str | None
) -> Outcome:
    """A claim's evidence (as `run_claim` returns it) with the verdicts that follow from it."""
    judged = tuple(verdicts(claim, evidence))
    return Outcome(claim, tuple(evidence), judged, seconds, error)
