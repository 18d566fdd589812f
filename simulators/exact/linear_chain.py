"""The linear worst case: f(x; d) = (m/2)|x|^2 - <d, x>, one point moved from M u to -M u.

Every step is x -> c x + (shift on one batch) + s N(0, I), so two runs differ by a mean along u and
nothing else. `recursion` is plain arithmetic (floats, arrays or Fractions); the named instances are
its sums, broadcasting. These laws attain sglu Lemmas 3.4-3.6, Theorem 3.11 and Theorem X.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics import validation
from accounting.numerics.arguments import typed

Array = NDArray[np.float64]
N = TypeVar("N", float, Fraction, Array)


@dataclass(frozen=True)
class Gap:
    """Two Gaussian laws with one covariance `variance` I and means `shift` apart (broadcast)."""

    shift: Array
    variance: Array

    @property
    def mu(self) -> Array:
        """The Gaussian-DP parameter shift/sqrt(variance); inf for distinct point masses."""
        # A zero shift is mu = 0 also without noise, where the quotient is 0/0.
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.shift == 0, 0.0, self.shift / np.sqrt(self.variance))

    def renyi(self, alpha: ArrayLike) -> Array:
        """D_alpha in either direction, alpha >= 1."""
        return validation.real("alpha", alpha, low=1.0, high_open=True) * self.mu**2 / 2


@typed
def recursion(
    contractions: Iterable[N], shifts: Iterable[N], variances: Iterable[N], gap: N, variance: N
) -> tuple[N, N]:
    """(gap, variance) after the steps gap -> c gap + shift, variance -> c^2 variance + s^2.

    Exact on Fractions. The three sequences give c, the shift of the means and s^2 of each step.
    """
    rows = (_numbers("contractions", contractions), _numbers("shifts", shifts))
    noises = _numbers("variances", variances)
    if not len(rows[0]) == len(rows[1]) == len(noises):
        raise ValueError(
            "contractions, shifts and variances must be equally many, "
            f"got {len(rows[0])}, {len(rows[1])} and {len(noises)}"
        )
    _numbers("gap", [gap])
    _numbers("variance", [variance])
    for c, shift, noise in zip(*rows, noises, strict=True):
        gap = c * gap + shift
        variance = c * c * variance + noise
    for name, value in (("gap", gap), ("variance", variance)):
        if np.isnan(np.asarray(value, dtype=float)).any():
            raise ValueError(f"{name} must be a number throughout, got nan")
    return gap, variance


def _numbers(name: str, values: Iterable[N]) -> list[N]:
    try:
        listed = list(values)
    except TypeError:
        raise ValueError(f"{name} must be a list of numbers, got {values!r}") from None
    for entry in listed:
        if not isinstance(entry, (Fraction, Real, np.ndarray)) or isinstance(entry, bool):
            raise ValueError(f"{name} must hold numbers or arrays, got {entry!r}")
        if not isinstance(entry, Fraction):
            validation.real(name, entry)
    return listed


@typed
def geometric(ratio: ArrayLike, terms: ArrayLike, power: ArrayLike = 1.0) -> Array:
    """sum_{i < terms} r^(power i) for 0 <= r <= 1 to full precision; terms = inf needs r < 1."""
    r = validation.real("ratio", ratio, low=0.0, high=1.0)
    n = validation.real("terms", terms, low=0.0)
    r, n, p = np.broadcast_arrays(r, n, validation.real("power", power, low=1.0, high_open=True))
    if not (np.isfinite(n) | (r < 1)).all():
        raise ValueError("terms must be finite where ratio = 1, got inf")
    inside = (r > 0) & (r < 1)
    # (r^(p n) - 1)/(r^p - 1) by expm1, for 1 - r may be far below a rounding of r.
    log = np.log(np.where(inside, r, 0.5))
    value = np.expm1(p * n * log) / np.expm1(p * log)
    # r = 1 counts the terms; r = 0 leaves the term i = 0, if there is one.
    return np.where(inside, value, np.where(r == 1, n, np.minimum(n, 1.0)))


def _chain(c: ArrayLike, q: ArrayLike, s: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        validation.real("c", c, low=0.0, high=1.0),
        validation.real("q", q, low=0.0, high_open=True),
        validation.real("s", s, low=0.0, low_open=True, high_open=True),
    )


def _batches(batches: ArrayLike, position: ArrayLike) -> tuple[Array, Array]:
    total = validation.integer("batches", batches, low=1)
    place = validation.integer("position", position, low=0)
    if not (place < total).all():
        raise ValueError(f"position must be < batches, got {place!r} and {total!r}")
    return total.astype(float), place.astype(float)


@typed
def learned_shift(
    c: ArrayLike, q: ArrayLike, batches: ArrayLike, position: ArrayLike, epochs: ArrayLike
) -> Array:
    """Mean difference after `epochs` (inf allowed if c < 1) of learning; q = 2 eta M/b (Lemma 3.5).

    Attained with M u against -M u at batch `position` in 0..batches-1 of each epoch.
    """
    rate, jump, _ = _chain(c, q, 1.0)
    total, place = _batches(batches, position)
    times = validation.real("epochs", epochs, low=0.0)
    # The jump of batch j0 is met by J - 1 - j0 more steps of its own epoch, then by whole epochs.
    return jump * rate ** (total - 1 - place) * geometric(rate, times, total)


@typed
def learn_then_unlearn(
    c: ArrayLike,
    q: ArrayLike,
    s: ArrayLike,
    batches: ArrayLike,
    position: ArrayLike,
    learning: ArrayLike,
    unlearning: ArrayLike,
) -> Gap:
    """T epochs on D and K on D' against T + K on D' from one point: variance s^2 G_c((T + K) J).

    `learning` = inf (c < 1) is the convergent case of Theorem X: variance s^2/(1 - c^2).
    """
    rate, jump, noise = _chain(c, q, s)
    total, _ = _batches(batches, position)
    before = validation.real("learning", learning, low=0.0)
    more = validation.integer("unlearning", unlearning, low=0)
    # Both runs take the same steps in unlearning, so that their distance only contracts.
    shift = learned_shift(rate, jump, batches, position, before) * rate ** (more * total)
    steps = (before + more) * total
    return Gap(shift, noise**2 * geometric(rate, steps, 2))


@typed
def two_points(c: ArrayLike, s: ArrayLike, gap: ArrayLike, steps: ArrayLike) -> Gap:
    """AR(1) from two points `gap` apart, `steps` >= 1 steps: the equality case of Lemma 3.4."""
    rate, _, noise = _chain(c, 0.0, s)
    distance = validation.real("gap", gap, low=0.0, high_open=True)
    times = validation.integer("steps", steps, low=1)
    return Gap(rate**times * distance, noise**2 * geometric(rate, times, 2))


@typed
def shifted_stationary(c: ArrayLike, s: ArrayLike, gap: ArrayLike, steps: ArrayLike) -> Gap:
    """The stationary law (c < 1) against its shift by `gap`: W_inf falls as c^steps (Lemma 3.6)."""
    rate, _, noise = _chain(c, 0.0, s)
    distance = validation.real("gap", gap, low=0.0, high_open=True)
    times = validation.integer("steps", steps, low=0)
    return Gap(rate**times * distance, noise**2 * geometric(rate, np.inf, 2))


def request_shifts(c: float, batches: int, jumps: ArrayLike, epochs: ArrayLike) -> Array:
    """Mean differences met by successive requests (Theorem 3.11): Z_1, then c^(K_s J) Z_s + jump.

    `jumps` (S,) are the converged shifts of the single replacements, `epochs` (S,) the K_s; entry s
    is the distance between the state request s starts from and its target's stationary mean.
    """
    rate = validation.scalar("c", c, low=0.0, high=1.0)
    total = validation.count("batches", batches, low=1)
    each = validation.real("jumps", jumps, low=0.0, high_open=True)
    runs = validation.integer("epochs", epochs, low=0)
    if not (each.ndim == 1 and each.shape == runs.shape):
        raise ValueError(f"jumps must have the shape of epochs, got {each.shape}, {runs.shape}")
    shifts = [float(each[0])]
    # The K of the last request comes after the last distance, and is not used.
    for jump, run in zip(each[1:], runs, strict=False):
        shifts.append(rate ** int(run * total) * shifts[-1] + float(jump))
    return np.array(shifts)
