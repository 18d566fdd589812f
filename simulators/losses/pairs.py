"""How far the gradients of one row and of what replaces it can be apart, at any parameter."""

from __future__ import annotations

import math

import numpy as np

from simulators.data.adjacency import differing_rows
from simulators.data.dataset import Dataset, row_norms
from simulators.losses.base import Loss
from simulators.losses.linear_model import LinearModel
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic
from simulators.losses.ridge import Ridge
from simulators.losses.rounding import no_underflow


def pair_difference(loss: Loss, first: Dataset, second: Dataset) -> float:
    """sup over parameters and differing rows of |grad f(x; d) - grad f(x; d')|; inf if not known.

    Quadratics: |d - d'|. Squares of a score, another target: |x| |y - y'|. Logistic loss, the other
    label: |x|, as the two slopes add up to 1 at every score. Rounded up: noise is made from it.
    """
    # A clip changes the two gradients by different factors: no formula is known here.
    if getattr(loss, "clip", None) is not None:
        return math.inf
    rows = differing_rows(first, second)
    if isinstance(loss, Quadratic):
        apart = first.features[rows] - second.features[rows]
        return float(row_norms(apart).max(initial=0.0))
    if not isinstance(loss, LinearModel) or first.targets is None or second.targets is None:
        return math.inf
    # With other features the difference grows with the parameter, or has no closed form.
    if not np.array_equal(first.features[rows], second.features[rows]):
        return math.inf
    lengths = row_norms(first.features[rows])
    gaps = np.abs(first.targets[rows] - second.targets[rows])
    if isinstance(loss, Ridge):
        return float(no_underflow(lengths, gaps).max(initial=0.0))
    return float(lengths.max(initial=0.0)) if isinstance(loss, Logistic) else math.inf
