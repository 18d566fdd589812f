"""(47)-(50) of olu: parts B, D and E of the regret proof, and the identity that splits part A."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

EQ47 = Claim(
    id="olu.eq47",
    label="(47)",
    kind="inequality",
    statement="E L |z_{tau_i} - z*| <= sigma_i + d_i + L (T - i - tau_i)/(T mu) for each request.",
    readings=(
        Reading(
            "literal",
            "z_{tau_i} = z_{i,0}* + a vector of norm d_i + noise",
            ("printed", "corrected"),
            proofs={"corrected": "triangle inequality, Jensen, Lemma 5 without its factor 2"},
        ),
    ),
    natural=Natural(
        "T",
        tuple(float(t) for t in range(30, 200, 10)),
        {"i": 1, "tau_i": 20, "d": 1, "sigma": 0.0, "mu": 1.0, "L": 2.0, "d_i": 0.0},
        log_y=False,
    ),
    quantity="L |z_{i,0}* - z*| on quadratics",
    correction="L (sigma_i sqrt(d) + d_i + L (T - tau_i + i)/(T mu)).",
)
NORM = Claim(
    id="olu.eq47.norm",
    label="Below (47)",
    kind="inequality",
    statement="E|xi_i| <= sigma_i for xi_i ~ N(0, sigma_i^2 I_d).",
    readings=(
        Reading(
            "literal",
            "any dimension",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "Jensen's inequality for the square",
                "tight": "the mean of the chi distribution: equality",
            },
        ),
    ),
    natural=Natural("d", tuple(float(n) for n in range(1, 21)), {"sigma": 1.0}, log_y=False),
    quantity="E|xi|",
)
EQ48 = Claim(
    id="olu.eq48",
    label="(48)",
    kind="inequality",
    statement="2A is at most C + D + E, the telescoping part, the gradients, and the rounds "
    "tau_i - 1.",
    formula=False,
    readings=(
        Reading(
            "literal",
            "steps 1/(mu t); E over i = 1..k",
            ("printed", "corrected"),
            proofs={"corrected": "the one-step identity, without projection an equality"},
        ),
    ),
    correction="E carries a 2 and -mu |z - z*|^2, and has a term for i = k + 1.",
)
EQ49 = Claim(
    id="olu.eq49",
    label="(49)",
    kind="inequality",
    statement="sum_t eta_t |grad f_t(z_t)|^2 <= sum_t L^2/(t mu) = O(log T).",
    readings=(Reading("literal", "|grad| <= L", ("printed",), proofs={"printed": "term by term"}),),
    natural=Natural("T", tuple(float(t) for t in range(1, 60)), {"mu": 2.0, "L": 0.5}, log_y=False),
    quantity="sum of eta_t L^2",
)
EQ50 = Claim(
    id="olu.eq50",
    label="(50)",
    kind="inequality",
    statement="Part E is at most 2kLD.",
    readings=(
        Reading(
            "literal",
            "|grad| <= L, diameter D",
            ("printed", "tight"),
            proofs={"printed": "twice the tight bound", "tight": "Cauchy-Schwarz; attained"},
        ),
    ),
    natural=Natural("k", tuple(float(n) for n in range(1, 21)), {"L": 2.0, "D": 1.0}, log_y=False),
    quantity="E for f_t(z) = L z at the end of an interval",
)
CLAIMS = (EQ47, NORM, EQ48, EQ49, EQ50)

STABLE = '''"""(47) of olu: quadratics (z - x_t)^2/2, T = 30, tau = 20, i = 1, d_i = sigma = 0.

f_1..f_20 without f_20 have x = 0, so that z_{1,0}* = 0; f_20..f_30 have x = 2 = L/mu: K = [0, 2].
"""
from fractions import Fraction as F
T, tau, i, L = 30, 20, 1, 2
star = F(2 * (T - tau + i), T)
left, printed = L * star, F(L * (T - i - tau), T)
print(f"L |z_1,0* - z*| = {left}, printed {printed}")
assert left > printed
'''

CHI = '''"""E|xi| for xi ~ N(0, I_2): the integral of r^2 exp(-r^2/2) over r."""
from math import exp, pi, sqrt
n, top = 100_000, 12.0
mean = sum((r := (j + 0.5) * top / n)**2 * exp(-r * r / 2) for j in range(n)) * top / n
print(f"E|xi| = {mean:.9f}, sigma = 1, sqrt(pi/2) = {sqrt(pi / 2):.9f}")
assert mean > 1
'''

TWICE = '''"""(48) of olu: running mean of (1, 0, 0, 0, 0, 0), z_1 = 1, T = 6, tau = 3.

mu = 1, steps 1/t, no unlearning steps and no noise drawn, z* = 1/6; the 2 before A is exact.
"""
from fractions import Fraction as F
x, tau, T = [F(1)] + [F(0)] * 5, 3, 6
z = [F(1)]
for t in range(1, T):
    z.append(z[-1] - (z[-1] - x[t - 1]) / t)
star = sum(x) / T
gap = [w - star for w in z]
g = [w - p for w, p in zip(z, x)]
A = sum(g[t - 1] * gap[t - 1] - gap[t - 1]**2 / 2 for t in (1, 2, 4, 5))
C = sum(t * (gap[t - 1]**2 - gap[t]**2) - gap[t - 1]**2 for t in (1, 4))
D = sum(g[t - 1]**2 / t for t in (1, 4))
E = g[tau - 2] * gap[tau - 2]
print(f"2A = {2 * A}, C + D + E = {C + D + E}")
assert 2 * A > C + D + E
'''


def measure_47(
    i: float, T: float, tau_i: float, d: float, sigma: float, mu: float, L: float, d_i: float
) -> float:
    """L |z_{i,0}* - z*| for quadratics: the losses kept by tau at 0, the rest at L/mu; no noise."""
    points = np.full(int(T), L / mu)
    points[: int(tau_i - i)] = 0.0
    return float(L * points.mean())


def measure_norm(sigma: float, d: float) -> float:
    """E|xi| by quadrature of the chi density."""
    from scipy.integrate import quad
    from scipy.special import gammaln

    constant = (1 - d / 2) * np.log(2) - gammaln(d / 2)

    def density(r: float) -> float:
        return float(np.exp(constant + d * np.log(r) - r * r / 2)) if r > 0 else 0.0

    top = np.sqrt(d) + 12
    return float(sigma * quad(density, 0, top, epsabs=0, epsrel=1e-12, points=[np.sqrt(d)])[0])


def measure_49(T: float, mu: float, L: float) -> float:
    """Every gradient of norm L: f_t(z) = L|z| away from 0."""
    return float(sum(L**2 / (mu * t) for t in range(1, int(T) + 1)))


def measure_50(k: float, L: float, D: float) -> float:
    """k rounds at distance D from z* = 0 with gradient L."""
    return float(np.sum(np.full(int(k), L) * np.full(int(k), D)))


def check_47(ctx: Context) -> Iterator[Evidence]:
    for T, tau, i in ((30, 20, 1), (100, 20, 3), (1000, 900, 2)):
        inputs = {
            "i": i, "T": T, "tau_i": tau, "d": 1, "sigma": 0.0, "mu": 1.0, "L": 2.0, "d_i": 0.0,
        }  # fmt: skip
        for form, relation in (("printed", "<="), ("corrected", "==")):
            yield ctx.compare(
                "literal", form, measure_47(**inputs), inputs,
                "quadratics in two groups, no noise", relation=relation,
                script=STABLE if form == "printed" else None,
            )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(100, 3000)):
        T, d = 12, int(rng.integers(1, 4))
        tau, i = int(rng.integers(4, 10)), int(rng.integers(1, 3))
        h = rng.uniform(1, 3, size=(T, 1))
        x = rng.uniform(-1, 1, size=(T, d))
        kept = np.ones(T, dtype=bool)
        kept[tau:] = False
        kept[rng.choice(tau, size=i, replace=False)] = False
        near, star = (
            (h[s] * x[s]).sum(axis=0) / h[s].sum() for s in (kept, np.ones(T, dtype=bool))
        )
        off = rng.normal(size=d) * 0.3
        sigma = float(np.exp(rng.normal() - 2))
        # Noise of +-sigma in every coordinate: the second moment is all the bound uses.
        signs = np.array(np.meshgrid(*[[-sigma, sigma]] * d)).reshape(d, -1).T
        L = float((h[:, 0] * (np.linalg.norm(x, axis=1) + np.sqrt(d))).max())
        inputs = {
            "i": i, "T": T, "tau_i": tau, "d": d, "sigma": sigma, "mu": 1.0, "L": L,
            "d_i": float(np.linalg.norm(off)),
        }  # fmt: skip
        left = L * np.linalg.norm(near + off + signs - star, axis=1).mean()
        yield ctx.compare("literal", "corrected", left, inputs, "random quadratics on a box")


def check_norm(ctx: Context) -> Iterator[Evidence]:
    for d in (1, 2, 3, 10, 100):
        inputs = {"sigma": 0.7, "d": d}
        left = measure_norm(**inputs)
        for form, relation in (("printed", "<="), ("corrected", "<="), ("tight", "==")):
            yield ctx.compare(
                "literal", form, left, inputs, "quadrature of the chi density",
                relation=relation, script=CHI if form == "printed" else None,
            )  # fmt: skip


def parts(
    x: list[Fraction], z: list[Fraction], tau: list[int], star: Fraction
) -> dict[str, Fraction]:
    """A, C, D and both E of (48); f_t = (z - x_t)^2/2, steps 1/t."""
    T = len(x)
    gap = [w - star for w in z]
    g = [w - p for w, p in zip(z, x, strict=True)]
    ends = [0, *tau, T]
    inner = [t for a, b in pairwise(ends) for t in range(a + 1, b - 1)]
    last = [n - 1 for a, n in pairwise(ends) if n - 1 > a]
    E = {t: g[t - 1] * gap[t - 1] for t in last}
    zero = Fraction(0)
    return {
        "A": sum((g[t - 1] * gap[t - 1] - gap[t - 1] ** 2 / 2 for t in inner + last), zero),
        "C": sum((t * (gap[t - 1] ** 2 - gap[t] ** 2) - gap[t - 1] ** 2 for t in inner), zero),
        "D": sum((g[t - 1] ** 2 / t for t in inner), zero),
        "printed": sum((E[t] for t in last if t != T - 1), zero),
        "corrected": sum((2 * E[t] - gap[t - 1] ** 2 for t in last), zero),
    }


def check_48(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [([Fraction(1)] + [Fraction(0)] * 5, Fraction(1), [3])]
    for _ in range(ctx.pick(30, 500)):
        x = [Fraction(int(n), 8) for n in rng.integers(-8, 9, size=9)]
        tau = sorted(int(n) for n in rng.choice(np.arange(2, 9), size=2, replace=False))
        cases.append((x, x[0], tau))
    for x, z_1, tau in cases:
        z = [z_1]
        for t in range(1, len(x)):
            jump = Fraction(int(rng.integers(-2, 3)), 8) if t + 1 in tau and len(x) > 6 else 0
            z.append(z[-1] - (z[-1] - x[t - 1]) / t + jump)
        found = parts(x, z, tau, sum(x, Fraction(0)) / len(x))
        offset = 10 * len(x)  # both sides may be negative
        for form, relation in (("printed", "<="), ("corrected", "==")):
            yield ctx.compare(
                "literal", form, float(2 * found["A"] + offset), {"tau": str(tau), "T": len(x)},
                "quadratics with steps 1/t on the line, both sides raised by 10 T",
                bound=float(found["C"] + found["D"] + found[form] + offset), relation=relation,
                script=TWICE if form == "printed" else None,
            )  # fmt: skip


def check_49(ctx: Context) -> Iterator[Evidence]:
    for T in (1, 10, 1000):
        inputs = {"T": T, "mu": 2.0, "L": 0.5}
        yield ctx.compare(
            "literal", "printed", measure_49(**inputs), inputs, "gradients of norm L",
            relation="==",
        )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(50, 500)):
        g = rng.uniform(0, 1, size=20)
        inputs = {"T": 20, "mu": 1.0, "L": float(g.max())}
        left = float(np.sum(g**2 / np.arange(1, 21)))
        yield ctx.compare("literal", "printed", left, inputs, "random gradient norms")


def check_50(ctx: Context) -> Iterator[Evidence]:
    for k in (1, 5, 20):
        inputs = {"k": k, "L": 2.0, "D": 0.5}
        for form, relation in (("printed", "<="), ("tight", "==")):
            yield ctx.compare(
                "literal", form, measure_50(**inputs), inputs, "gradients along the diameter",
                relation=relation,
            )  # fmt: skip


CHECKERS = {
    EQ47.id: check_47, NORM.id: check_norm, EQ48.id: check_48, EQ49.id: check_49,
    EQ50.id: check_50,
}  # fmt: skip
MEASURES = {
    EQ47.id: measure_47, NORM.id: measure_norm, EQ49.id: measure_49, EQ50.id: measure_50
}  # fmt: skip
