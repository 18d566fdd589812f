"""Conditions C1 to C3 of olu for online gradient descent, and where each of them stops."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, Limit


def modulus(eta: float, mu: float, beta: float) -> float:
    """The largest ratio over quadratic losses of curvature mu and beta, from two points each.

    In exact arithmetic: at eta mu = 1 nothing is left of the distance.
    """
    points = (Fraction(3, 10), Fraction(-1, 5))
    x = Fraction(1, 10)
    curvatures = [Fraction(eta) * Fraction(h) for h in (mu, beta)]
    images = [[z - move * (z - x) for z in points] for move in curvatures]
    return max(float(abs((a - b) / (points[0] - points[1]))) for a, b in images)


def length(eta: float, L: float) -> float:
    """The step on a linear loss of slope L, from a point far from the boundary of K."""
    x = 0.25
    return abs((x - eta * L) - x)


def run(gradients: np.ndarray, curvature: np.ndarray, start: np.ndarray, eta: float) -> np.ndarray:
    """Projected descent in the unit ball on (h/2)|z|^2 - <g, z>, from `start`."""
    z = start
    for g, h in zip(gradients, curvature, strict=True):
        z = z - eta * (h * z - g)
        z = z / max(1.0, float(np.linalg.norm(z)))
    return z


def check_markov(ctx: Context) -> Findings:
    """Runs restarted from one iterate alone, against the whole run; momentum as a control."""
    rng = ctx.rng()
    whole, parts, momentum = [], [], []
    for _ in range(ctx.pick(50, 500)):
        g = rng.normal(size=(12, 3))
        h = rng.exponential(size=12)
        eta = float(rng.uniform(0.1, 1))
        whole.append(run(g, h, np.zeros(3), eta))
        parts.append(run(g[5:], h[5:], run(g[:5], h[:5], np.zeros(3), eta), eta))
        # A learner with momentum: the same state, another past.
        momentum.append(whole[-1] + 0.5 * (whole[-1] - run(g[:-1], h[:-1], np.zeros(3), eta)))
    words = "the run restarted from z_5 alone"
    yield ctx.compare("literal", "printed", np.array(parts), {}, words, bound=np.array(whole))
    endpoints = np.array(momentum)
    words = "a learner with momentum is not Markovian"
    yield ctx.compare(
        "literal",
        "printed",
        endpoints,
        {},
        words,
        bound=np.array(whole),
        relation="==",
        role="control",
    )


def check_contraction(ctx: Context) -> Findings:
    """Ratios of distances of pairs under a projected step on log cosh losses."""
    for rng in ctx.draws(30, 300, block=1):
        mu = float(np.exp(rng.normal()))
        beta = mu * float(rng.uniform(1, 8))
        inputs = {"eta": float(rng.exponential()) / beta, "mu": mu, "beta": beta}
        z = rng.uniform(-2, 2, (200, 2))
        x = rng.normal(size=(200, 1))
        step = z - inputs["eta"] * (mu * (z - x) + (beta - mu) * np.tanh(z - x))
        step = np.clip(step, -1.5, 1.5)
        ratios = np.abs(step[:, 0] - step[:, 1]) / np.abs(z[:, 0] - z[:, 1])
        yield ctx.compare("literal", "corrected", ratios, inputs, "log cosh losses, projected")
    etas = 1 / np.arange(3.0, 9.0)
    words = "gamma = (beta - mu)/(beta + mu) is no contraction of the steps 1/(mu t)"
    factors = [modulus(float(e), 1.0, 3.0) for e in etas]
    steps = {"eta": etas, "mu": 1.0, "beta": 3.0}
    yield ctx.compare("literal", "corrected", factors, steps, words, bound=0.5, role="control")


def check_sensitivity(ctx: Context) -> Findings:
    """How far a step moves points of K, and a point that noise has driven out of it."""
    rng = ctx.rng(1)
    eta, L = rng.exponential(size=(2, ctx.pick(500, 20_000)))
    x = rng.uniform(-1, 1, eta.size)
    gradient = L * np.tanh(rng.normal(size=eta.size) + 3 * x)
    shift = np.abs(np.clip(x - eta * gradient, -1, 1) - x)
    inputs = {"eta": eta, "L": L}
    yield ctx.compare("literal", "printed", shift, inputs, "projected, points of K")
    far = {"eta": 0.5, "L": 1.0, "x": 5.0}
    words = "f = z^2/2 on K = [-1, 1], at 5"
    shift = abs(np.clip(5.0 - 0.5 * 5.0, -1, 1) - 5.0)
    yield ctx.compare("reachable", "printed", shift, far, words, script="c3_far")


QUADRATICS = Instances("quadratics", draws=(30, 300), relations={"corrected": "=="})
LINEAR = Instances(
    "linear losses", draws=(20, 200), interpretations=("literal",), relations={"printed": "=="}
)
ROUNDED = {"literal": Limit("1 less a rounded product", size=lambda p: 1.0)}
CHECKS = (
    Check("olu.c1", evidence=check_markov),
    Check("olu.c2", check_contraction, modulus, (QUADRATICS,), ROUNDED),
    Check("olu.c3", check_sensitivity, length, (LINEAR,)),
)
