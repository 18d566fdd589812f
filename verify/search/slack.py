"""How far a claim is from being violated: log(measured) - log(bound), at inputs of one form."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from bounds import Statement
from verify.evidence import Basis, Relation, violates
from verify.search.domain import Domain, Point

Kind = Literal["counterexample", "inconsistent forms"]
CAP = 700.0  # slack beyond any ratio of floats
TINY = sys.float_info.min  # below it floats lose their digits, whatever is computed
ROUNDING = 64 * sys.float_info.epsilon  # of numbers that an exact side subtracts, as a share
UNMEASURED = (ArithmeticError, TypeError, IndexError, MemoryError, np.linalg.LinAlgError)


@dataclass(frozen=True)
class SlackTarget:
    """One form under one interpretation, with the left side it must bound.

    Attributes:
        claim, interpretation, form: what may be violated.
        relation, tolerance, basis: as in the check's comparisons of this form.
        left: the measured side, from inputs by name.
        source: "measure", or the name of the attained form that stands in for it.
        domain: where to search.
        attained: form that the check found equal to the left side somewhere, if any.
        seed: random seed that the exact side takes, if it samples.
        starts: inputs of the claim's plot and of its check's comparisons, all admissible.
        closest: those of the comparison that came closest to this form, first of all or none.
        noise: absolute error of the left side at inputs; sides closer than it are equal.
    """

    claim: Statement
    interpretation: str
    form: str
    relation: Relation
    tolerance: float
    basis: Basis
    left: Callable[..., Any]
    source: str
    domain: Domain
    attained: str | None = None
    seed: int | None = None
    starts: tuple[Point, ...] = ()
    noise: Callable[[Mapping[str, Any]], float] = lambda point: 0.0
    closest: tuple[Point, ...] = ()

    @property
    def kind(self) -> Kind:
        return "counterexample" if self.source == "measure" else "inconsistent forms"

    def sides(self, point: Mapping[str, Any], scale: float = 1.0) -> tuple[float, float]:
        """Measured and bound at these inputs; equal where they differ by the exact side's noise
        only.

        Raises ValueError where either is undefined.
        """
        form = self.claim[self.form]
        # `scale` tightens or loosens the bound: used to ask what a smaller constant would do.
        bound = float(form(**{k: v for k, v in point.items() if k in form.arguments})) * scale
        try:
            with np.errstate(all="ignore"):
                measured = float(self.left(**taken(self.left, point, self.seed)))
        except UNMEASURED as error:
            raise ValueError(f"{self.claim.id}: no measurement at {dict(point)}: {error}") from None
        if math.isnan(measured):
            raise ValueError(f"{self.claim.id}: the measurement is not a number at {dict(point)}")
        # Within the exact side's error nothing can be told: such sides count as equal, whichever is
        # larger.
        if abs(measured - bound) <= self.noise(point):
            return bound, bound
        return measured, bound

    def slack(self, point: Mapping[str, Any], scale: float = 1.0) -> float:
        """Positive where the relation fails: the logarithm of the ratio by which it does.

        Where the two sides are not both positive, their difference over the larger size.
        """
        measured, bound = self.sides(point, scale)
        return slack(measured, bound, self.relation)

    def fails(self, sides: tuple[float, float], margin: float) -> bool:
        """Whether the relation fails by more than the check's tolerance and the margin."""
        return bool(violates(*sides, self.relation, max(self.tolerance, margin)))

    def reseeded(self, seed: int) -> SlackTarget:
        """The same target whose sampling exact side draws afresh."""
        return replace(self, seed=seed)


def slack(measured: float, bound: float, relation: Relation) -> float:
    """log(measured/bound) for "<=", its negative for ">=", its size for "=="; within +-700.

    Sides that are not both positive have their difference over the larger size instead.
    """
    # Subnormal sides have lost their digits: their ratio means nothing.
    if measured == bound or max(abs(measured), abs(bound)) < TINY:
        return 0.0
    if measured > 0 and bound > 0:
        # A difference of logarithms, as the ratio itself may overflow.
        difference = math.log(measured) - math.log(bound)
    else:
        size = max(abs(measured), abs(bound))
        difference = (
            math.copysign(CAP, measured - bound) if math.isinf(size) else (measured - bound) / size
        )
    difference = min(max(difference, -CAP), CAP)
    return {"<=": difference, ">=": -difference, "==": abs(difference)}[relation]


def taken(left: Callable[..., Any], point: Mapping[str, Any], seed: int | None) -> Point:
    """The inputs that an exact side takes."""
    parameters = (
        dict.fromkeys(left.arguments)
        if hasattr(left, "arguments")
        else inspect.signature(left).parameters
    )
    # None stands for a name without a kind: forms list names, functions list parameters.
    whole = any(p is not None and p.kind is p.VAR_KEYWORD for p in parameters.values())
    arguments = {k: v for k, v in point.items() if whole or k in parameters}
    if seed is not None and "seed" in parameters:
        arguments["seed"] = seed
    return arguments
