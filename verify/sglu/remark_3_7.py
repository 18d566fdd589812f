"""Remark 3.7 of sglu: bounded gradient differences are what the proofs need, and all they need."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact import line_winf
from simulators.exact.maps import logistic
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import ProjectedRun


def difference(w: np.ndarray, a: np.ndarray, other: np.ndarray, weight: float) -> np.ndarray:
    """|grad f(w; a) - grad f(w; a')| for f = log(1 + exp(-w.a)) + (weight/2)|w|^2, rows of w, a."""
    from scipy.special import expit

    one = -a * expit(-np.sum(w * a, -1))[..., None] + weight * w
    two = -other * expit(-np.sum(w * other, -1))[..., None] + weight * w
    return np.asarray(np.linalg.norm(one - two, axis=-1))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    size = ctx.pick(4000, 100_000)
    w, a, other = (rng.normal(size=(size, 5)) for _ in range(3))
    a /= np.linalg.norm(a, axis=-1, keepdims=True)
    other /= np.linalg.norm(other, axis=-1, keepdims=True)
    w *= (100 * rng.uniform(size=size) / np.linalg.norm(w, axis=-1))[:, None]
    yield ctx.compare(
        "literal", "printed", difference(w, a, other, 0.1), {"radius": 100, "lambda": 0.1},
        "random unit features in dimension 5, |w| <= 100", bound=2.0,
    )  # fmt: skip
    # Both margins negative, features nearly opposite: the supremum 2 is approached from below.
    angle = np.linspace(1e-3, 0.5, 2000)
    up = np.stack((np.cos(angle), np.sin(angle)), -1)
    down = up * np.array([-1.0, 1.0])
    worst = difference(np.array([0.0, -100.0]), up, down, 0.1)
    yield ctx.compare(
        "literal", "printed", worst, {"angle": angle}, "nearly opposite features, |w| = 100",
        bound=2.0,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", worst, {"angle": angle}, "differences above 1.9 do occur", bound=1.9,
        role="control",
    )  # fmt: skip
    opposite = difference(w, a, -a, 0.1)
    yield ctx.compare(
        "literal", "printed", opposite, {"radius": 100}, "opposite features differ by 1 exactly",
        bound=1.0, relation="==", tolerance=1e-9,
    )  # fmt: skip
    eta, m, R, sigma = 0.8, 0.5, 3.0, 0.3
    for name, run, M in (
        ("quadratics with a drift", ProjectedRun.linear(
            R=R, eta=eta, m=m, sigma=sigma, b=1, J=1, old=2.2, new=1.8, rest=2.0), 0.2),
        ("logistic losses", ProjectedRun(
            R, eta, sigma, [[logistic(1, 1, m)]], [[logistic(1, -1, m)]]), 0.5),
    ):  # fmt: skip
        for T in (1, 4):
            exact = line_winf.winf(run.learned(1, T), run.learned(-1, T))
            bound = 2 * eta * M * sum((1 - eta * m) ** t for t in range(T))
            inputs = {"M": M, "eta": eta, "m": m, "R": R, "T": T, "Lipschitz": m * R}
            yield ctx.compare(
                "sufficient", "printed", exact, inputs,
                f"{name}: differences <= 2M, Lipschitz constant > M", bound=bound, tight=math.nan,
            )  # fmt: skip
            yield ctx.compare(
                "sufficient", "printed", exact, inputs,
                f"{name}: a tenth of the difference would not do", bound=bound / 10, role="control",
            )  # fmt: skip


CHECKS = (Check("sglu.rem3.7", evidence=check),)
