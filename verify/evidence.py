"""Evidence: what a check found on one instance, in a form that can be stored and replayed."""

import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from verify.typed import build

Relation = Literal["<=", ">=", "=="]
Basis = Literal["certified", "exact", "statistical", "declared"]


@dataclass(frozen=True)
class Comparison:
    """The measured left side of a claim against one of its forms.

    Attributes:
        interpretation, form: what is judged.
        instance: the experiment in words; unique in the claim's check together with the inputs.
        inputs: the numbers that went into the formula and the experiment.
        measured: the left side; for a statistical basis its confidence limit on the safe side
            (a violation of the bound by `measured` is then significant at `level`).
        bound: value of the form (times the run's scale).
        relation: how the claim says that measured relates to bound.
        tolerance: relative tolerance (rounding of the exact side, never statistics).
        tight: best known form at the same inputs, if there is one.
        role: "bound" for the claim itself; "class" where a violation shows that no object
            satisfies the hypotheses; "control" for a comparison that must be violated for the
            experiment to be able to tell (a negative control).
        count: how many instances this one is the most extreme of.
        level: error probability of a statistical comparison.
        script: the name of a program (`verify.programs`) that reproduces a counterexample.
        on_data: whether it is of a run on data, not of a constructed instance.
        made_rows: whether it is of a run on rows that were made to come near the bound.
    """

    interpretation: str
    form: str
    instance: str
    inputs: Mapping[str, Any]
    measured: float
    bound: float
    relation: Relation = "<="
    tolerance: float = 1e-9
    basis: Basis = "exact"
    tight: float | None = None
    role: Literal["bound", "class", "control"] = "bound"
    count: int = 1
    level: float | None = None
    script: str | None = None
    on_data: bool = False
    made_rows: bool = False

    @property
    def violated(self) -> bool:
        """Whether measured and bound contradict the relation beyond the tolerance."""
        return bool(violates(self.measured, self.bound, self.relation, self.tolerance))

    @property
    def tells_less(self) -> bool:
        """Whether measured is a limit that lies below what is meant: it shows no attainment."""
        return self.basis == "statistical" and self.relation == "<="

    @property
    def attainment(self) -> float | None:
        """measured / tight: how close the experiment came to the best known bound."""
        reference = self.bound if self.tight is None else self.tight
        return _ratio(self.measured, reference)

    @property
    def slack(self) -> float | None:
        """bound / tight: how far the form is from the best known one."""
        return None if self.tight is None else _ratio(self.bound, self.tight)


@dataclass(frozen=True)
class Declaration:
    """A verdict that no experiment can give, with its reason.

    "not run" where nothing can be said: code of `simulators` that the check uses is wrong.
    """

    interpretation: str
    form: str
    word: Literal["unspecified", "not checkable", "ill-typed", "not run"]
    reason: str


@dataclass(frozen=True)
class Reproduction:
    """A table of printed numbers against the numbers that a form gives."""

    interpretation: str
    form: str
    rule: str
    rows: tuple[Mapping[str, Any], ...] = field(default=())

    @property
    def matched(self) -> int:
        return sum(bool(row["match"]) for row in self.rows)


@dataclass(frozen=True)
class Clash:
    """Terms of a form in units that disagree; beside other evidence, it decides no verdict."""

    interpretation: str
    form: str
    terms: tuple[str, ...]


Evidence = Comparison | Declaration | Reproduction | Clash
_TYPES: dict[str, Any] = {
    cls.__name__: cls for cls in (Comparison, Declaration, Reproduction, Clash)
}


def to_dict(evidence: Evidence) -> dict[str, Any]:
    """Plain data (JSON after infinities are spelled out) from which `from_dict` rebuilds it."""
    return {"type": type(evidence).__name__, **asdict(evidence)}


def from_dict(data: Mapping[str, Any]) -> Evidence:
    """The inverse of `to_dict`. Raises ValueError for data that no evidence has."""
    fields = dict(data)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in _TYPES:
        raise ValueError(f"type must be one of {', '.join(_TYPES)}, got {kind!r}")
    evidence: Evidence = build(_TYPES[kind], fields)
    if isinstance(evidence, Reproduction):
        if not all("match" in row for row in evidence.rows):
            raise ValueError("rows must say whether they match")
        return replace(evidence, rows=tuple(evidence.rows))
    if isinstance(evidence, Clash):
        return replace(evidence, terms=tuple(evidence.terms))
    return evidence


def violates(measured: Any, bound: Any, relation: Relation, tolerance: float) -> Any:
    """Whether, element by element, the relation fails by more than the relative tolerance."""
    if isinstance(measured, float) and isinstance(bound, float):
        return _violates(float(measured), float(bound), relation, tolerance)
    a, b = np.broadcast_arrays(np.asarray(measured, dtype=float), np.asarray(bound, dtype=float))
    # An infinite side gives no room: relative to it every finite number would be equal.
    size = np.maximum(np.where(np.isinf(a), 0, np.abs(a)), np.where(np.isinf(b), 0, np.abs(b)))
    # Below the least normal number floats lose their digits, whatever is computed.
    slack = tolerance * np.maximum(size, np.finfo(float).tiny)
    with np.errstate(invalid="ignore", over="ignore"):
        above, below = a > b + slack, a < b - slack
    if relation == "<=":
        return above
    return below if relation == ">=" else above | below


def _violates(a: float, b: float, relation: Relation, tolerance: float) -> bool:
    """The same of two numbers, without arrays."""
    size = max(0.0 if math.isinf(a) else abs(a), 0.0 if math.isinf(b) else abs(b))
    slack = tolerance * max(size, sys.float_info.min)
    above, below = a > b + slack, a < b - slack
    if relation == "<=":
        return above
    return below if relation == ">=" else above or below


def _ratio(top: float, bottom: float) -> float | None:
    # 0/0 and inf/inf count as attained; a finite number of infinity is a share of 0.
    if bottom == 0 or math.isinf(bottom):
        return 1.0 if top == bottom else None if bottom == 0 else 0.0
    return top / bottom
