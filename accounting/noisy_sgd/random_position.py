"""Privacy when the batch of the replaced point is uniformly random and secret (sglu Cor. 3.9).

Hockey-stick divergences are jointly convex, so delta(epsilon) <= (1/J) sum_j delta_GDP(mu_j,
epsilon) with mu_j the accountant at position j (sglu Lemma G.1 for this divergence).
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.gaussian import epsilon_gdp, log_delta_gdp, log_target
from accounting.noisy_sgd.closed_forms import mu_stationary, mu_stationary_bounded
from accounting.noisy_sgd.constants import NoisySGD
from accounting.noisy_sgd.langevin import INITIAL, TARGETS, mu_unlearning
from accounting.numerics.monotone import solve_increasing
from accounting.numerics.validation import choice, count, real

Array = NDArray[np.float64]
MOST_POSITIONS = 10**6


def position_mus(
    setting: NoisySGD,
    unlearn_epochs: int,
    *,
    learn_epochs: int | None = None,
    target: str = "stationary",
    initial: str = "any",
) -> Array:
    """Return mu_j at sigma = 1 for the positions j = 0..J-1; arguments as for `mu_unlearning`."""
    if not isinstance(setting, NoisySGD):
        raise ValueError(f"setting must be a NoisySGD, got {setting!r}")
    if not setting.batches <= MOST_POSITIONS:
        raise ValueError(
            f"batches n/batch_size must be <= {MOST_POSITIONS} for random positions, "
            f"got {setting.batches}"
        )
    word = choice("target", target, TARGETS)
    if word == "stationary" and learn_epochs is None and setting.gap > 0:
        epochs = count("unlearn_epochs", unlearn_epochs, low=0)
        choice("initial", initial, INITIAL)
        if epochs:
            return _from_stationary(setting, epochs)
    return np.array(
        [
            mu_unlearning(
                setting,
                1.0,
                unlearn_epochs,
                learn_epochs=learn_epochs,
                target=target,
                position=j,
                initial=initial,
            )
            for j in range(setting.batches)
        ]
    )


def _from_stationary(setting: NoisySGD, epochs: int) -> Array:
    """All positions at once from the closed forms that `mu_unlearning` uses, c < 1, K >= 1."""
    c, q, s, j = setting.contraction, setting.sensitivity, setting.unit_noise, setting.batches
    positions = np.arange(j)
    if math.isinf(setting.diameter):
        return mu_stationary(c, q, s, j, epochs, positions, gap=setting.gap)
    return mu_stationary_bounded(c, q, s, j, epochs, setting.diameter, positions, gap=setting.gap)


def log_delta_mixture(mus: ArrayLike, epsilon: ArrayLike) -> Array:
    """Return log((1/J) sum_j delta_GDP(mu_j, epsilon)), rounded up; mus is 1-D of length J."""
    m = positions(mus)
    e = real("epsilon", epsilon, low=0.0)
    logs = log_delta_gdp(m, e[..., None])
    return _log_mean(logs)[()]


def positions(mus: ArrayLike) -> Array:
    """One mu >= 0 for each equally likely position. Raises ValueError for other things."""
    m = real("mus", mus, low=0.0)
    if m.ndim != 1:
        raise ValueError(f"mus must be a 1-D array, got shape {m.shape}")
    return m


def safe_log(log_delta: float) -> float:
    """A target for log delta low enough that delta itself is met after rounding."""
    return log_delta - 2.0**-48 * (1 + abs(log_delta))


def _log_mean(logs: Array) -> Array:
    top = np.max(logs, axis=-1)
    # The largest is taken out, so that deltas below every float can be averaged.
    shift = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore", under="ignore"):
        mean = np.log(np.mean(np.exp(logs - shift[..., None]), axis=-1)) + shift
    # Raised by rounding, but a mean never is above its largest term.
    raised: Array = np.minimum(mean + 2.0**-52 * (16 + np.abs(shift)), top)
    return raised


def delta_random_position(
    setting: NoisySGD,
    sigma: ArrayLike,
    epsilon: ArrayLike,
    unlearn_epochs: int,
    *,
    learn_epochs: int | None = None,
    target: str = "stationary",
    initial: str = "any",
) -> Array:
    """Return a delta for which unlearning is (epsilon, delta)-private, random secret position.

    sigma and epsilon broadcast; arguments and errors as for `mu_unlearning`.  Never 0 unless every
    mu is.
    """
    s = real("sigma", sigma, low=0, low_open=True, high_open=True)
    unit = position_mus(
        setting, unlearn_epochs, learn_epochs=learn_epochs, target=target, initial=initial
    )
    e = real("epsilon", epsilon, low=0.0)
    with np.errstate(over="ignore", under="ignore"):
        mus = unit / s[..., None]
    log_delta = _log_mean(log_delta_gdp(mus, e[..., None]))
    with np.errstate(under="ignore"):
        delta = np.nextafter(np.exp(log_delta) * (1 + 2.0**-50), 2.0)
    return np.where(np.isneginf(log_delta), 0.0, np.minimum(delta, 1.0))[()]


def epsilon_mixture(
    mus: ArrayLike, delta: float | None = None, *, log_delta: float | None = None
) -> float:
    """Return the least epsilon >= 0 with mean_j delta_GDP(mu_j, epsilon) <= delta, rounded up.

    inf where too many of the mu_j are.  delta in (0, 1) or log_delta < 0, one number.
    """
    m = positions(mus)
    log_deltas = log_target(delta, log_delta)[0]
    if log_deltas.ndim:
        raise ValueError("delta must be a single number, got an array")
    target = safe_log(float(log_deltas))

    def value(e: Array) -> Array:
        return _log_mean(log_delta_gdp(m, e[..., None]))

    if value(np.zeros(1))[0] <= target:
        return 0.0
    low, high = _ends(m, target)
    # Too many positions have mu = inf: no epsilon will do.
    if low == math.inf:
        return math.inf
    # The upper end fails only by rounding or for a mu near inf.
    while value(np.array([high]))[0] > target:
        if high > 8e307:
            return math.inf
        high *= 2

    def excess(e: Array, _: NDArray[np.intp]) -> tuple[Array, Array]:
        # A chord serves as slope: the bracket does the rest.
        here = value(e)
        step = np.maximum(e, 1e-300) * 2.0**-26
        with np.errstate(over="ignore"):
            return target - here, (here - value(e + step)) / step

    def certifies(e: Array, _: NDArray[np.intp]) -> NDArray[np.bool_]:
        certified: NDArray[np.bool_] = value(e) <= target
        return certified

    ends = np.array([min(low, high)]), np.array([high])
    return float(solve_increasing(excess, certifies, *ends, up=True, tolerance=2.0**-44)[0])


def _ends(mus: Array, target: float) -> tuple[float, float]:
    """Where the epsilon > 0 of a mean of deltas lies: below the first none does.

    The mean is at least its least term and a share 1/J of its largest, and at most its largest
    where no mu is inf.  Above the second one does but for rounding, or for a mu near inf.
    """
    finite = mus[np.isfinite(mus)]
    lost = 1 - finite.size / mus.size
    if not finite.size or (lost > 0 and math.log(lost) >= target):
        return math.inf, math.inf
    most, log_rest = float(finite.max()), target
    if lost > 0:
        # The finite positions may have the rest of delta, divided by their share.
        log_rest = math.log(max(math.exp(target) - lost, 1e-300)) - math.log1p(-lost)
    low = float(epsilon_gdp(mus.min(), log_delta=target))
    # The largest term alone is at most J delta.
    if (one := target + math.log(mus.size)) < 0:
        low = max(low, float(epsilon_gdp(most, log_delta=one)))
    high = float(epsilon_gdp(most, log_delta=log_rest))
    return low * (1 - 2.0**-30), high if 0 < high < math.inf else 1.0


def epsilon_random_position(
    setting: NoisySGD,
    sigma: float,
    delta: float,
    unlearn_epochs: int,
    *,
    learn_epochs: int | None = None,
    target: str = "stationary",
    initial: str = "any",
) -> float:
    """Return the least epsilon that `delta_random_position` certifies at delta, rounded up."""
    s = real("sigma", sigma, low=0, low_open=True, high_open=True)
    if s.ndim:
        raise ValueError(f"sigma must be a single number, got {sigma!r}")
    unit = position_mus(
        setting, unlearn_epochs, learn_epochs=learn_epochs, target=target, initial=initial
    )
    with np.errstate(over="ignore", under="ignore"):
        return epsilon_mixture(unit / s, delta)
