"""Statistics that tell two laws apart, learnt from samples of both.

Each score is a function of a batch of outputs, one number per row; an audit then looks at the
events "score above a threshold".  Nothing here is a guarantee: a score learnt badly costs power,
never confidence, because other samples judge it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from simulators.statistics import separating_direction

Array = NDArray[np.float64]
WIDE = 400  # coordinates beyond which covariances are taken as diagonal
_FEATURES = 24  # coordinates that the regression looks at
_WAVES = 128  # random features
_LEARNT = 20_000  # samples of each law that their weights are learnt from
_PARITY = 16  # coordinates, the first, among which parities are looked for


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
    few) products; "signs": the product of the signs of two to four coordinates; "waves": logistic
    regression on random Fourier features; "atoms": for outputs that repeat, how much more often
    each was seen.
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
        scores += [_likelihood(a, b, standard), _waves(a, b, standard)]
        if int(live.sum()) > 1:
            scores.append(_signs(a, b, standard, np.flatnonzero(live)))
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
    """Whether some row occurs three times or more."""
    rows = np.ascontiguousarray(pooled + 0.0)
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    return bool(np.unique(keys, return_counts=True)[1].max() > 2)


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
    shift = np.abs(b.mean(axis=0) - a.mean(axis=0))
    widened = np.abs(b.std(axis=0) - a.std(axis=0))
    chosen = np.argsort(-(shift + widened), kind="stable")[:_FEATURES]
    pairs = np.triu_indices(min(chosen.size, 6), 1)

    def features(rows: Array) -> Array:
        z = np.clip(rows[:, chosen], -20, 20)
        products = z[:, pairs[0]] * z[:, pairs[1]]
        return np.hstack([np.ones((len(z), 1)), z, z * z - 1, products])

    weights = _logistic(features(a), features(b))
    return Score("likelihood", lambda samples: features(standard(samples)) @ weights)


def _logistic(first: Array, second: Array) -> Array:
    """Weights of a ridge-regularised logistic regression, larger on the second."""
    from scipy.optimize import minimize

    x = np.vstack([first, second])
    signs = np.concatenate([-np.ones(len(first)), np.ones(len(second))])
    ridge = 1e-3 + 1.0 / len(x)

    def loss(w: Array) -> tuple[float, Array]:
        margin = signs * (x @ w)
        slope = -(signs * expit(-margin)) @ x / len(x)
        return float(np.logaddexp(0, -margin).mean() + ridge / 2 * w @ w), slope + ridge * w

    optimum = minimize(
        loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 60}
    )
    return np.asarray(optimum.x)


def _waves(a: Array, b: Array, standard: Callable[[Array], Array]) -> Score:
    """A kernel classifier in small: cosines of random projections (Rahimi and Recht 2007)."""
    rng = np.random.default_rng(0)
    width = a.shape[1]
    frequencies = rng.normal(size=(width, _WAVES)) * np.geomspace(0.3, 3.0, _WAVES)
    frequencies /= np.sqrt(min(width, _FEATURES))
    phases = rng.uniform(0, 2 * np.pi, _WAVES)

    def features(rows: Array) -> Array:
        angles = np.clip(rows, -20, 20) @ frequencies
        angles += phases
        return np.cos(angles, out=angles)

    weights = _logistic(features(a[:_LEARNT]), features(b[:_LEARNT]))

    def of(samples: Array) -> Array:
        blocks = np.array_split(standard(samples), 1 + len(samples) // _LEARNT)
        return np.concatenate([features(block) @ weights for block in blocks])

    return Score("waves", of)


def _sets(width: int) -> list[NDArray[np.int64]]:
    """The pairs, triples and quadruples of `width` coordinates."""
    orders = range(2, min(4, width) + 1)
    return [np.array(list(combinations(range(width), order))) for order in orders]


def _parities(signs: Array) -> list[Array]:
    """Means of the products over all `_sets`: sums of products of two, exact as whole numbers."""
    width = signs.shape[1]
    one, two = np.triu_indices(width, 1)
    place = np.zeros((width, width), dtype=int)
    place[one, two] = width + np.arange(one.size)
    sums = np.zeros((width + one.size,) * 2)
    for rows in np.array_split(signs, 1 + len(signs) // _LEARNT):
        terms = np.hstack([rows, rows[:, one] * rows[:, two]])
        sums += terms.T @ terms

    def at(columns: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.asarray(columns[0] if len(columns) == 1 else place[tuple(columns)])

    halves = [(sets.T, (sets.shape[1] + 1) // 2) for sets in _sets(width)]
    return [sums[at(sets[:half]), at(sets[half:])] / len(signs) for sets, half in halves]


def _signs(
    a: Array, b: Array, standard: Callable[[Array], Array], live: NDArray[np.int64]
) -> Score:
    """Parities: their marginals, and all smaller parities, may agree."""
    middle = np.median(np.vstack([a, b]), axis=0)
    best: tuple[float, tuple[int, ...], float] = (-1.0, (), 1.0)
    chosen = live[:_PARITY]
    left_signs, right = (
        _parities(np.where(x[:, chosen] > middle[chosen], 1.0, -1.0)) for x in (a, b)
    )
    for sets, low, high in zip(_sets(len(chosen)), left_signs, right, strict=True):
        gap = high - low
        i = int(np.abs(gap).argmax())
        if abs(gap[i]) > best[0]:
            best = (float(abs(gap[i])), tuple(chosen[sets[i]]), float(np.sign(gap[i])))
    _, members, sign = best
    columns = list(members)

    def product(samples: Array) -> Array:
        rows = standard(samples)[:, columns]
        return np.asarray(sign * np.where(rows > middle[columns], 1.0, -1.0).prod(axis=1))

    return Score(f"signs {'*'.join(map(str, columns))}", product)
