"""Statistics that tell two laws apart, learnt from samples of both.

Each score is a function of a batch of outputs, one number per row; an audit then looks at the
events "score above a threshold".  Nothing here is a guarantee: a score learnt badly costs power,
never confidence, because other samples judge it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from verify.gdp_test import separating_direction

Array = NDArray[np.float64]
WIDE = 400  # coordinates beyond which covariances are taken as diagonal
_FEATURES = 24  # coordinates that the regression looks at


@dataclass(frozen=True)
class Score:
    """A statistic with its name."""

    name: str
    of: Callable[[Array], Array]

    def __call__(self, samples: Array) -> Array:
        return np.asarray(self.of(samples), dtype=np.float64)


def learn_scores(first: Array, second: Array) -> list[Score]:
    """Return scores learnt from samples (n, d) and (m, d) of the two laws, larger on the second.

    "direction": Fisher's discriminant; "norm": distance from the centre in units of the spread;
    "likelihood": logistic regression on the coordinates that differ most, their squares and (for
    few) products; "atoms": for outputs that repeat, how much more often each was seen.
    """
    pooled = np.vstack([first, second])
    centre = pooled.mean(axis=0)
    least, width = pooled.min(axis=0), np.ptp(pooled, axis=0)
    live = width > 0
    # In units of the width, as squares of very large or small numbers leave the float range.
    spread = ((pooled - least) / np.where(live, width, 1.0)).std(axis=0) * width
    scores = [_atoms(first, second)] if _repeats(pooled) else []
    if live.any():
        scale = np.where(live, spread, np.inf)
        a, b = (first - centre) / scale, (second - centre) / scale
        standard = _standardiser(centre, scale)
        scores += [_direction(a, b, standard), _norm(a, b, standard)]
        scores.append(_likelihood(a, b, standard))
    return scores


def _standardiser(centre: Array, scale: Array) -> Callable[[Array], Array]:
    return lambda samples: (samples - centre) / scale


def _direction(a: Array, b: Array, standard: Callable[[Array], Array]) -> Score:
    direction = b.mean(axis=0) - a.mean(axis=0)
    if a.shape[1] <= WIDE:
        direction = separating_direction(a, b)
    return Score("direction", lambda samples: standard(samples) @ direction)


def _norm(a: Array, b: Array, standard: Callable[[Array], Array]) -> Score:
    middle = a.mean(axis=0)
    sign = 1.0 if np.square(b - middle).sum(1).mean() >= np.square(a - middle).sum(1).mean() else -1
    return Score("norm", lambda samples: sign * np.square(standard(samples) - middle).sum(axis=1))


def _repeats(pooled: Array) -> bool:
    """Whether many rows occur more than once."""
    return len(np.unique(pooled[:200], axis=0)) < 0.9 * len(pooled[:200])


def _atoms(first: Array, second: Array) -> Score:
    def counts(samples: Array) -> dict[bytes, int]:
        rows, number = np.unique(samples + 0.0, axis=0, return_counts=True)
        return {row.tobytes(): int(n) for row, n in zip(rows, number, strict=True)}

    one, two = counts(first), counts(second)
    share = len(second) / len(first)
    ratios = {
        key: float(np.log((two.get(key, 0) + 0.5) / ((one.get(key, 0) + 0.5) * share)))
        for key in one.keys() | two.keys()
    }

    def of(samples: Array) -> Array:
        return np.array([ratios.get(row.tobytes(), 0.0) for row in np.ascontiguousarray(samples)])

    return Score("atoms", lambda samples: of(samples + 0.0))


def _likelihood(a: Array, b: Array, standard: Callable[[Array], Array]) -> Score:
    from scipy.optimize import minimize
    from scipy.special import expit

    moved = np.abs(b.mean(axis=0) - a.mean(axis=0))
    widened = np.abs(b.std(axis=0) - a.std(axis=0))
    chosen = np.argsort(-(moved + widened), kind="stable")[:_FEATURES]
    pairs = np.triu_indices(min(chosen.size, 6), 1)

    def features(rows: Array) -> Array:
        z = np.clip(rows[:, chosen], -20, 20)
        products = z[:, pairs[0]] * z[:, pairs[1]]
        return np.hstack([np.ones((len(z), 1)), z, z * z - 1, products])

    x = features(np.vstack([a, b]))
    signs = np.concatenate([-np.ones(len(a)), np.ones(len(b))])
    ridge = 1e-3 + 1.0 / len(x)

    def loss(w: Array) -> tuple[float, Array]:
        margin = signs * (x @ w)
        slope = -(signs * expit(-margin)) @ x / len(x)
        return float(np.logaddexp(0, -margin).mean() + ridge / 2 * w @ w), slope + ridge * w

    weights = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B",
                       options={"maxiter": 60}).x  # fmt: skip
    return Score("likelihood", lambda samples: features(standard(samples)) @ weights)
