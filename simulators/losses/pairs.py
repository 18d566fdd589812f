"""How far the gradients of one row and of what replaces it can be apart, at any parameter."""

from __future__ import annotations

import math

import numpy as np

from simulators.data.adjacency import differing_rows
from simulators.data.lengths import row_norms
from simulators.data.row_data import RowData
from simulators.losses.base import Loss
from simulators.losses.linear_model import LinearModel
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic
from simulators.losses.ridge import Ridge
from simulators.losses.rounding import no_underflow


def pair_difference(loss: Loss, first: RowData, second: RowData) -> float:
    """sup over parameters and differing rows of |grad f(x; d) - grad f(x; d')|; inf if not known.

    Quadratics: |d - d'|. Squares of a score, another target: |x| |y - y'|. Logistic loss, the other
    label: |x|, as the two slopes add up to 1 at every score. Rounded up: noise is made from it.
    """
    # A clip changes the two gradients by different factors: no formula is known here.
    if getattr(loss, "clip", None) is not None:
        return math.inf
    rows = differing_rows(first, second)
    if not len(rows):
        return 0.0 if isinstance(loss, Quadratic | Ridge | Logistic) else math.inf
    before, after = first.at(rows), second.at(rows)
    if isinstance(loss, Quadratic):
        return float(row_norms(before.features - after.features).max())
    if not isinstance(loss, LinearModel) or before.targets is None or after.targets is None:
        return math.inf
    # With other features the difference grows with the parameter, or has no closed form.
    if not np.array_equal(before.features, after.features):
        return math.inf
    lengths = row_norms(before.features)
    gaps = np.abs(before.targets - after.targets)
    if isinstance(loss, Ridge):
        return float(no_underflow(lengths, gaps).max(initial=0.0))
    return float(lengths.max(initial=0.0)) if isinstance(loss, Logistic) else math.inf
