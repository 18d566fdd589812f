"""What the paper leaves open or prints wrongly in SAFE, one choice each."""

from __future__ import annotations

from dataclasses import dataclass

from accounting.numerics import validation
from simulators.streaming.statistics import UPDATES

STANDARDISE = ("once", "none", "per-round")
SCOPES = ("all", "estimated", "round")
RATIOS = ("classes", "own")


@dataclass(frozen=True)
class AlgorithmVariant:
    """One way to run Algorithm 1 of safe.

    update: "exact" moments of the kept rows, or the "printed" eqs 22 and 23.
    ddof: of the covariances, 0 or 1 (the printed update: 1).
    standardise: "once", with the statistics of D_0; "none", z = V^T x, which has the same ratios;
        or eq 21 with each class's statistics of the round, "per-round": the ratio of the standard
        normal densities of the two standardised points, without the Jacobian.
    scope: the rows that the forgetting term is about in round t.
        "all": F_1..F_t with q of round t (eq 25).
        "estimated": F_1..F_t, each row with q of the round in which it left (line 8: q is
        estimated for the rows of F_t, and eq 25 sums over all).
        "round": F_t alone, divided by m_t.
    ratio: q of all "classes", or of the row's "own" label (eq 24 word by word: no gradient).
    """

    update: str = "exact"
    ddof: int = 1
    standardise: str = "once"
    scope: str = "all"
    ratio: str = "classes"

    def __post_init__(self) -> None:
        validation.choice("update", self.update, UPDATES)
        validation.count("ddof", self.ddof, low=0, high=1)
        validation.choice("standardise", self.standardise, STANDARDISE)
        validation.choice("scope", self.scope, SCOPES)
        validation.choice("ratio", self.ratio, RATIOS)
        if self.update == "printed" and self.ddof != 1:
            raise ValueError("ddof must be 1 for the printed update, got 0")


CORRECTED = AlgorithmVariant()
PRINTED = AlgorithmVariant(update="printed")
VARIANTS = {"corrected": CORRECTED, "printed": PRINTED}


def variant_named(variant: object) -> AlgorithmVariant:
    """A variant, or the one of that name; ValueError for anything else."""
    if isinstance(variant, AlgorithmVariant):
        return variant
    return VARIANTS[validation.choice("variant", variant, tuple(VARIANTS))]
