"""(54) of olu: contraction between requests, and the way of the minimisers."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table

Array = np.ndarray


def measure_54(tau_p: float, tau_i: float, mu: float, beta: float) -> float:
    """Two runs on quadratics of curvature mu, steps t = tau_{i-1}..tau_i + 1."""
    apart = Fraction(1)
    for t in range(int(tau_p), int(tau_i) + 2):
        apart -= apart / t
    return float(apart)


def measure_path(i: float, tau_p: float, tau_i: float, mu: float, L: float) -> float:
    """Quadratics: those kept by tau_{i-1} at 0, the new ones at L/mu, one of each block deleted."""
    new = int(tau_i - tau_p) - 1
    old = int(tau_p) - (int(i) - 1)
    return new * L / mu / (new + old)


def check_54(ctx: Context) -> Findings:
    """Products of the factors of random steps between two requests, curvatures mixed."""
    for rng in ctx.draws(100, 2000):
        ratio = float(rng.uniform(1, 8))
        tau_p = int(rng.integers(int(np.ceil((1 + ratio) / 2)), 12)) + 1
        tau_i = tau_p + int(rng.integers(1, 12))
        t = np.arange(tau_p, tau_i + 2)
        product = float(np.abs(1 - rng.choice([1.0, ratio], size=t.size) / t).prod())
        inputs = {"tau_p": tau_p, "tau_i": tau_i, "mu": 1.0, "beta": ratio}
        yield ctx.compare("literal", "corrected", product, inputs, "curvatures mu and beta mixed")


def check_path(ctx: Context) -> Findings:
    """Distance of the minimisers at two requests: random quadratics, and blocks that share one."""
    for rng in ctx.draws(100, 2000):
        tau_p = int(rng.integers(2, 12))
        tau_i = tau_p + int(rng.integers(1, 12))
        d = int(rng.integers(1, 4))
        h, x = rng.uniform(1, 4, size=tau_i), rng.uniform(-1, 1, size=(tau_i, d))
        x[tau_p:] = np.abs(x[tau_p:])
        L = float((h * (np.linalg.norm(x, axis=1) + np.sqrt(d))).max())

        def apart(
            *out: int, h: Array = h, x: Array = x, ends: tuple[int, int] = (tau_i, tau_p)
        ) -> float:
            """How far the minimisers at both ends are from each other without these losses."""
            keep = [[t for t in range(last) if t not in out] for last in ends]
            stars = [h[k] @ x[k] / h[k].sum() for k in keep]
            return float(np.linalg.norm(stars[0] - stars[1]))

        inputs = {"i": 2, "tau_p": tau_p, "tau_i": tau_i, "mu": 1.0, "L": L}
        distance = apart(0, int(rng.integers(tau_p, tau_i)))
        words = "random quadratics on a box"
        yield ctx.compare("literal", "corrected", distance, inputs, words)
        yield ctx.compare("all", "printed", apart(), inputs, words, tight=np.nan)
        # Assumption 2 with a length: the new losses share a minimiser, but the last.
        h[tau_p:], x[tau_p:-1] = rng.uniform(1, 4), x[tau_p]
        A = tau_i * float(np.linalg.norm(h @ x / h.sum() - x[tau_p]))
        inputs = {**inputs, "A": A, "beta": 4.0}
        words = "random quadratics in blocks"
        bound = (4.0 * A + L) / tau_p
        yield ctx.compare("blocks", "corrected", apart(), inputs, words, bound=bound, tight=np.nan)
    two = np.array([0.0] * 3 + [1.0] * 7)
    words = "quadratics in two groups"
    inputs = {"i": 1, "tau_p": 3, "tau_i": 10, "mu": 1.0, "L": 1.0}
    yield ctx.compare("all", "printed", two.mean(), inputs, words, relation="==", tight=np.nan)


SLOW = Instances(
    "quadratics of curvature mu",
    case_table("tau_p tau_i mu beta", (10, 20, 1.0, 3.0), (3, 4, 1.0, 3.0), (50, 200, 1.0, 3.0)),
    relations={"corrected": "=="},
    script="eq54_steps",
)
GROUPS = Instances(
    "quadratics in two groups",
    case_table(
        "i tau_p tau_i mu L", (2, 2, 10, 1.0, 1.0), (2, 5, 9, 1.0, 1.0), (2, 20, 100, 1.0, 1.0)
    ),
    interpretations=("literal",),
    relations={"corrected": "=="},
    script="eq54_path_kept",
)
CHECKS = (
    Check("olu.eq54", check_54, measure_54, (SLOW,)).measured_by(
        "online", "block_expansion", where=("steps 1/(mu t)",)
    ),
    Check("olu.eq54.path", check_path, measure_path, (GROUPS,))
    .measured_by(
        "online",
        "minimisers_apart",
        interpretations=("literal",),
        where=("strong convexity", "losses are asked for in turn"),
    )
    .beside("means of 1 and -1 by turns, two late requests"),
)
