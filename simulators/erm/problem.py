"""Any model after the fact: how far it is from exact retraining, and the noise that hides it.

F is the objective after the request: a deletion, or rows added.  How far v is from the model that
exact retraining gives is certified, whatever made v (`simulators.erm.objective`), and v + sigma
N(0, I) and the retrained model with the same noise are (distance/sigma)-Gaussian-DP apart in both
directions.

What is guaranteed depends on where sigma comes from.  Public and fixed before the data, with exact
retraining wherever the distance is too large for it: both ways the law is that close to the one
of retraining, and which way it was is not released.  Computed from the distance: only that this
pair of laws is close; sigma itself tells of the deleted rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.curves.gaussian import mu_gdp
from accounting.problems.answer import Answer, Answers, Array, Question, Target, shown
from accounting.problems.options import Column, built, natural, positive, table, word
from accounting.problems.problem import Problem
from accounting.problems.process import Process, released_once
from accounting.publications.privacy import publication_epsilon, publication_noise
from simulators.data.row_data import RowData
from simulators.erm.words import INTERCEPTS, LOSSES

if TYPE_CHECKING:
    from simulators.erm.objective import Distance, Objective

_ONE = {"": Column()}
_ROWS = {"": Column(low=0, high=2**52, whole=True)}


@dataclass(frozen=True, kw_only=True, eq=False)
class Erm(Problem):
    """Any model of a strongly convex objective, after the fact: noise on the released model."""

    algorithm = "erm"
    aliases = ("certify",)
    accountants: ClassVar = {"exact": "least noise at the certified distance from retraining"}
    plans = "Public, fixed before the data: certify at this noise, or retrain."
    example = "--data rows.csv --model model.csv --loss logistic --regularisation 1 --weight 0.1"

    data: Any = built(
        "Rows learned from, .npz, .npy or .csv, the targets last.", "simulators.erm.inputs:dataset"
    )
    model: Any = table("Its parameters, one a line, the intercept last.", _ONE)
    removed: Any = table("Deleted rows, one number a line, from 0.", _ROWS, None)
    added: Any = built("Rows that came, as `data`.", "simulators.erm.inputs:dataset", None)
    loss: Any = built(f"Of a row: {', '.join(LOSSES)}.", "simulators.erm.inputs:loss")
    regularisation: float | None = positive("lambda of (lambda/2)|w|^2, with a named loss.", None)
    weight: float | None = positive("Of the sum of losses.", None, shown="1/rows, their mean")
    intercept: str = word("penalised: by lambda as well; free: not.", *INTERCEPTS)
    scaling: float = positive("Of the column that a penalised intercept weighs.", 1.0)
    reference_gradient: float = natural("Retraining ends at a gradient of at most this norm.", 0.0)

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        reasons = {}
        if not isinstance(self.loss, str):
            reasons["regularisation"] = "with a loss that has its own"
        if self.intercept != "penalised":
            reasons["scaling"] = "without a penalised intercept"
        if self.intercept == "free":
            reasons["reference_gradient"] = "with a free intercept, which has no distance for it"
        return reasons

    def _check(self) -> None:
        if isinstance(self.loss, str) and self.regularisation is None:
            raise ValueError("regularisation must be given with a named loss, got none")
        if self.removed is not None:
            deletions = self.removed[""]
            if deletions.max() >= len(self.data) or len(np.unique(deletions)) < len(deletions):
                raise ValueError(f"removed must be distinct rows below {len(self.data)}")
            if len(deletions) == len(self.data) and self.added is None:
                raise ValueError("removed must leave a row, got all")
        if self.added is not None and self.added.dimension != self.data.dimension:
            raise ValueError(f"added must have {self.data.dimension} features a row")
        if self.added is not None and type(self.added) is not type(self.data):
            raise ValueError("added must be in memory where data are, and in pieces where they are")
        for name in ("data", "added"):
            rows = getattr(self, name)
            if rows is not None and not rows.has_targets:
                raise ValueError(f"{name} must have targets, got none in {rows.name!r}")
        if not math.isfinite(self.distance):
            raise ValueError(
                f"reference_gradient must keep the distance in the floats, got "
                f"{self.reference_gradient:g}"
            )

    @cached_property
    def objective(self) -> Objective:
        """F, but for its rows."""
        from simulators.erm.inputs import named
        from simulators.erm.objective import Objective

        loss = self.loss
        if isinstance(loss, str):
            loss = named(loss, self.regularisation)
        return Objective(loss, self.weight, self.intercept, self.scaling)

    @cached_property
    def kept(self) -> RowData:
        """The rows after the request."""
        from simulators.erm.inputs import labelled

        every: RowData = self.data if self.added is None else self.data.joined(self.added)
        if isinstance(self.loss, str):
            every = labelled(every, self.objective.loss)
        return every if self.removed is None else every.without(self.removed[""])

    @cached_property
    def certificate(self) -> Distance:
        """How far the model is from exact retraining on the rows after the request."""
        shape = self.objective.loss.parameter_shape(self.objective.design(self.kept))
        if self.model[""].size != np.prod(shape):
            raise ValueError(
                f"model w must have {np.prod(shape)} parameters for this intercept, got "
                f"{self.model[''].size}"
            )
        return self.objective.distance(self.kept, self.model[""].reshape(shape))

    @property
    def distance(self) -> float:
        """From retraining as it is done: where it ends is as far from the minimiser as it says."""
        # The factors raise a rounded quotient and a rounded sum above the truth; without a
        # reference gradient nothing is added.
        more = self.reference_gradient / self.certificate.strong_convexity
        return (self.certificate.distance + more * (1 + 2.0**-51)) * (1 + 2.0**-51 * (more > 0))

    @property
    def _assumptions(self) -> words.Assumptions:
        conditions = [
            "floats of the data and of the model are exact",
            "a sigma computed from the distance shows it, and the answer is about this pair of "
            "laws alone; fix sigma before the data, and certify or retrain",
        ]
        if self.reference_gradient > 0:
            conditions.append("retraining ends at a gradient of at most reference_gradient")
        if self.intercept == "penalised" and self.scaling != 1:
            conditions.append("the intercept's coordinate is the intercept over scaling")
        return words.Assumptions(
            adjacency=words.Adjacency.DELETE,
            reference=words.Reference.KEPT,
            released=words.Released.ONE,
            secret_state=words.Secret.MODEL,
            noise_on=words.NoiseOn.MODEL,
            from_data=("data", "model"),
            conditions=tuple(conditions),
        )

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "rows": len(self.data),
            "rows_after": len(self.kept),
            "distance": self.distance,
            "gradient": self.certificate.gradient,
            "strong_convexity": self.certificate.strong_convexity,
        }

    @property
    def _magnitude(self) -> float:
        return float(np.linalg.norm(self.model[""]))

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        return publication_noise(self.distance, target.epsilon, target.delta)

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        return publication_epsilon(self.distance, noise, delta)

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        return released_once(self.distance, noise, origin="rows")

    def _plan(self, noise: Array, target: Target, names: tuple[str, ...]) -> Answers:
        assert target.delta is not None
        # Rounded down, the safe side: beyond it is retrained.
        limit = float(noise) * float(mu_gdp(target.epsilon, target.delta)) * (1 - 2.0**-40)
        claim = np.asarray(self._claim("exact", noise, target.delta))
        certified = bool(claim <= target.epsilon)
        decision = "certify" if certified else "retrain"
        summary = {"sigma": float(noise), "largest_distance": limit, "decision": decision}
        by = {"exact": Answer("exact", noise, noise, claim, certified, self._apply(noise))}
        line = (
            f"with sigma = {shown(float(noise))}: certify up to distance {shown(limit, up=False)}, "
            f"retrain beyond; here: {decision}"
        )
        return Answers(
            "plan",
            target.epsilon,
            target.delta,
            by,
            "exact" if certified else None,
            {"certify_or_retrain": summary},
            (line,),
        )
