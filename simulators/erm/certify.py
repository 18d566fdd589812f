"""`certify_erm`: a trained model, the rows to forget, and the model that may be released."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.problems.answer import LARGEST, Target
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData
from simulators.erm.estimators import fitted
from simulators.erm.inputs import dataset
from simulators.erm.problem import Erm
from simulators.losses.base import Loss


@dataclass(frozen=True, eq=False)
class CertifiedModel:
    """A model that may be released, and what must stay secret.

    Attributes:
        released: the parameters with noise, of the shape of w (an intercept last, over `scaling`).
        sigma, target: standard deviation in every coordinate, and the guarantee.
        guarantee: what is promised, in words.
        problem: how far the model without noise is from retraining, and why.  Secret, as is every
            model without noise, and sigma where it was computed from the distance.
        retrained: whether the certificate was not enough.  Secret.
    """

    released: np.ndarray
    sigma: float
    target: Target
    guarantee: str
    problem: Erm = field(repr=False)
    retrained: bool = field(repr=False)


@typed
def certify_erm(
    loss: Any,
    data: Any,
    w: ArrayLike | None = None,
    *,
    removed: ArrayLike | None = None,
    epsilon: float = 1.0,
    delta: float = 1e-5,
    sigma: float | None = None,
    retrain: Callable[[RowData], ArrayLike] | None = None,
    rng: np.random.Generator | None = None,
    **settings: Any,
) -> CertifiedModel:
    """Certify how near w is to exact retraining without the removed rows, and add the noise.

    Args:
        loss: a loss of `simulators.losses` with its ridge, or a fitted scikit-learn
            estimator, whose objective and parameters are then taken (`simulators.erm.estimators`).
        data: all rows: a Dataset, rows in pieces (`simulators.data.pieced`), features and targets,
            or a .npz, .npy or .csv file.
        w: the model, an intercept last; whatever made it.
        removed: numbers of the rows to forget.
        sigma: public, fixed before the data were seen.  None: computed from the distance, which
            makes the guarantee one about this pair of laws alone.
        retrain: `retrain(kept) -> w`, the minimiser over the rows that stay, as `data` holds them,
            an intercept last.  It is called where the distance is too large for sigma, and what it
            gives is certified as well.
        rng: of the noise, which must be fresh and secret; the system's entropy by default.
        settings: `weight`, `intercept`, `scaling`, `added`, `reference_gradient` of `Erm`.

    Raises ValueError for bad input, and where sigma is not enough and no `retrain` helps: a
    refusal that can be seen tells of the data.  Needs python-flint.

    An example of `retrain`, for a LogisticRegression `model`; targets are -1 and +1:

        def retrain(kept):
            again = clone(model).set_params(tol=1e-10).fit(kept.features, kept.targets)
            return np.append(again.coef_, again.intercept_)
    """
    target = Target(validation.scalar("epsilon", epsilon, low=0.0), delta)
    rows = Dataset(*data) if isinstance(data, tuple) else data
    if not isinstance(loss, Loss | str):
        objective, rows, minimiser = fitted(loss, _as_dataset(rows))
        v = minimiser if w is None else w
        # The caller's settings come last, and so count more than the estimator's.
        structure = {name: getattr(objective, name) for name in ("weight", "intercept")}
        if objective.intercept == "penalised":
            structure["scaling"] = objective.scaling
        loss, settings = objective.loss, {**structure, **settings}
    elif w is None:
        raise ValueError("w must be given with a loss, got none")
    else:
        v = w
    model = validation.real("w", v, low_open=True, high_open=True)
    deletions = np.asarray(removed) if isinstance(removed, range) else removed
    # No row to forget is no request; `Erm` takes None for it.
    deletions = None if isinstance(deletions, Sized) and len(deletions) == 0 else deletions
    shared = {"data": rows, "loss": loss, "removed": deletions, **settings}
    problem = Erm(model=model.reshape(-1), **shared)
    public = sigma is not None
    noise = problem.noise("exact", target).noise if sigma is None else sigma
    size = validation.scalar("sigma", noise, low=0.0, high=LARGEST)
    enough = _enough(problem, size, target)
    if not enough:
        if retrain is None:
            raise ValueError(
                f"sigma must be larger for this w, weight and reference_gradient, or retrain "
                f"given, got {size!r}"
            )
        model = validation.real("retrain", retrain(problem.kept), low_open=True, high_open=True)
        problem = Erm(model=model.reshape(-1), **shared)
        # The retrained model has to be certified as well: retraining too ends somewhere near.
        if not _enough(problem, size, target):
            raise ValueError("retrain must come nearer the minimiser for this sigma")
    random_source = np.random.default_rng() if rng is None else rng
    return CertifiedModel(
        model + size * random_source.standard_normal(model.shape),
        size,
        target,
        _guarantee(target, public),
        problem,
        not enough,
    )


def _enough(problem: Erm, sigma: float, target: Target) -> bool:
    claim = problem.certified("exact", sigma, target.delta).epsilon
    return claim is not None and float(claim) <= target.epsilon


def _as_dataset(value: Any) -> RowData:
    return dataset("data", value)


def _guarantee(target: Target, public: bool) -> str:
    close = (
        f"({target.epsilon:g}, {target.delta:g})-indistinguishable, in both directions, from exact "
        "retraining on the rows after the request with the same noise"
    )
    if public:
        return f"the released model is {close}, whether it was certified or retrained"
    return (
        f"for these rows the law of the released model is {close}; sigma was computed from the "
        "distance and tells of the removed rows, which this does not count"
    )
