"""Definition 5, Lemmas A and C of olu: shifted divergences, by taut strings and by quadrature."""

import math
from fractions import Fraction

import numpy as np

from bounds import Hypothesis
from simulators.exact import discrete, line_divergence
from simulators.exact.line import LineLaw
from simulators.exact.shifted import shifted_law
from verify.checks import NEAR_1, Check, Context, Findings, Instances, Limit, case_table

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


def shifted(
    points_p: list[int], p: list[int], points_q: list[int], q: list[int], e: int, alpha: float
) -> float:
    """D_alpha^(e)(p || q) for whole-number weights; inf where no law is near enough."""
    new_law = shifted_law(points_p, p, points_q, q, e)
    if new_law is None:
        return math.inf
    first, second = sum(new_law), sum(q)
    nearest = np.array([float(Fraction(m) / first) for m in new_law])
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


GAUSSIANS = Instances(
    "Gaussians",
    [{"alpha": 2.0, "x": 1.0, "s": 1.0, "e": 1.5, "r": 1.0, "a": 0.5}],
    draws=(30, 300),
    within={"x": (0.5, 20), "e": (0, 0.4), "s": (0.1, 10), "r": (0.1, 10)},
    relations={"tight": "=="},
)


def check_definition(ctx: Context) -> Findings:
    """The nearest law on a lattice, and random laws: less with e, D_alpha at e = 0."""
    rng = ctx.rng()
    words = "the nearest law on a lattice, a taut string"
    for _ in range(ctx.pick(8, 60)):
        s = float(rng.exponential()) + 0.1
        x, e = rng.integers(0, 9, 2).tolist()
        (inputs,) = case_table(
            "alpha s x e", (float(rng.integers(2, 5)), s, s * PITCH * x, s * PITCH * e)
        )
        divergence = on_lattice(**inputs)
        yield ctx.compare(
            "literal", "printed", divergence, inputs, words, relation="==", tolerance=1e-8
        )
    near, far, plain = [], [], []
    for _ in range(ctx.pick(100, 3000)):
        points = np.sort(rng.choice(12, size=5, replace=False)).tolist()
        p, q = (rng.integers(1, 100, 5).tolist() for _ in range(2))
        shorter = [shifted(points, p, points, q, e, 2.0) for e in (0, 1, 3, 12)]
        near.append(shorter[:-1])
        far.append(shorter[1:])
        plain.append(discrete.renyi(np.array(p) / sum(p), np.array(q) / sum(q), 2.0))
    words = "random laws: it does not increase with e"
    bound = np.array(near) * (1 + 1e-12) + 1e-14
    yield ctx.compare("literal", "printed", far, {}, words, bound=bound)
    words = "random laws: at e = 0 it is D_alpha"
    yield ctx.compare(
        "literal", "printed", np.array(near)[:, 0], {}, words, bound=plain, relation="=="
    )


def check_gaussian(ctx: Context) -> Findings:
    """D_alpha of Gaussians by the defining integral, coordinate by coordinate."""
    for rng in ctx.draws(30, 300, block=1):
        d = int(rng.integers(1, 4))
        s = float(np.exp(rng.normal()))
        alpha = 1 + rng.exponential(3)
        gap = rng.normal(size=d)
        inputs = {"alpha": float(alpha), "x": float(np.linalg.norm(gap)), "s": s, "d": d}
        # Coordinates are independent, so their divergences add.
        exact = sum(by_quadrature(float(alpha), float(abs(g)), s) for g in gap)
        yield from ctx.compare_forms(
            "literal", exact, inputs, "the defining integral", relation="=="
        )


def check_reduction(ctx: Context) -> Findings:
    """Shifted divergence after noise: Gaussians at the best a, random laws on five points."""
    rng = ctx.rng(1)
    words = "Gaussians, the best a"
    for _ in range(ctx.pick(30, 300)):
        alpha = 1 + float(rng.exponential(3))
        x = float(rng.exponential(2))
        s, r = np.exp(rng.normal(size=2)).tolist()
        e = float(rng.exponential()) * 0.5
        a = max(x - e, 0.0) * r**2 / (s**2 + r**2)
        best = {"alpha": alpha, "x": x, "s": s, "e": e, "r": r, "a": a}
        divergence = after_noise(**best)
        yield ctx.compare("literal", "printed", divergence, best, words, relation="==")
    lhs, right = [], []
    steps, zeta = lattice(0.0, REACH)
    for _ in range(ctx.pick(12, 300)):
        p, q = (rng.integers(1, 30, 5) for _ in range(2))
        e, a = (int(rng.integers(0, 4)) for _ in range(2))
        support = list(range(steps[0], steps[-1] + len(p)))
        atoms = list(range(5))
        mixed = [
            np.convolve(np.array(zeta, dtype=object), law.astype(object)).tolist() for law in (p, q)
        ]
        lhs.append(shifted(support, mixed[0], support, mixed[1], e, 2.0))
        before = shifted(atoms, p.tolist(), atoms, q.tolist(), e + a, 2.0)
        right.append(before + 2.0 * (a * PITCH) ** 2 / 2)
    words = "random laws on five points and Gaussian noise"
    bound = np.array(right) * (1 + 1e-12)
    yield ctx.compare("literal", "printed", lhs, {}, words, bound=bound + 1e-14, tight=math.nan)


SHIFTED = "no sample shows a shifted divergence; it is known of Gaussians"
CHECKS = (
    Check(
        "olu.def5",
        evidence=check_definition,
        exact_side=on_lattice,
        limits={
            "literal": Limit(
                "the exact side's lattice: x and e are quarters of s, the order is whole",
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
                NEAR_1.size,
            )
        },
    ),
    Check(
        "olu.lema", evidence=check_gaussian, exact_side=by_quadrature, limits={"literal": NEAR_1}
    ).measured_by("online", "first_law"),
    Check(
        "olu.lemc",
        evidence=check_reduction,
        exact_side=after_noise,
        at=(GAUSSIANS,),
        limits={"literal": NEAR_1},
        exact_only=SHIFTED,
    ),
)
