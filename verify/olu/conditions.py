"""Conditions C1 to C3 of olu for online gradient descent, and where each of them stops."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

MARKOV = Claim(
    id="olu.c1",
    label="(C1)",
    kind="definition",
    statement="Markovian output: g_t(f_{1:t}, z_{1:t-1}) = g_t(f_t, z_{t-1}).",
    aliases=("olu.C1", "olu.C1-C3"),
    formula=False,
    readings=(Reading("literal", "projected online gradient descent", ("printed",)),),
)
CONTRACTION = Claim(
    id="olu.c2",
    label="(C2)",
    kind="definition",
    statement="gamma-contraction: ||g_t(f, z_1) - g_t(f, z_2)|| <= gamma ||z_1 - z_2||.",
    aliases=("olu.C2",),
    readings=(
        Reading(
            "literal",
            "projected online gradient descent; gamma is c_t, another one at each step",
            ("corrected",),
        ),
    ),
    natural=Natural(
        "eta", tuple(np.linspace(0.02, 1, 50).tolist()), {"mu": 1.0, "beta": 3.0}, log_y=False
    ),
    quantity="Lipschitz constant of the step",
    correction="c_t = max(|1 - eta_t mu|, |1 - eta_t beta|), which may exceed 1 in early steps.",
)
SENSITIVITY = Claim(
    id="olu.c3",
    label="(C3)",
    kind="definition",
    statement="Delta-sensitivity: ||g_t(f, x) - x|| <= Delta_t.",
    aliases=("olu.C3",),
    readings=(
        Reading("literal", "projected online gradient descent, x in K", ("printed",)),
        Reading("reachable", "x wherever noise after the projection drives it", ("printed",)),
    ),
    natural=Natural("eta", tuple(np.linspace(0.02, 1, 50).tolist()), {"L": 1.0}, log_y=False),
    quantity="length of the step",
    correction="Ask (C3) of every reachable point, or project after the noise.",
)
CLAIMS = (MARKOV, CONTRACTION, SENSITIVITY)


def modulus(eta: float, mu: float, beta: float) -> float:
    """The largest ratio over quadratic losses of curvature mu and beta, from two points each.

    In exact arithmetic: at eta mu = 1 nothing is left of the distance.
    """
    points, x = (Fraction(3, 10), Fraction(-1, 5)), Fraction(1, 10)
    curvatures = [Fraction(eta) * Fraction(h) for h in (mu, beta)]
    images = [[z - move * (z - x) for z in points] for move in curvatures]
    return max(float(abs((a - b) / (points[0] - points[1]))) for a, b in images)


def length(eta: float, L: float) -> float:
    """The step on a linear loss of slope L, from a point far from the boundary of K."""
    x = 0.25
    return abs((x - eta * L) - x)


MEASURES = {"olu.c2": modulus, "olu.c3": length}


def run(gradients: np.ndarray, curvature: np.ndarray, start: np.ndarray, eta: float) -> np.ndarray:
    """Projected descent in the unit ball on (h/2)|z|^2 - <g, z>, from `start`."""
    z = start
    for g, h in zip(gradients, curvature, strict=True):
        z = z - eta * (h * z - g)
        z = z / max(1.0, float(np.linalg.norm(z)))
    return z


def check_markov(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    whole, parts, momentum = [], [], []
    for _ in range(ctx.pick(50, 500)):
        g, h, eta = rng.normal(size=(12, 3)), rng.exponential(size=12), float(rng.uniform(0.1, 1))
        whole.append(run(g, h, np.zeros(3), eta))
        parts.append(run(g[5:], h[5:], run(g[:5], h[:5], np.zeros(3), eta), eta))
        # A learner with momentum: the same state, another past.
        momentum.append(whole[-1] + 0.5 * (whole[-1] - run(g[:-1], h[:-1], np.zeros(3), eta)))
    yield ctx.compare(
        "literal", "printed", np.array(parts), {}, "the run restarted from z_5 alone",
        bound=np.array(whole), relation="==",
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", np.array(momentum), {}, "a learner with momentum is not Markovian",
        bound=np.array(whole), relation="==", role="control",
    )  # fmt: skip


def check_contraction(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        mu = float(np.exp(rng.normal()))
        beta = mu * float(rng.uniform(1, 8))
        inputs = {"eta": float(rng.exponential()) / beta, "mu": mu, "beta": beta}
        yield ctx.compare(
            "literal", "corrected", modulus(**inputs), inputs, "quadratics", relation="=="
        )  # fmt: skip
        z = rng.uniform(-2, 2, (200, 2))
        x = rng.normal(size=(200, 1))
        step = z - inputs["eta"] * (mu * (z - x) + (beta - mu) * np.tanh(z - x))
        step = np.clip(step, -1.5, 1.5)
        ratios = np.abs(step[:, 0] - step[:, 1]) / np.abs(z[:, 0] - z[:, 1])
        yield ctx.compare(
            "literal", "corrected", ratios, inputs, "log cosh losses, projected"
        )  # fmt: skip
    etas = 1 / np.arange(3.0, 9.0)
    steps = {"eta": etas, "mu": 1.0, "beta": 3.0}
    yield ctx.compare(
        "literal", "corrected", [modulus(float(e), 1.0, 3.0) for e in etas], steps,
        "gamma = (beta - mu)/(beta + mu) is no contraction of the steps 1/(mu t)",
        bound=0.5, role="control",
    )  # fmt: skip


def check_sensitivity(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        inputs = {"eta": float(rng.exponential()), "L": float(rng.exponential())}
        yield ctx.compare(
            "literal", "printed", length(**inputs), inputs, "linear losses", relation="=="
        )  # fmt: skip
    eta, L = rng.exponential(size=(2, ctx.pick(500, 20_000)))
    x = rng.uniform(-1, 1, eta.size)
    gradient = L * np.tanh(rng.normal(size=eta.size) + 3 * x)
    after = np.clip(x - eta * gradient, -1, 1)
    yield ctx.compare(
        "literal", "printed", np.abs(after - x), {"eta": eta, "L": L}, "projected, points of K"
    )  # fmt: skip
    far = {"eta": 0.5, "L": 1.0}
    outside = np.clip(5.0 - 0.5 * 5.0, -1, 1)
    yield ctx.compare(
        "reachable", "printed", abs(float(outside) - 5.0), {**far, "x": 5.0},
        "f = z^2/2 on K = [-1, 1], at 5", script="c3_far",
    )  # fmt: skip


CHECKERS = {
    "olu.c1": check_markov,
    "olu.c2": check_contraction,
    "olu.c3": check_sensitivity,
}
