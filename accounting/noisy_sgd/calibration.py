"""From a privacy target back to noise and to epochs: inversions that certify when checked forwards.

mu is proportional to 1/sigma, so for fixed batch positions the least noise is a quotient.  For
random positions and for accountants given as callables it is the root of a monotone function,
found by bracketing and rounded to the safe side.
"""

import inspect
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.gaussian import delta_gdp, epsilon_gdp, mu_gdp
from accounting.noisy_sgd.constants import NoisySGD
from accounting.noisy_sgd.langevin import mu_unlearning
from accounting.noisy_sgd.random_position import (
    epsilon_mixture,
    log_delta_mixture,
    position_mus,
    positions,
    safe_log,
)
from accounting.numerics.monotone import step_until
from accounting.numerics.root import bracketed_root
from accounting.numerics.validation import choice, count, real, scalar, shortest

Array = NDArray[np.float64]
_ULP = 2.0**-52
MOST_EPOCHS = 2**53
_LOW, _HIGH = -708.0, 709.0  # log of the range of normal floats


def least_sigma(
    setting: NoisySGD,
    epsilon: ArrayLike,
    delta: ArrayLike,
    unlearn_epochs: int,
    *,
    learn_epochs: int | None = None,
    target: str = "stationary",
    position: int | str | None = None,
    initial: str = "any",
) -> Array:
    """Return the least sigma for which unlearning K epochs is (epsilon, delta)-private.

    position: a batch, None for the worst, or "random" for a uniform secret one.  epsilon >= 0 and
    delta in (0, 1) broadcast; the other arguments are those of `mu_unlearning`.  The result
    certifies when evaluated forwards, and 1e-9 less noise does not; inf where no noise suffices,
    0 where none is needed (mu = 0).  Raises ValueError on bad input.
    """
    e = real("epsilon", epsilon, low=0, high_open=True)
    d = real("delta", delta, low=0, high=1, low_open=True, high_open=True)
    if isinstance(position, str):
        choice("position", position, ("random",))
        units = position_mus(
            setting, unlearn_epochs, learn_epochs=learn_epochs, target=target, initial=initial
        )
        ee, dd = np.broadcast_arrays(e, d)
        sigmas = [
            sigma_mixture(units, float(x), float(y))
            for x, y in zip(ee.ravel(), dd.ravel(), strict=True)
        ]
        return np.reshape(sigmas, ee.shape)[()]
    unit = mu_unlearning(
        setting,
        1.0,
        unlearn_epochs,
        learn_epochs=learn_epochs,
        target=target,
        position=position,
        initial=initial,
    )
    mu = np.asarray(mu_gdp(e, d))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        sigma = np.where(unit == 0, 0.0, unit / mu)
    # The quotient may round so that mu at this sigma is an ulp too large.
    for _ in range(64):
        with np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore"):
            short = (sigma > 0) & np.isfinite(sigma) & (unit / sigma > mu)
        if not short.any():
            break
        sigma = np.where(short, np.nextafter(sigma, math.inf), sigma)
    return sigma[()]


def sigma_mixture(mus: ArrayLike, epsilon: float, delta: float) -> float:
    """Return the least sigma with epsilon_mixture(mus/sigma, delta) <= epsilon; mus at sigma = 1.

    0 where every mu is, inf where no noise suffices; epsilon >= 0.  Raises ValueError on bad input.
    """
    units = positions(mus)
    epsilon = scalar("epsilon", epsilon, low=0, high_open=True)
    delta = scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    if not units.any():
        return 0.0
    if not np.isfinite(units).all():
        # A position with mu = inf has delta = 1 at every sigma: its share of the mean stays.
        finite = units[np.isfinite(units)]
        if 1 - finite.size / units.size >= delta:
            return math.inf
        if not finite.any():
            return 0.0

    def at(sigma: float) -> Array:
        with np.errstate(over="ignore", under="ignore"):
            return np.where(units > 0, np.maximum(units / sigma, 5e-324), 0.0)

    def excess(sigma: float) -> float:
        return float(log_delta_mixture(at(sigma), strict)) - safe_log(math.log(delta))

    # For a little less epsilon, so that the inverse, which rounds up, seldom asks for more noise.
    strict = epsilon * (1 - 2.0**-44)
    # Enough for the worst position alone, so for the mean: the search starts here.
    worst = float(np.max(units[np.isfinite(units)]) / mu_gdp(epsilon, delta))

    def certifies(sigma: Array, _: NDArray[np.intp]) -> NDArray[np.bool_]:
        return np.array([epsilon_mixture(at(s), delta) <= epsilon for s in sigma])

    return float(step_until(certifies, np.array([_least_root(excess, worst)]), up=True)[0])


def least_noise(privacy: Callable[[float], float], target: float, *, start: float = 1.0) -> float:
    """Return the least sigma > 0 with privacy(sigma) <= target.

    `privacy` is any accountant (epsilon or delta as a function of sigma, nonincreasing); `target`
    >= 0; `start` > 0 is where the doubling search begins.  Bracketing to full precision; the
    result certifies.  Raises ValueError if `privacy` returns NaN, and where the target is met by
    every sigma or by none in the float range.
    """
    t = scalar("target", target, low=0, high_open=True)
    first = scalar("start", start, low=0, low_open=True, high_open=True)
    _require_callable(privacy, "sigma")

    def excess(sigma: float) -> float:
        value = scalar("privacy(sigma)", privacy(sigma))
        if t == 0:
            return 800.0 if value > 0 else -800.0
        if value > 0 and math.isfinite(value):
            # The difference decides the sign, so that rounding of the logarithm cannot.
            size = abs(math.log(value) - math.log(t)) + 5e-324
            return 0.0 if value == t else math.copysign(size, value - t)
        return math.copysign(800.0, value - t)

    return _least_root(excess, first)


def _require_callable(privacy: object, argument: str) -> None:
    """ValueError unless `privacy` can be called with one number (as far as it says)."""
    if callable(privacy):
        try:
            inspect.signature(privacy).bind(1)
            return
        except TypeError:
            pass
        except ValueError:  # a built-in without a signature
            return
    raise ValueError(f"privacy must be a callable of {argument}, got {privacy!r}")


def _least_root(excess: Callable[[float], float], start: float) -> float:
    """Least sigma with excess(sigma) <= 0 for a nonincreasing function, rounded up."""

    # In log sigma: a bracket by steps that double, then Brent's method.
    low = high = min(max(math.log(start), _LOW), _HIGH)
    step = math.log(2.0)
    if excess(math.exp(low)) <= 0:
        while excess(math.exp(low)) <= 0:
            if low == _LOW:
                raise ValueError("target must be missed by some sigma > 0, got one met by all")
            high, low, step = low, max(low - step, _LOW), 2 * step
    else:
        while excess(math.exp(high)) > 0:
            if high == _HIGH:
                raise ValueError("target must be met by some finite sigma, got one met by none")
            low, high, step = high, min(high + step, _HIGH), 2 * step
    root = bracketed_root(
        lambda v: excess(math.exp(v)), low, high, absolute=1e-14, relative=4 * _ULP
    )
    sigma = math.exp(root)
    for k in range(52):
        if excess(sigma) <= 0:
            return sigma
        sigma *= 1 + 2.0**k * _ULP
    # The upper end of the bracket has been seen to meet the target.
    return math.exp(high)


def least_epochs(
    privacy: Callable[[int], float], target: float, *, low: int = 0, high: int = MOST_EPOCHS
) -> int:
    """Return the least integer K in [low, high] with privacy(K) <= target.

    `privacy` is nonincreasing in K; found by doubling and bisection, about 2 log2 K evaluations.
    Raises ValueError if even privacy(high) > target, or if `privacy` returns NaN.
    """
    t = scalar("target", target, low=0, high_open=True)
    _require_callable(privacy, "epochs")
    least, most = count("low", low, low=0), count("high", high, low=0)
    if not least <= most:
        raise ValueError(f"low must be <= high = {most}, got {least}")

    def meets(k: int) -> bool:
        return scalar("privacy(K)", privacy(k)) <= t

    epochs = first(meets, least, most)
    if epochs is None:
        raise ValueError(f"target must be met within high = {most} epochs, got {t} not met")
    return epochs


def first(meets: Callable[[int], bool], least: int, most: int = MOST_EPOCHS) -> int | None:
    """The least integer in [least, most] that meets, if all after one that does do; or None."""
    if meets(least):
        return least
    # Doubling, then bisection, with the invariant that `bad` fails and `good` meets.
    bad, step = least, 1
    while True:
        good = min(bad + step, most)
        if meets(good):
            break
        if good == most:
            return None
        bad, step = good, 2 * step
    while good - bad > 1:
        middle = (good + bad) // 2
        bad, good = (bad, middle) if meets(middle) else (middle, good)
    return good


def least_unlearning_epochs(
    setting: NoisySGD,
    sigma: float,
    epsilon: float,
    delta: float,
    *,
    learn_epochs: int | None = None,
    target: str = "stationary",
    position: int | str | None = None,
    initial: str = "any",
) -> int:
    """Return the least K >= 0 for which unlearning K epochs is (epsilon, delta)-private.

    Arguments as for `least_sigma`.  Raises ValueError on bad input and if no K suffices (the
    target "T" can have a floor in K only through T; m = 0 needs K of order 1/epsilon^2).
    """
    e = scalar("epsilon", epsilon, low=0, high_open=True)
    d = scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    s = scalar("sigma", sigma, low=0, low_open=True, high_open=True)

    def meets(k: int) -> bool:
        if isinstance(position, str):
            choice("position", position, ("random",))
            units = position_mus(
                setting, k, learn_epochs=learn_epochs, target=target, initial=initial
            )
            with np.errstate(over="ignore", under="ignore"):
                return epsilon_mixture(units / s, d) <= e
        mu = mu_unlearning(
            setting,
            s,
            k,
            learn_epochs=learn_epochs,
            target=target,
            position=position,
            initial=initial,
        )
        return bool(epsilon_gdp(mu, d) <= e and delta_gdp(mu, e) <= d)

    epochs = first(meets, 0)
    if epochs is None:
        raise ValueError(
            f"sigma must meet epsilon = {shortest(e)} and delta = {shortest(d)} within "
            f"{MOST_EPOCHS} epochs, got {shortest(s)}"
        )
    return epochs


def epsilon_unlearning(
    setting: NoisySGD,
    sigma: ArrayLike,
    delta: ArrayLike,
    unlearn_epochs: int,
    *,
    learn_epochs: int | None = None,
    target: str = "stationary",
    position: int | None = None,
    initial: str = "any",
) -> Array:
    """Return the least epsilon of unlearning K epochs at delta, fixed position (None: worst)."""
    mu = mu_unlearning(
        setting,
        sigma,
        unlearn_epochs,
        learn_epochs=learn_epochs,
        target=target,
        position=position,
        initial=initial,
    )
    return epsilon_gdp(mu, delta)
