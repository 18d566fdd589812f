"""Finite laws: sums in Fractions, transport plans by enumeration, linear programmes."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from simulators.exact import discrete
from simulators.exact.shifted import shifted_law
from verify.self_tests import Equality

_P = [Fraction(1, 10), Fraction(3, 10), Fraction(2, 10), Fraction(4, 10)]
_Q = [Fraction(3, 10), Fraction(1, 10), Fraction(5, 10), Fraction(1, 10)]
_X = [Fraction(v) for v in (-3, 0, 2, 7)]
_Y = [Fraction(v) for v in (-2, 1, 3, 4)]


def equalities() -> Iterator[Equality]:
    """Divergences, distances, shifted laws."""
    yield from _divergences()
    yield from _distances()
    yield from _shifted()


def _divergences() -> Iterator[Equality]:
    """Power sums and divergences of small laws, by Fractions and over all events."""
    expected: Any
    p, q = np.array(_P, float), np.array(_Q, float)
    for alpha in (2, 5):
        power = sum(a**alpha * b ** (1 - alpha) for a, b in zip(_P, _Q, strict=True))
        yield Equality("power_sum", discrete.power_sum(_P, _Q, alpha), power)
        expected = math.log(power) / (alpha - 1)
        yield Equality(f"discrete.renyi at {alpha}", discrete.renyi(p, q, alpha), expected)
    expected = math.fsum(a * math.log(a / b) for a, b in zip(_P, _Q, strict=True))
    yield Equality("discrete.renyi at 1", discrete.renyi(p, q, 1.0), expected)
    # The largest ratio of these laws: (4/10)/(1/10).
    yield Equality("discrete.renyi at inf", discrete.renyi(p, q, math.inf), math.log(4))
    some = np.array([0.5, 0.5, 0.0])
    none = np.array([0.25, 0.25, 0.5])
    yield Equality("off a support", discrete.renyi(none, some, 2.0), math.inf)
    yield Equality("on a support", discrete.renyi(some, none, 3.0), math.log(2))
    yield Equality("power_sum off a support", discrete.power_sum(
        [Fraction(1, 2), Fraction(1, 2), Fraction(0)], [Fraction(1, 4)] * 2 + [Fraction(1, 2)], 3
    ), 4)  # fmt: skip
    for factor in (Fraction(1), Fraction(3, 2), Fraction(5)):
        # All 2^4 events: the hockey-stick divergence is the largest of p(S) - factor q(S).
        expected = max(
            sum(
                (
                    a - factor * b
                    for i, (a, b) in enumerate(zip(_P, _Q, strict=True))
                    if which >> i & 1
                ),
                Fraction(0),
            )
            for which in range(16)
        )
        yield Equality("hockey_stick_exact", discrete.hockey_stick_exact(_P, _Q, factor), expected)
        yield Equality(
            "discrete.hockey_stick", discrete.hockey_stick(p, q, math.log(factor)), expected, 1e-14
        )


def _cdf(points: list[Fraction], law: list[Fraction], at: Fraction) -> Fraction:
    return sum((w for x, w in zip(points, law, strict=True) if x <= at), Fraction(0))


def _distances() -> Iterator[Equality]:
    """W-infinity as the least difference of points by which one cdf stays below the other."""
    for x, p, y, q in (
        (_X, _P, _Y, _Q),
        (_Y, _Q, _X, _P),
        (_X, _Q, _Y[:3], [*_Q[:2], Fraction(6, 10)]),
    ):

        def orders(z: Fraction) -> bool:
            # W_infinity <= z exactly where each cdf stays below the other one moved by z.
            return all(
                _cdf(x, p, v) <= _cdf(y, q, v + z) and _cdf(y, q, v) <= _cdf(x, p, v + z)  # noqa: B023
                for v in (*x, *y)  # noqa: B023
            )

        # The distance is attained at one of the differences of points.
        expected = next(z for z in sorted({abs(a - b) for a in x for b in y}) if orders(z))
        yield Equality("discrete.winf", discrete.winf(x, p, y, q), expected)
        floats = [[float(v) for v in part] for part in (x, p, y, q)]
        yield Equality("discrete.winf of floats", discrete.winf(*floats), expected)


def _shifted() -> Iterator[Equality]:
    """The best law within a radius, against a linear programme over all moves of mass."""
    x, y, q = _X[:3], [Fraction(v) for v in (-2, -1, 1, 3)], _P
    p = [Fraction(3, 10), Fraction(2, 10), Fraction(5, 10)]
    for radius in (0, 1, 2, 3, 4):
        law = shifted_law(x, p, y, q, Fraction(radius))
        # Variables: the mass of every admissible move, then the excess at each of four points.
        moves = [(i, j) for i in range(3) for j in range(4) if abs(x[i] - y[j]) <= radius]
        row_marginals = [[float(i == k) for i, _ in moves] + [0.0] * 4 for k in range(3)]
        for factor in (0.5, 1.0, 1.5, 3.0):
            # Least excess over `factor` q among the laws that moves of at most `reach` make of p.
            excess = [
                [float(j == k) for _, j in moves] + [-float(j == k) for j in range(4)]
                for k in range(4)
            ]
            plan = linprog(
                [0.0] * len(moves) + [1.0] * 4,
                A_ub=excess,
                b_ub=[factor * float(b) for b in q],
                A_eq=row_marginals,
                b_eq=[float(w) for w in p],
                bounds=(0, None),
            )
            if law is None:
                # Status 2: the programme has no feasible plan either.
                yield Equality(f"shifted_law at {radius}, where none is,", plan.status, 2)
                continue
            excess_mass = sum(
                max(float(a - Fraction(factor) * b), 0.0) for a, b in zip(law, q, strict=True)
            )
            yield Equality(f"shifted_law at {radius}", excess_mass, plan.fun, 1e-8)
        if law is not None:
            # The law itself must be reachable: its distance from p is at most the radius.
            far = discrete.winf(x, p, y, law)
            yield Equality(f"shifted_law at {radius}, its reach", max(far - radius, 0), 0)
