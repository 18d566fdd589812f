"""Theorem M.2 of sglu: full-batch learning on quadratics, exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulators.exact.gaussian import Gaussian, step
from simulators.exact.gaussian_divergence import renyi
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="sglu.thmm.2",
    label="Theorem M.2",
    kind="inequality",
    statement="Full-batch noisy gradient descent on data sets that differ in S points is within "
    "Rényi difference (4 alpha S^2 M^2/(m sigma^2 n^2)) (1 - exp(-m eta T)), and its law stays "
    "2 sigma^2/m-log-Sobolev.",
    aliases=("sglu.thmM.2", "sglu.eq78"),
    readings=(
        Reading(
            "literal",
            "one initial law for both data sets, 2 sigma^2/m-log-Sobolev; eta <= 1/L",
            ("printed", "tight"),
            proofs={
                "printed": "in units of alpha S^2 M^2/(m sigma^2 n^2) the exact bound is at most "
                "min(u, 2), u = m eta T, and 4 (1 - exp(-u)) is more",
                "tight": "shifted interpolation with one kick a step",
            },
        ),
        Reading(
            "log-Sobolev",
            "the law after every step, from N(0, 2 sigma^2/m)",
            ("printed",),
            proofs={
                "printed": "c^2 C + 2 eta sigma^2 <= C for C = 2 sigma^2/m and eta m <= 1; "
                "contractions and Gaussian convolution keep the inequality"
            },
            stance="part",
        ),
    ),
    natural=Natural(
        "T",
        (1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0, 50.0, 80.0, 120.0),
        {"alpha": 3.0, "S": 1, "M": 1.0, "m": 0.5, "sigma": 0.3, "n": 6, "eta": 0.2},
        log_x=True,
    ),
    quantity="Rényi difference of learning on adjacent data sets",
    correction="Half of it, (alpha/2) (q/s)^2 (1 + c)(1 - c^T)/((1 - c)(1 + c^T)), is exact.",
)


def measure(
    alpha: float, S: float, M: float, m: float, sigma: float, n: float, eta: float, T: float
) -> float:
    """Exact divergence of quadratics whose S points sit at M or at -M, from the point 0."""
    c, noise, half = 1 - eta * m, np.sqrt(2 * eta) * sigma, eta * M * S / n
    laws = []
    for offset in (half, -half):
        one = step(c, offset, noise)
        start = Gaussian.point(0.0)
        laws.append(one.stationary() if np.isinf(T) else one.power(int(T)).apply(start))
    return renyi(laws[0], laws[1], alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for trial in range(ctx.pick(40, 400)):
        m, n = np.exp(rng.normal()), int(rng.integers(2, 50))
        inputs = {
            "alpha": 1 + rng.exponential(3), "S": int(rng.integers(1, n + 1)),
            "M": rng.exponential() + 0.01, "m": m, "sigma": rng.exponential() + 0.01, "n": n,
            "eta": rng.uniform(0.01, 0.99) / m,
            "T": np.inf if trial % 5 == 0 else int(rng.integers(1, 80)),
        }  # fmt: skip
        exact = measure(**inputs)
        instance = "quadratics from a point"
        yield ctx.compare("literal", "printed", exact, inputs, instance)
        yield ctx.compare("literal", "tight", exact, inputs, instance, relation="==")
        if trial < 10:
            one = step(1 - inputs["eta"] * m, 0.0, np.sqrt(2 * inputs["eta"]) * inputs["sigma"])
            law = Gaussian(np.zeros(1), np.eye(1) * 2 * inputs["sigma"] ** 2 / m)
            variances = []
            for _ in range(20):
                law = one.apply(law)
                variances.append(float(law.cov[0, 0]))
            yield ctx.compare(
                "log-Sobolev", "printed", max(variances), inputs,
                "largest variance (the log-Sobolev constant of a Gaussian) over 20 steps",
                bound=2 * inputs["sigma"] ** 2 / m, tight=np.nan,
            )  # fmt: skip
    half = {**inputs, "T": 40}
    yield ctx.compare(
        "literal", "printed", measure(**half), half, "a quarter of the printed bound",
        bound=ctx.formula("printed", **half) / 8, role="control",
    )  # fmt: skip
