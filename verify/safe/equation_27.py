"""(27) of safe: the step itself, and that its length never depends on what was deleted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import logistic

EQ27 = Claim(
    id="safe.eq27",
    label="Equation (27)",
    kind="definition",
    statement="w_t = w_0 - gamma g_t/|g_t| - b_t, b_t ~ N(0, phi_t), g_t the gradient of the "
    "surrogate risk at w_0.",
    readings=(
        Reading("literal", "g_t is not 0", ("printed",)),
        Reading("stationary", "g_t = 0", ("printed",)),
    ),
    natural=Natural(
        "gamma", tuple(np.linspace(0, 1, 21).tolist()),
        {"w0": 1.5, "g": 0.3, "norm": 0.5, "b": 0.01}, log_y=False,
    ),
    quantity="coordinate of the published model",
    correction="b_t ~ N(0, phi_t I_d), and no step where g_t = 0.",
)  # fmt: skip
LENGTH = Claim(
    id="safe.eq27.length",
    label="Length of the step (27)",
    kind="equality",
    statement="|w_t + b_t - w_0| = gamma, whatever was deleted.",
    readings=(
        Reading("literal", "g_t is not 0", ("tight",),
                proofs={"tight": "g_t/|g_t| is a unit vector"}),
    ),
    natural=Natural("gamma", tuple(np.linspace(0.05, 1, 20).tolist()), {}),
    quantity="distance from w_0 without the noise",
    correction="The step does not know how far the optimal model is.",
)  # fmt: skip
CLAIMS = (EQ27, LENGTH)

def step(w0: np.ndarray, g: np.ndarray, gamma: float, b: np.ndarray) -> np.ndarray:
    """One step of Algorithm 1, coordinate by coordinate."""
    squares = sum(x * x for x in g.tolist())
    return np.array([a - gamma * x / squares**0.5 - e for a, x, e in zip(w0, g, b, strict=True)])


def measure(w0: float, gamma: float, g: float, norm: float, b: float) -> float:
    """First coordinate of a step in two dimensions whose gradient has this norm."""
    rest = np.sqrt(max(norm**2 - g**2, 0.0))
    return float(step(np.array([w0, 0.0]), np.array([g, rest]), gamma, np.array([b, 0.0]))[0])


def measure_length(gamma: float, seed: int = 0) -> float:
    """|w_t + b_t - w_0| in a ridge-logistic world, lambda = 0, after a random deletion."""
    rng = np.random.default_rng(seed)
    world, b = logistic(rng, 3), rng.normal(size=2)
    w0 = world.star(0)
    g = world.mean_gradient(world.kept(1 + seed % 3), w0)
    return float(np.linalg.norm(step(w0, g, gamma, b) + b - w0))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 3000)):
        d = int(rng.integers(1, 7))
        w0, g, b = rng.normal(size=(3, d))
        # The entries of a result near 0 have no digits of their own.
        gamma, norm = float(rng.exponential()), float(np.linalg.norm(g))
        found = ctx.formula("printed", w0=w0, gamma=gamma, g=g, norm=norm, b=b)
        yield ctx.compare(
            "literal", "printed", step(w0, g, gamma, b) + 10,
            {"d": d, "gamma": gamma, "norm": norm}, "random vectors", bound=found + 10,
            tight=found + 10, relation="==", tolerance=1e-13,
        )  # fmt: skip
    inputs = {"w0": 1.5, "gamma": 0.2, "g": 0.3, "norm": 0.5, "b": 0.01}
    yield ctx.compare(
        "literal", "printed", measure(**inputs), inputs, "two dimensions", relation="=="
    )
    for name, other in (("no normalisation", 1.43), ("noise added", 1.39)):
        yield ctx.compare(
            "literal", "printed", other, inputs, name, relation="==", role="control"
        )
    yield ctx.declare(
        "stationary", "printed", "unspecified",
        "0/0; it happens, for lambda = 0 and deleted gradients that cancel. No step is taken here",
    )  # fmt: skip


def check_length(ctx: Context) -> Iterator[Evidence]:
    gammas = (0.1, 1.0, 1e-6)
    for seed in range(ctx.pick(12, 300)):
        gamma = gammas[seed % 3]
        yield ctx.compare(
            "literal", "tight", measure_length(gamma, seed), {"gamma": gamma, "seed": seed},
            "ridge-logistic losses, a random deletion", relation="==",
        )  # fmt: skip
    for gone, distance in (((1.0,), 1.0), ((10.0,), 2.0), ((5.0, 10.0), 3.5)):
        yield ctx.compare(
            "literal", "tight", distance, {"gamma": 0.1, "gone": gone},
            "distance from w_0 to the optimal model of the round", relation="==", role="control",
        )  # fmt: skip


CHECKERS = {EQ27.id: check, LENGTH.id: check_length}
MEASURES = {EQ27.id: measure, LENGTH.id: measure_length}
