"""Divergences of finite discrete laws, in floats or exactly in Fractions.

Sequences of Fractions stay Fractions where the value is rational: hockey-stick divergences, power
sums of integer order, W_inf, and the shifted laws of the shift-reduction lemma.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.exact.powers import renyi_of_logs

Array = NDArray[np.float64]
Number = float | Fraction


def _law(name: str, p: ArrayLike) -> Array:
    weights = validation.real(name, p, low=0.0, high_open=True)
    if not (weights.ndim == 1 and abs(float(weights.sum()) - 1) <= 1e-12):
        raise ValueError(f"{name} must be one-dimensional with sum 1, got sum {weights.sum()!r}")
    return weights


def _pair(p: ArrayLike, q: ArrayLike) -> tuple[Array, Array]:
    first, second = _law("p", p), _law("q", q)
    if first.shape != second.shape:
        raise ValueError(f"p and q must share a shape, got {first.shape} and {second.shape}")
    return first, second


def _rational(name: str, p: Sequence[Fraction]) -> None:
    if not all(isinstance(x, (Fraction, int)) and not isinstance(x, bool) and x >= 0 for x in p):
        raise ValueError(f"{name} must hold Fractions >= 0, got {p!r}")
    if not sum(p) == 1:
        raise ValueError(f"{name} must sum to 1, got {sum(p)!r}")


def renyi(p: ArrayLike, q: ArrayLike, alpha: float) -> float:
    """D_alpha(p || q) for alpha in [1, inf]; inf when p charges a point that q does not."""
    first, second = _pair(p, q)
    order = validation.scalar("alpha", alpha, low=1.0)
    charged = first > 0
    if (second[charged] == 0).any():
        return math.inf
    log_p, log_q = np.log(first[charged]), np.log(second[charged])
    if order == math.inf:
        return float((log_p - log_q).max())
    return renyi_of_logs(log_p, log_p - log_q, order)


@typed
def power_sum(p: Sequence[Fraction], q: Sequence[Fraction], alpha: int) -> Fraction:
    """sum_i p_i^alpha q_i^(1 - alpha) = exp((alpha - 1) D_alpha), exactly; integer alpha >= 2."""
    _rational("p", p)
    _rational("q", q)
    order = validation.count("alpha", alpha, low=2)
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        raise ValueError("q must charge every point that p charges")
    charged = ((Fraction(a), Fraction(b)) for a, b in zip(p, q, strict=True) if a)
    return sum((a**order / b ** (order - 1) for a, b in charged), Fraction(0))


@typed
def hockey_stick(p: ArrayLike, q: ArrayLike, epsilon: float) -> float:
    """sup_A p(A) - e^epsilon q(A)."""
    first, second = _pair(p, q)
    eps = validation.scalar("epsilon", epsilon, low_open=True, high_open=True)
    return float(np.maximum(first - math.exp(eps) * second, 0.0).sum())


@typed
def hockey_stick_exact(p: Sequence[Fraction], q: Sequence[Fraction], factor: Fraction) -> Fraction:
    """sup_A p(A) - factor q(A), exactly; factor >= 0 stands for e^epsilon."""
    _rational("p", p)
    _rational("q", q)
    check_numbers("factor", [factor])
    if not factor >= 0:
        raise ValueError(f"factor must be >= 0, got {factor!r}")
    return sum((max(a - factor * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def check_numbers(name: str, values: Sequence[Number]) -> None:
    """Raise ValueError unless all `values` are finite real numbers (Fractions, ints or floats)."""
    for x in values:
        if not (isinstance(x, Real) and not isinstance(x, bool) and math.isfinite(x)):
            raise ValueError(f"{name} must hold finite real numbers, got {x!r}")


def check_points(name: str, points: Sequence[Number], law: Sequence[Number]) -> None:
    """Raise ValueError unless `points` increase and there is one for each weight of `law`."""
    check_numbers(f"points_{name}", points)
    check_numbers(name, law)
    if not (len(points) == len(law) > 0 and all(a < b for a, b in pairwise(points))):
        raise ValueError(
            f"points_{name} must increase, one for each weight in {name}, got {points!r}"
        )


@typed
def winf(
    points_p: Sequence[Number], p: Sequence[Number], points_q: Sequence[Number], q: Sequence[Number]
) -> Number:
    """W_inf of two laws on the line with increasing points, by the quantile coupling.

    Exact on Fractions. On floats, masses that agree to 1e-12 are taken to be used up together.
    """
    slack = 0 if all(isinstance(x, (Fraction, int)) for x in (*p, *q)) else 1e-12
    check_points("p", points_p, p)
    check_points("q", points_q, q)
    for name, law in (("p", p), ("q", q)):
        if not (all(x >= 0 for x in law) and -slack <= sum(law) - 1 <= slack):
            raise ValueError(f"{name} must be >= 0 and sum to 1, got sum {sum(law)!r}")
    worst: Number = Fraction(0)
    i = j = 0
    left_mass, right = p[0], q[0]
    while True:
        if left_mass <= slack:
            i += 1
            if i == len(p):
                return worst
            left_mass = left_mass + p[i] if slack else p[i]
        elif right <= slack:
            j += 1
            if j == len(q):
                return worst
            right = right + q[j] if slack else q[j]
        else:
            gap = points_p[i] - points_q[j]
            worst = max(worst, gap, -gap)
            transfer = min(left_mass, right)
            left_mass, right = left_mass - transfer, right - transfer
