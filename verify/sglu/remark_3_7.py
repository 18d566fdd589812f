"""Remark 3.7 of sglu: bounded gradient differences are what the proofs need, and all they need."""

import math

import numpy as np
from scipy.special import expit

from simulators.exact import line_winf
from simulators.exact.maps import logistic
from verify.checks import Check, Context, Findings
from verify.sglu.instances import ProjectedRun


def difference(w: np.ndarray, a: np.ndarray, other: np.ndarray, weight: float) -> np.ndarray:
    """|grad f(w; a) - grad f(w; a')| for f = log(1 + exp(-w.a)) + (weight/2)|w|^2, rows of w, a."""
    one = -a * expit(-np.sum(w * a, -1))[..., None] + weight * w
    two = -other * expit(-np.sum(w * other, -1))[..., None] + weight * w
    return np.asarray(np.linalg.norm(one - two, axis=-1))


def check(ctx: Context) -> Findings:
    """Gradient differences of the logistic loss at random and at nearly opposite unit features.

    Then W-infinity of runs whose differences are below 2M although their Lipschitz constant is
    above M.
    """
    rng = ctx.rng()
    size = ctx.pick(4000, 100_000)
    w, a, other = (rng.normal(size=(size, 5)) for _ in range(3))
    a, other = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (a, other))
    w *= (100 * rng.uniform(size=size) / np.linalg.norm(w, axis=-1))[:, None]
    gap = difference(w, a, other, 0.1)
    at = {"radius": 100, "lambda": 0.1}
    instance = "random unit features in dimension 5, |w| <= 100"
    yield ctx.compare("literal", "printed", gap, at, instance, bound=2.0)
    # Both margins negative, features nearly opposite: the supremum 2 is approached from below.
    angle = np.linspace(1e-3, 0.5, 2000)
    up = np.stack((np.cos(angle), np.sin(angle)), -1)
    worst = difference(np.array([0.0, -100.0]), up, up * np.array([-1.0, 1.0]), 0.1)
    at = {"angle": angle}
    instance = "nearly opposite features, |w| = 100"
    yield ctx.compare("literal", "printed", worst, at, instance, bound=2.0)
    instance = "differences above 1.9 do occur"
    yield ctx.compare("literal", "printed", worst, at, instance, bound=1.9, role="control")
    opposite = difference(w, a, -a, 0.1)
    instance = "opposite features differ by 1 exactly"
    options = {"bound": 1.0, "relation": "=="}
    yield ctx.compare("literal", "printed", opposite, {"radius": 100}, instance, **options)
    common = {"eta": 0.8, "sigma": 0.3, "R": 3.0}
    m = 0.5
    drift = ProjectedRun.linear(**common, m=m, b=1, J=1, old=2.2, new=1.8, rest=2.0)
    signs = ProjectedRun(**common, old=[[logistic(1, 1, m)]], new=[[logistic(1, -1, m)]])
    for name, run, M in (("quadratics with a drift", drift, 0.2), ("logistic losses", signs, 0.5)):
        for T in (1, 4):
            exact = line_winf.winf(run.learned(1, T), run.learned(-1, T))
            bound = 2 * 0.8 * M * sum(0.6**t for t in range(T))
            at = {"M": M, "eta": 0.8, "m": m, "R": 3.0, "T": T, "Lipschitz": 1.5}
            instance = f"{name}: differences <= 2M, Lipschitz constant > M"
            options = {"tight": math.nan}
            yield ctx.compare("sufficient", "printed", exact, at, instance, bound=bound, **options)
            instance = f"{name}: a tenth of the difference would not do"
            options = {"bound": bound / 10, "role": "control"}
            yield ctx.compare("sufficient", "printed", exact, at, instance, **options)


CHECKS = (Check("sglu.rem3.7", evidence=check),)
