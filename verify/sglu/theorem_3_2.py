"""Theorem 3.2 of sglu: empty on R^d, true on the ball, and far from the exact projected laws."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from simulators.exact.transfer import Atoms
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu import real_data
from verify.sglu.instances import ProjectedRun, renyi_difference

FORMS = ("printed", "corrected", "tight")
PROOFS = {
    "printed": "weak triangle inequality with p = q = 2, Lemmas 3.4 to 3.6",
    "corrected": "Gaussian-DP parameters add along a chain of laws; Lemma 3.4's best constant",
    "tight": "Theorem X (iv): shifted interpolation of the runs aligned at their ends",
}
CLAIM = Claim(
    id="sglu.thm3.2",
    label="Theorem 3.2",
    kind="inequality",
    statement="K unlearning epochs after T learning epochs are within (alpha - 1/2)/(alpha - 1) "
    "(eps_1(2 alpha) + eps_2(2 alpha)) of T epochs of retraining, for every batch sequence.",
    readings=(
        Reading(
            "literal",
            "losses M-Lipschitz and m-strongly convex on all of R^d, m > 0 (Appendix B)",
            ("printed",),
        ),
        Reading(
            "ball",
            "the same on C_R only, which needs M >= mR",
            FORMS,
            proofs=PROOFS,
            stance="repair",
        ),
        Reading(
            "difference",
            "gradient differences <= 2M on C_R in place of Lipschitz losses (Remark 3.7)",
            FORMS,
            proofs=PROOFS,
        ),
    ),
    natural=Natural(
        "K",
        tuple(float(k) for k in range(1, 13)),
        {
            "alpha": 3.0, "eta": 0.8, "m": 0.1, "M": 1.0, "sigma": 0.3, "R": 2.0, "b": 2.0,
            "J": 3.0, "T": 6.0,
        },
    ),
    quantity="d_alpha(unlearned, retrained for T epochs)",
    correction="Assume gradient differences <= 2M; use the variance 2 eta sigma^2 and no "
    "triangle inequality.",
)  # fmt: skip


def measure(
    alpha: float, eta: float, m: float, M: float, sigma: float, R: float, b: float, J: float,
    T: float, K: float, drift: float = 0.0,
) -> float:  # fmt: skip
    """Exact d_alpha on [-R, R] from the end R: quadratics, one point of the last batch M to -M.

    `drift` is added to every point's data, which leaves gradient differences alone.
    """
    run = ProjectedRun.linear(
        R=R, eta=eta, m=m, sigma=sigma, b=int(b), J=int(J), old=drift + M, new=drift - M, rest=drift
    )
    start = Atoms.at(R if drift <= 0 else -R)
    return renyi_difference(
        run.unlearned(int(T), int(K), start), run.learned(-1, int(T), start), alpha
    )


def check(ctx: Context) -> Iterator[Evidence]:
    yield ctx.compare(
        "literal", "printed", 3.0, {"M": 1.0, "m": 0.5, "distance": 6.0},
        "gradients at distance 3M/m differ by at least 3M and by at most 2M: no such loss",
        bound=2.0, role="class", script="thm3_2",
    )  # fmt: skip
    base = {"alpha": 3.0, "eta": 0.8, "m": 0.25, "M": 1.0, "sigma": 0.3, "R": 2.0, "b": 2, "J": 3}
    span = (1, 2, 4) if ctx.profile == "quick" else tuple(range(1, 9))
    for alpha, T, K in product((1.2, 3.0), span, span):
        inputs = {**base, "alpha": alpha, "T": T, "K": K}
        # On the ball the data must leave room for the quadratic: |d| <= M - mR.
        exact = measure(**{**inputs, "M": base["M"] - base["m"] * base["R"]})
        yield from ctx.compare_forms("ball", exact, inputs, "M-Lipschitz quadratics on [-R, R]")
        exact = measure(**inputs)
        yield from ctx.compare_forms("difference", exact, inputs, "quadratics on [-R, R] from R")
    rng = ctx.rng()
    for _ in range(ctx.pick(10, 100)):
        m = float(rng.uniform(0.05, 0.9))
        inputs = {
            "alpha": float(1 + rng.exponential(2)), "eta": float(rng.uniform(0.2, 1)), "m": m,
            "M": float(rng.uniform(0.1, 4)), "sigma": float(rng.uniform(0.2, 0.8)),
            "R": float(rng.uniform(0.2, 2)), "b": int(rng.integers(1, 4)),
            "J": int(rng.integers(1, 4)), "T": int(rng.integers(1, 6)),
            "K": int(rng.integers(1, 6)),
        }  # fmt: skip
        exact = measure(**inputs, drift=m * inputs["R"] * float(rng.uniform(-1, 1)))
        yield from ctx.compare_forms("difference", exact, inputs, "quadratics with a common drift")
    yield from _near_the_ends(ctx)
    yield from _controls(ctx)
    yield from real_data.renyi(ctx, "difference", FORMS, "T")


def _near_the_ends(ctx: Context) -> Iterator[Evidence]:
    """Where the printed form is least loose: both of its terms alike, one step all but forgetting.

    It is at least twice the corrected form there and everywhere: (x + y)^2 <= 2(x^2 + y^2), the
    variance of a state is at least that of one step, and (alpha - 1/2)/(alpha - 1) > 1.
    """
    inputs = {
        "alpha": 80.0, "eta": 1.0, "m": 0.92, "M": 0.112, "sigma": 0.1, "R": 1.3, "b": 1, "J": 1,
        "T": 3, "K": 2,
    }  # fmt: skip
    drift, room = 0.81, inputs["m"] * inputs["R"]
    exact = measure(**inputs, drift=drift)
    instance = "drift towards the other end, two terms alike"
    yield from ctx.compare_forms("difference", exact, inputs, instance)
    # The same kick by one point of many, whose Lipschitz constant the drift then hardly changes.
    many = {**inputs, "b": 1000, "M": 1000 * inputs["M"]}
    inside = measure(**many, drift=drift)
    ball = {**many, "M": many["M"] + drift + room}
    yield from ctx.compare_forms("ball", inside, ball, instance + ", M-Lipschitz")


def _controls(ctx: Context) -> Iterator[Evidence]:
    """The fixed point is the other end, 2R from the start: 2R c^{TJ} is nearly attained."""
    inputs = {
        "alpha": 2.0, "eta": 0.5, "m": 0.4, "M": 0.01, "sigma": 0.1, "R": 1.0, "b": 1, "J": 2,
        "T": 3, "K": 6,
    }  # fmt: skip
    exact = measure(**inputs, drift=inputs["m"] * inputs["R"])
    instance = "drift from one end to the other"
    yield from ctx.compare_forms("difference", exact, inputs, instance)
    ball = {**inputs, "M": 2 * inputs["m"] * inputs["R"] + inputs["M"], "b": 100}
    inside = measure(**{**ball, "M": inputs["M"]}, drift=inputs["m"] * inputs["R"])
    yield from ctx.compare_forms("ball", inside, ball, instance + ", M-Lipschitz")
    c, steps = 1 - inputs["eta"] * inputs["m"], (inputs["T"] + inputs["K"]) * inputs["J"]
    q, T, K, J = 2 * inputs["eta"] * inputs["M"] / inputs["b"], 3, 6, 2
    variance = 2 * inputs["eta"] * inputs["sigma"] ** 2 * np.sum(c ** (2.0 * np.arange(T * J)))
    short = 2 * inputs["R"] * c**steps + q * c ** (K * J)
    yield ctx.compare(
        "difference", "tight", exact, inputs, "2R c^{(T+K)J} for 2R c^{TJ} would be too small",
        bound=inputs["alpha"] * short**2 / (2 * variance), role="control",
    )  # fmt: skip
