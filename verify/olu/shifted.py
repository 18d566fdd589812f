"""Definition 5, Lemmas A and C of olu: shifted divergences, by taut strings and by quadrature."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from bounds import Hypothesis
from simulators.exact import discrete, line_divergence
from simulators.exact.line import LineLaw
from simulators.exact.shifted import shifted_law
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence

PITCH = 0.25
REACH = 11.0


def lattice(mean: float, reach: float) -> tuple[list[int], list[int]]:
    """Points k and weights of N(mean, 1) on the lattice k/4, in whole numbers.

    At this pitch the divergences of such laws are the Gaussians' to 1e-60. Whole numbers keep the
    clock of the taut string exact in the tails.
    """
    steps = range(math.ceil((mean - reach) / PITCH), math.floor((mean + reach) / PITCH) + 1)
    weights = [math.exp(-((k * PITCH - mean) ** 2) / 2) for k in steps]
    return list(steps), [int(Fraction(w) * 2**500) for w in weights]


def shifted(points_p: list[int], p: list[int], points_q: list[int], q: list[int],
            e: int, alpha: float) -> float:  # fmt: skip
    """D_alpha^(e)(p || q) for whole-number weights; inf where no law is near enough."""
    moved = shifted_law(points_p, p, points_q, q, e)
    if moved is None:
        return math.inf
    first, second = sum(moved), sum(q)
    nearest = np.array([float(Fraction(m) / first) for m in moved])
    other = np.array([float(Fraction(w, second)) for w in q])
    return discrete.renyi(nearest / nearest.sum(), other / other.sum(), alpha)


def on_lattice(alpha: float, x: float, s: float, e: float) -> float:
    """D_alpha^(e) by the taut string; x and e whole multiples of s/4, order a whole number."""
    points, p = lattice(x / s, REACH)
    others, q = lattice(0.0, REACH + x / s + 1)
    return shifted(points, p, others, q, round(e / (PITCH * s)), alpha)


def by_quadrature(alpha: float, x: float, s: float) -> float:
    """D_alpha of two Gaussians from their densities."""
    one = np.ones(1)
    first, second = (LineLaw(one, np.array(m), np.array(s)) for m in (x, 0.0))
    return line_divergence.renyi(first, second, alpha)


def after_noise(alpha: float, x: float, s: float, e: float, r: float, a: float = 0.0) -> float:
    """The left side: the nearest law within e moves the mean, then the noise; by quadrature."""
    return by_quadrature(alpha, max(x - e, 0.0), math.hypot(s, r))


def check_definition(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(8, 60)):
        s = float(rng.exponential()) + 0.1
        inputs = {
            "alpha": float(rng.integers(2, 5)), "s": s,
            "x": s * PITCH * int(rng.integers(0, 9)), "e": s * PITCH * int(rng.integers(0, 9)),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", on_lattice(**inputs), inputs,
            "the nearest law on a lattice, a taut string", relation="==", tolerance=1e-8,
        )  # fmt: skip
    near, far, plain = [], [], []
    for _ in range(ctx.pick(100, 3000)):
        points = np.sort(rng.choice(12, size=5, replace=False)).tolist()
        p, q = (rng.integers(1, 100, 5).tolist() for _ in range(2))
        found = [shifted(points, p, points, q, e, 2.0) for e in (0, 1, 3, 12)]
        near.append(found[:-1])
        far.append(found[1:])
        plain.append(discrete.renyi(np.array(p) / sum(p), np.array(q) / sum(q), 2.0))
    yield ctx.compare(
        "literal", "printed", far, {}, "random laws: it does not increase with e",
        bound=np.array(near) * (1 + 1e-12) + 1e-14,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", np.array(near)[:, 0], {}, "random laws: at e = 0 it is D_alpha",
        bound=plain, relation="==",
    )  # fmt: skip


def check_gaussian(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        d = int(rng.integers(1, 4))
        gap, s = rng.normal(size=d), float(np.exp(rng.normal()))
        inputs = {
            "alpha": 1 + float(rng.exponential(3)), "x": float(np.linalg.norm(gap)), "s": s
        }  # fmt: skip
        # Coordinates are independent, so their divergences add.
        exact = sum(by_quadrature(inputs["alpha"], float(abs(g)), s) for g in gap)
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, exact, {**inputs, "d": d}, "the defining integral", relation="=="
            )  # fmt: skip


def check_reduction(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        inputs = {
            "alpha": 1 + float(rng.exponential(3)), "x": float(rng.exponential(2)),
            "s": float(np.exp(rng.normal())), "e": float(rng.exponential()) * 0.5,
            "a": float(rng.exponential()), "r": float(np.exp(rng.normal())),
        }  # fmt: skip
        exact = after_noise(**inputs)
        yield ctx.compare("literal", "printed", exact, inputs, "Gaussians")
        yield ctx.compare("literal", "tight", exact, inputs, "Gaussians", relation="==")
        rest = max(inputs["x"] - inputs["e"], 0.0)
        share = inputs["r"] ** 2 / (inputs["s"] ** 2 + inputs["r"] ** 2)
        best = {**inputs, "a": rest * share}
        yield ctx.compare(
            "literal", "printed", exact, best, "Gaussians, the best a", relation="=="
        )  # fmt: skip
    left, right = [], []
    steps, zeta = lattice(0.0, REACH)
    for _ in range(ctx.pick(12, 300)):
        p, q = (rng.integers(1, 30, 5) for _ in range(2))
        e, a = (int(rng.integers(0, 4)) for _ in range(2))
        support = list(range(steps[0], steps[-1] + len(p)))
        mixed = [
            np.convolve(np.array(zeta, dtype=object), law.astype(object)).tolist() for law in (p, q)
        ]
        left.append(shifted(support, mixed[0], support, mixed[1], e, 2.0))
        atoms = list(range(5))
        before = shifted(atoms, p.tolist(), atoms, q.tolist(), e + a, 2.0)
        right.append(before + 2.0 * (a * PITCH) ** 2 / 2)
    yield ctx.compare(
        "literal", "printed", left, {}, "random laws on five points and Gaussian noise",
        bound=np.array(right) * (1 + 1e-12) + 1e-14, tight=math.nan,
    )  # fmt: skip


CHECKS = (
    Check(
        "olu.def5",
        evidence=check_definition,
        oracle=on_lattice,
        limits={
            "literal": Limit(
                "the oracle's lattice: x and e are quarters of s, the order is whole",
                (
                    Hypothesis(
                        "on the lattice",
                        sets={
                            "alpha": lambda alpha: max(2.0, float(round(min(alpha, 5.0)))),
                            "s": lambda: 1.0,
                            "x": lambda x: round(min(x, 3.0) * 4) / 4,
                            "e": lambda e: round(min(e, 3.0) * 4) / 4,
                        },
                    ),
                ),
            )
        },
    ),
    Check("olu.lema", evidence=check_gaussian, oracle=by_quadrature),
    Check("olu.lemc", evidence=check_reduction, oracle=after_noise),
)
