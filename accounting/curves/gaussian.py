"""The Gaussian trade-off curve: (epsilon, delta) of a mu-Gaussian-DP process and back.

G_mu is the trade-off function of N(0, 1) against N(mu, 1).  With a = epsilon/mu - mu/2,
b = epsilon/mu + mu/2, phi the normal density and R(x) = Phi(-x)/phi(x) the Mills ratio,

    delta = Phi(-a) - e^epsilon Phi(-b) = phi(a) (R(a) - R(b)),
    1 - delta = phi(a) (R(-a) + R(b)),
    d delta/d mu = phi(a),   d delta/d epsilon = -phi(a) R(b)

(Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2022, Corollary 2.13), so that no e^epsilon
ever appears.  Inverses are found in the logit of delta by Newton steps inside a bracket.
All functions broadcast; mu = 0 (identical laws) and mu = inf (disjoint ones) are in range.
"""

import math
from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

import accounting.curves._single as single
from accounting.numerics.mills_ratio import delta, profile, rough_profile
from accounting.numerics.monotone import Some, approach, polish, solve_increasing, step_until
from accounting.numerics.validation import broadcastable, real

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Evaluation = Callable[[Array, Some], tuple[Array, Array, NDArray[np.bool_]]]
_ROOT_EIGHTH = math.sqrt(0.125)
_FEW = 8  # entries that are faster one by one
_BLOCK = 8192  # entries: the arrays of one block stay in the cache
_TINIEST = 5e-324
_ROOM, _NOISE = 2.0**-44, 2.0**-50  # more than `epsilon_gdp` rounds up, and log delta errs
_COARSE = 1e-300  # floats below it have few digits
_SMALL = 1e-10  # of an epsilon: so close to 0, rounding of delta moves it by more than its ulps
_LARGEST = float(np.finfo(np.float64).max)
_HUGE = math.sqrt(2.0) * math.sqrt(_LARGEST)  # there epsilon ~ mu^2/2 leaves the float range
_MOST_NEGATIVE = -_LARGEST


def _answer(
    one: Callable[..., float], block: Callable[..., Array], names: tuple[str, str], *arrays: Array
) -> Array:
    """`one` of few numbers; `block` of many, and where `one` raises ArithmeticError.

    The first arrays have names for the error; the rest have the shapes of these.  The answer of
    an entry is the same either way, and whatever its company.
    """
    # Entries outside the range overflow on the way, and are replaced afterwards.
    with np.errstate(all="ignore"):
        plain = all(array.ndim == 0 for array in arrays)
        shape = () if plain else broadcastable(**dict(zip(names, arrays, strict=False)))
        size = math.prod(shape)
        # Numpy's price for each operation on a short array exceeds that of a loop in Python.
        if size <= _FEW:
            entries = (
                [a.item()] * size if a.size == 1 else np.broadcast_to(a, shape).ravel().tolist()
                for a in arrays
            )
            try:
                values = [one(*entry) for entry in zip(*entries, strict=True)]
                return np.array(values).reshape(shape)[()]
            except ArithmeticError:
                pass
        columns = [_column(array, shape, size) for array in arrays]
        out = np.empty(size)
        for start in range(0, size, _BLOCK):
            out[start : start + _BLOCK] = block(*(c[start : start + _BLOCK] for c in columns))
    return out.reshape(shape)[()]


def _column(array: Array, shape: tuple[int, ...], size: int) -> Array:
    """The array as one column of a table, without a copy where a single number is for all."""
    if array.shape == shape:
        return array.ravel()
    if array.size > 1:
        return np.broadcast_to(array, shape).ravel()
    if size <= _BLOCK:
        return np.full(size, array.item())  # faster than a view
    return np.broadcast_to(array.ravel(), size)


def _deltas(m: Array, e: Array) -> Array:
    return np.maximum(np.minimum(np.nextafter(delta(m, e), 2.0), 1.0), _TINIEST)


def _log_deltas(m: Array, e: Array) -> Array:
    return np.maximum(np.nextafter(profile(m, e).log_delta, 0.0), _MOST_NEGATIVE) + 0.0


def _with_limits(
    curve: Callable[[Array, Array], Array], none: float, whole: float
) -> Callable[[Array, Array], Array]:
    """`curve` inside its range, and at its ends delta = 0 (`none`) and delta = 1 (`whole`)."""

    def block(m: Array, e: Array) -> Array:
        # mu = 0, mu = inf and epsilon = inf have no quotient epsilon/mu: a stand-in of 1 is
        # computed.
        inner = (m > 0) & (m < math.inf) & (e < math.inf)
        if inner.all():
            return curve(m, e)
        values = curve(np.where(inner, m, 1.0), np.where(inner, e, 1.0))
        return np.where(inner, values, np.where(m == math.inf, whole, none))

    return block


def delta_gdp(mu: ArrayLike, epsilon: ArrayLike) -> Array:
    """Return the least delta for which every mu-GDP process is (epsilon, delta)-indistinguishable.

    delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) (Dong, Roth and Su 2022,
    Corollary 2.13).  mu >= 0, epsilon >= 0, arrays broadcast.  A positive delta below the
    smallest float is returned as that float (5e-324); use `log_delta_gdp` there.
    Raises ValueError out of range.
    """
    m, e = real("mu", mu, low=0.0), real("epsilon", epsilon, low=0.0)
    return _answer(single.delta, _with_limits(_deltas, 0.0, 1.0), ("mu", "epsilon"), m, e)


def log_delta_gdp(mu: ArrayLike, epsilon: ArrayLike) -> Array:
    """Return log(delta_gdp(mu, epsilon)), accurate also where delta underflows.

    -inf only for delta = 0 exactly (mu = 0, or epsilon = inf with finite mu); a finite value too
    large for a float is returned as the most negative one.  Ranges and errors: `delta_gdp`.
    """
    m, e = real("mu", mu, low=0.0), real("epsilon", epsilon, low=0.0)
    block = _with_limits(_log_deltas, -math.inf, 0.0)
    return _answer(single.log_delta, block, ("mu", "epsilon"), m, e)


def log_target(delta: ArrayLike | None, log_delta: ArrayLike | None) -> tuple[Array, Array]:
    """Return log delta and log(1 - delta) from exactly one of the two ways to give delta."""
    if (delta is None) == (log_delta is None):
        raise ValueError(
            "exactly one of delta and log_delta must be given, "
            f"got delta={delta!r} and log_delta={log_delta!r}"
        )
    if delta is not None:
        d = real("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
        return np.log(d), np.log1p(-d)
    ld = real("log_delta", log_delta, high=0.0, low_open=True, high_open=True)
    return ld, np.log(-np.expm1(ld))


def _largest(delta: ArrayLike | None) -> Array:
    """The largest delta that meets the target, inf where its logarithm was given."""
    return np.asarray(math.inf if delta is None else delta, dtype=np.float64)


def epsilon_gdp(
    mu: ArrayLike, delta: ArrayLike | None = None, *, log_delta: ArrayLike | None = None
) -> Array:
    """Return the least epsilon >= 0 for which a mu-GDP process is (epsilon, delta)-private.

    Inverse of `delta_gdp` (of `log_delta_gdp` for log_delta) in epsilon, rounded up so that it
    certifies when evaluated forwards.
    mu >= 0; delta in (0, 1), or log_delta < 0 for a delta below every float.
    epsilon = 0 where delta >= 2 Phi(mu/2) - 1.  Raises ValueError out of range.
    """
    m = real("mu", mu, low=0.0)
    ld, lc = log_target(delta, log_delta)
    return _answer(single.epsilon, _epsilons, ("mu", "delta"), m, ld, lc, _largest(delta))


def _epsilons(mu: Array, ld: Array, lc: Array, top: Array) -> Array:
    """`epsilon_gdp` for log delta, log(1 - delta) and the largest delta."""
    # Beyond _HUGE the answer is inf; where delta(0) meets the target it is 0.
    inner = (mu <= _HUGE) & _positive(mu, ld, top)
    if inner.all():
        return _epsilon(mu, ld, lc, top)
    out = np.where(mu > _HUGE, math.inf, 0.0)
    some = np.flatnonzero(inner)
    if some.size:
        out[some] = _epsilon(mu[some], ld[some], lc[some], top[some])
    return out


def _positive(mu: Array, ld: Array, top: Array) -> NDArray[np.bool_]:
    """Whether delta(0) = erf(mu/sqrt 8) exceeds the target; with care where it is near."""
    gap = np.log(scipy.special.erf(mu * _ROOT_EIGHTH)) - ld
    positive: NDArray[np.bool_] = gap > 0
    # The two logarithms differ by no more than their rounding: the enclosed profile decides.
    doubtful = np.flatnonzero(~(np.abs(gap) > 1e-12 * (1 - ld)) & (mu > 0))
    if doubtful.size:
        m = np.minimum(mu[doubtful], _HUGE)
        at_zero = profile(m, np.zeros(m.shape))
        satisfied = (at_zero.log_delta < ld[doubtful]) & (at_zero.delta < top[doubtful])
        positive[doubtful] = ~satisfied
    return positive


def _epsilon(mu: Array, ld: Array, lc: Array, top: Array) -> Array:
    """The epsilon > 0 that `epsilon_gdp` returns."""
    # The logit of delta, in which both tails have all their digits.
    target = ld - lc
    # delta <= Phi(-a) <= exp(-a^2/2)/2 for a >= 0 puts the root below this epsilon.
    high = mu * (mu / 2 + math.sqrt(2.0) * np.sqrt(np.maximum(0.0, -ld - math.log(2.0))))
    high = np.minimum(high * (1 + 1e-12), _LARGEST)

    def nearer(eps: Array, i: Some) -> Array:
        logit, slope, _ = rough_profile(mu[i], eps)
        return np.minimum(np.abs(eps + (logit - target[i]) / slope), high[i])

    def evaluate(eps: Array, i: Some) -> tuple[Array, Array, NDArray[np.bool_]]:
        curve = profile(mu[i], eps)
        good = (curve.log_delta < ld[i]) & (curve.delta < top[i])
        return target[i] - curve.logit, curve.slope_epsilon, good

    # From above: rough steps first, then steps with the enclosed profile, then a bracket.
    eps = approach(nearer, high)
    eps, unresolved = polish(evaluate, np.where(eps > 0, eps, high), up=True)
    if unresolved.size:
        eps[unresolved] = _bracketed(
            evaluate, unresolved, np.zeros(unresolved.shape), high[unresolved], up=True
        )
    return eps


def mu_gdp(
    epsilon: ArrayLike, delta: ArrayLike | None = None, *, log_delta: ArrayLike | None = None
) -> Array:
    """Return the largest mu for which every mu-GDP process is (epsilon, delta)-private.

    Inverse of `delta_gdp` and of `epsilon_gdp` in mu, rounded down so that it certifies when
    either is evaluated forwards.
    epsilon in [0, inf), delta in (0, 1) or log_delta < 0.  Raises ValueError out of range.
    """
    e = real("epsilon", epsilon, low=0.0, high_open=True)
    ld, lc = log_target(delta, log_delta)
    # For a little less epsilon and delta, so that `epsilon_gdp`, which rounds up, stays below.
    strict = np.asarray(ld - _NOISE * (64 * np.minimum(-ld, 1.0) - ld))
    target = np.asarray(strict - np.log(-np.expm1(strict)))
    arguments = e, strict, target, _largest(delta), ld, lc
    return _answer(_one_mu, _mus, ("epsilon", "delta"), *arguments)


def _one_mu(e: float, strict: float, target: float, top: float, ld: float, lc: float) -> float:
    if top < _COARSE or 0 < e < _SMALL:
        raise ArithmeticError
    return single.mu(e * (1 - _ROOM), strict, target, top)


def _mus(e: Array, strict: Array, target: Array, top: Array, ld: Array, lc: Array) -> Array:
    """`mu_gdp` for log delta and its logit a little lowered, the largest delta, and `_epsilons`."""
    mu, unresolved = _mu(e * (1 - _ROOM), strict, target, top)
    # Here rounding of delta moves epsilon by more than is kept in hand: each is tried forwards.
    difficult = (top < _COARSE) | ((e > 0) & (e < _SMALL))
    difficult[unresolved] = True
    if difficult.any():
        doubtful = np.flatnonzero(difficult)

        def certifies(mu: Array, i: Index) -> NDArray[np.bool_]:
            k = doubtful[i]
            satisfied: NDArray[np.bool_] = _epsilons(mu, ld[k], lc[k], top[k]) <= e[k]
            return satisfied

        mu[doubtful] = step_until(certifies, mu[doubtful], up=False)
    return mu


def _mu(epsilon: Array, ld: Array, target: Array, top: Array) -> tuple[Array, Index]:
    """The mu that meets epsilon, ld and top, and which of them were found with difficulty."""
    # delta <= Phi(-a) <= exp(-a^2/2) bounds a from above, hence mu from below; so does
    # delta <= mu/sqrt(2 pi).
    half = np.sqrt(-ld / 2)
    floor = np.maximum(epsilon / (half + np.sqrt(-ld / 2 + epsilon / 2)), 2.5 * np.exp(ld))
    low = np.maximum(floor * (1 - 1e-12), _TINIEST)

    def nearer(mu: Array, i: Some) -> Array:
        logit, _, slope = rough_profile(mu, epsilon[i])
        # A Newton step in log mu, of at most e^2: from far below the plain step overshoots.
        growth = np.exp(np.minimum((target[i] - logit) / (slope * mu), 2.0))
        update: Array = np.maximum(mu * growth, low[i])
        return update

    def evaluate(mu: Array, i: Some) -> tuple[Array, Array, NDArray[np.bool_]]:
        curve = profile(mu, epsilon[i])
        good = (curve.log_delta < ld[i]) & (curve.delta < top[i])
        return curve.logit - target[i], curve.slope_mu, good

    mu = approach(nearer, low)
    mu, unresolved = polish(evaluate, np.where(np.isfinite(mu), mu, low), up=False)
    if unresolved.size:
        floor, ceiling = low[unresolved], 2 * low[unresolved]
        # No bound from above is at hand: doubled until it is one, the last that failed is the
        # floor.
        while (short := evaluate(ceiling, unresolved)[0] < 0).any():
            floor = np.where(short, ceiling, floor)
            ceiling = np.where(short, 2 * ceiling, ceiling)
        mu[unresolved] = _bracketed(evaluate, unresolved, floor, ceiling, up=False)
    return mu, unresolved


def _bracketed(evaluate: Evaluation, left: Index, low: Array, high: Array, *, up: bool) -> Array:
    """The roots of the functions numbered `left`, where `polish` did not find them."""

    def excess(x: Array, i: Index) -> tuple[Array, Array]:
        value, slope, _ = evaluate(x, left[i])
        return value, slope

    def certifies(x: Array, i: Index) -> NDArray[np.bool_]:
        return evaluate(x, left[i])[2]

    return solve_increasing(excess, certifies, low, high, up=up)
