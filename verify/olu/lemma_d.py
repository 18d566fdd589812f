"""Lemma D of olu: the modulus of a gradient step, from quadratics and from curved losses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

SMOOTH = Claim(
    id="olu.lemd.1",
    label="Lemma D (smooth)",
    kind="inequality",
    statement="A gradient step on a convex, M-smooth loss is contractive with parameter 1 - eta M "
    "for eta <= 2/M.",
    aliases=("olu.lemD", "olu.lemD.1"),
    readings=(
        Reading(
            "literal",
            "convex, twice differentiable, M-smooth, eta <= 2/M",
            ("printed", "corrected"),
            proofs={"corrected": "I - eta H has its eigenvalues in [1 - eta M, 1]"},
        ),
    ),
    natural=Natural("eta", tuple(np.linspace(0.02, 2, 40).tolist()), {"beta": 1.0}, log_y=False),
    quantity="largest |psi(w) - psi(w')|/|w - w'|",
    correction="The factor is 1, attained by linear losses.",
)
CURVED = Claim(
    id="olu.lemd.2",
    label="Lemma D (strongly convex)",
    kind="inequality",
    statement="A gradient step of size 2/(M + m) on an m-strongly convex, M-smooth loss is "
    "contractive with parameter (M/m - 1)/(M/m + 1).",
    aliases=("olu.lemD.2",),
    readings=(
        Reading(
            "literal",
            "eta = 2/(M + m)",
            ("printed", "corrected"),
            proofs={
                "printed": "I - eta H has its eigenvalues in [-gamma, gamma]",
                "corrected": "I - eta H has its eigenvalues in [1 - eta M, 1 - eta m]",
            },
        ),
        Reading(
            "any",
            "another step size eta > 0, as the corollaries and theorems use it",
            ("printed", "corrected"),
            proofs={"corrected": "I - eta H has its eigenvalues in [1 - eta M, 1 - eta m]"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "eta", tuple(np.linspace(0.02, 0.7, 40).tolist()), {"mu": 1.0, "beta": 3.0}, log_y=False
    ),
    quantity="largest |psi(w) - psi(w')|/|w - w'|",
    correction="max(|1 - eta m|, |1 - eta M|) for every step size.",
)
CLAIMS = (SMOOTH, CURVED)


def modulus(eta: float, beta: float, mu: float = 0.0) -> float:
    """The largest ratio over quadratics of curvature mu and beta (linear losses for mu = 0).

    In exact arithmetic: at eta mu = 1 nothing is left of the distance.
    """
    points, slope, step = (Fraction(7, 10), Fraction(-2, 5)), Fraction(3, 10), Fraction(eta)
    images = [[w - step * (Fraction(h) * w - slope) for w in points] for h in (mu, beta)]
    return max(float(abs((a - b) / (points[0] - points[1]))) for a, b in images)


MEASURES = {"olu.lemd.1": modulus, "olu.lemd.2": modulus}


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


def check_smooth(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        beta = float(rng.exponential()) + 1e-3
        inputs = {"eta": 2 / beta * float(rng.uniform(0.01, 1)), "beta": beta}
        found = modulus(**inputs)
        yield ctx.compare(
            "literal", "printed", found, inputs, "linear losses", script="lemd_1_linear"
        )  # fmt: skip
        yield ctx.compare("literal", "corrected", found, inputs, "linear losses", relation="==")
        yield ctx.compare("literal", "corrected", curved(rng, **inputs), inputs, "log cosh losses")


def check_curved(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for n in range(ctx.pick(30, 300)):
        mu = float(np.exp(rng.normal()))
        beta = mu * float(rng.uniform(1.01, 10))
        best = 2 / (beta + mu)
        reading = "literal" if n % 2 else "any"
        eta = best if n % 2 else best * float(rng.uniform(0.05, 1.5))
        inputs = {"eta": eta, "mu": mu, "beta": beta}
        found, others = modulus(**inputs), curved(rng, **inputs)
        exactly = "==" if n % 2 else "<="
        yield ctx.compare(
            reading, "printed", found, inputs, "quadratics of curvature mu and beta",
            relation=exactly, script=None if n % 2 else "lemd_2_short",
        )  # fmt: skip
        yield ctx.compare(
            reading, "corrected", found, inputs, "quadratics of curvature mu and beta",
            relation="==",
        )  # fmt: skip
        yield ctx.compare(reading, "corrected", others, inputs, "log cosh losses")


CHECKERS = {"olu.lemd.1": check_smooth, "olu.lemd.2": check_curved}
