"""Lemma D of olu: the modulus of a gradient step, from quadratics and from curved losses."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, Limit


def modulus(eta: float, beta: float, mu: float = 0.0) -> float:
    """The largest ratio over quadratics of curvature mu and beta (linear losses for mu = 0).

    In exact arithmetic: at eta mu = 1 nothing is left of the distance.
    """
    points = (Fraction(7, 10), Fraction(-2, 5))
    slope = Fraction(3, 10)
    step = Fraction(eta)
    images = [[w - step * (Fraction(h) * w - slope) for w in points] for h in (mu, beta)]
    return max(float(abs((a - b) / (points[0] - points[1]))) for a, b in images)


def curved(rng: np.random.Generator, eta: float, beta: float, mu: float = 0.0) -> np.ndarray:
    """Ratios for (mu/2)|w|^2 + (beta - mu) log cosh(<a, w> - b) in R^3, near and far pairs."""
    count = 300
    w = rng.normal(size=(2, count, 3)) * np.exp(rng.normal(size=(count, 1)))
    a = rng.normal(size=(count, 3))
    a /= np.linalg.norm(a, axis=-1, keepdims=True)
    pull = np.tanh((a * w).sum(-1) - rng.normal(size=count))
    image = w - eta * (mu * w + (beta - mu) * pull[..., None] * a)
    return np.asarray(
        np.linalg.norm(image[0] - image[1], axis=-1) / np.linalg.norm(w[0] - w[1], axis=-1)
    )


def check_smooth(ctx: Context) -> Findings:
    for rng in ctx.draws(20, 200, block=1):
        beta = float(rng.exponential()) + 1e-3
        inputs = {"eta": 2 / beta * float(rng.uniform(0.01, 1)), "beta": beta}
        yield ctx.compare("literal", "corrected", curved(rng, **inputs), inputs, "log cosh losses")


def check_curved(ctx: Context) -> Findings:
    """Ratios of distances under a step on log cosh losses, at the stated size and at others."""
    rng = ctx.rng(1)
    for n in range(ctx.pick(30, 300)):
        mu = float(np.exp(rng.normal()))
        beta = mu * float(rng.uniform(1.01, 10))
        eta = 2 / (beta + mu) * (1.0 if n % 2 else float(rng.uniform(0.05, 1.5)))
        ratios = curved(rng, eta, beta, mu)
        inputs = {"eta": eta, "mu": mu, "beta": beta}
        interpretation = "literal" if n % 2 else "any"
        yield ctx.compare(interpretation, "corrected", ratios, inputs, "log cosh losses")


LINEAR = Instances(
    "linear losses",
    draws=(20, 200),
    relations={"corrected": "=="},
    script="lemd_1_linear",
)
BOTH = {"printed": "==", "corrected": "=="}
QUADRATICS = "quadratics of curvature mu and beta"
BEST = Instances(QUADRATICS, draws=(15, 150), interpretations=("literal",), relations=BOTH)
ANY = Instances(
    QUADRATICS,
    draws=(15, 150),
    interpretations=("any",),
    relations={"corrected": "=="},
    script="lemd_2_short",
)
LIMITS = {
    "literal": Limit("eta is rounded", size=lambda p: 1.0),
    "any": Limit("1 less a rounded product", size=lambda p: 1.0),
}
CHECKS = (
    Check("olu.lemd.1", check_smooth, modulus, (LINEAR,)).measured_by(
        "online", "adjacent_expansion", where=("steps at most 2/beta",)
    ),
    Check("olu.lemd.2", check_curved, modulus, (BEST, ANY), LIMITS)
    .measured_by("online", "adjacent_expansion", interpretations=("any",))
    .measured_by(
        "online", "adjacent_expansion", interpretations=("literal",), where=("step 2/(beta + mu)",)
    ),
)
