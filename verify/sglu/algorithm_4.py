"""Algorithm 4 of sglu: it returns epochs where a noise is asked; closed forms need no search."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from bounds.sglu import settings
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu import linear_instance
from verify.sglu.algorithm_5 import MNIST, least_epsilon, loop

CLAIM = Claim(
    id="sglu.alg4",
    label="Algorithm 4",
    kind="algorithm",
    statement="Binary search for the least noise with which a budget of unlearning epochs meets "
    "the target epsilon.",
    readings=(
        Reading(
            "literal",
            "learning converged; the value returned is the noise to use",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "Corollary 3.8 with the weak triangle of Theorem 3.2, inverted",
                "tight": "the linear instance meets the target with equality",
            },
        ),
        Reading(
            "inverted",
            "at this noise the paper's own bound, learning converged, is the target",
            ("corrected",),
            proofs={"corrected": "3 rho + 2 sqrt(2 rho (rho + log(1/delta))) solved for rho"},
            stance="repair",
        ),
        Reading(
            "budget",
            "with Algorithm 5 as printed, the number of epochs found is within the budget",
            ("printed",),
            stance="part",
        ),
        Reading(
            "loop",
            "the value that the printed lines return, run one by one",
            ("printed",),
            proofs={"printed": "Algorithm 5's loop in closed form, the same bisection"},
            stance="part",
        ),
    ),
    natural=Natural(
        "epsilon",
        settings.EPSILONS,
        {**MNIST, "delta": 1 / 11264, "K": 1, "T": 1000, "R": 100.0, "sigma_high": 10.0},
        log_x=True,
    ),
    quantity="noise scale sigma",
    correction="A closed form needs no search; sigma is to be returned, rounded up, and "
    "Algorithm 5 must return the K it tested.",
)


def measure(
    epsilon: float, delta: float, K: float, eta: float, m: float, M: float, b: float, J: float,
    **_: float,
) -> float:  # fmt: skip
    """Least noise that meets the target on the linear instance."""
    return linear_instance.least_sigma(epsilon, delta, eta, m, M, b, int(J), int(K))


def search(inputs: dict[str, float]) -> float:
    """The printed bisection over the printed loop of Algorithm 5."""
    low, high, found = 0.0, inputs["sigma_high"], math.inf
    while high - low > 1e-8:
        middle = (low + high) / 2
        found = loop({**inputs, "sigma": middle})
        low, high = (low, middle) if found <= inputs["K"] else (middle, high)
    return found


def check(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "ill-typed", "line 11 returns K, a number of epochs, for a noise"
    )
    for n in settings.SIZES.values():
        for batch, T in ((128, 20), (n, 1000)):
            known = {k: float(v) for k, v in settings.constants(n, batch).items()}
            for epsilon in settings.EPSILONS:
                for K in (1, 2):
                    inputs = {
                        **known, "epsilon": epsilon, "delta": 1 / n, "K": K, "T": T,
                        "R": settings.RADIUS, "sigma_high": 10.0,
                    }  # fmt: skip
                    exact, instance = measure(**inputs), "least noise on the linear instance"
                    yield ctx.compare("literal", "corrected", exact, inputs, instance)
                    yield ctx.compare("literal", "tight", exact, inputs, instance, relation="==")
                    sigma = ctx.scale * float(ctx.formula("corrected", **inputs))
                    c = 1 - known["eta"] * known["m"]
                    left = 2 * known["eta"] / batch * c ** (K * known["J"]) / (1 - c ** known["J"])
                    yield ctx.compare(
                        "inverted", "corrected",
                        least_epsilon(left**2 / (2 * known["eta"] * sigma**2), math.log(n)), inputs,
                        "the printed bound at this noise, alpha minimised numerically",
                        bound=epsilon, tight=epsilon, relation="==",
                    )  # fmt: skip
            found = ctx.formula("printed", **{**inputs, "K": 1})
            yield ctx.compare(
                "budget", "printed", found, {**inputs, "K": 1},
                "epochs that the search ends with, against a budget of one", bound=1.0,
                tight=np.nan, script="alg4",
            )  # fmt: skip
    # Steps that forget nearly all and a small delta: only the factor 2 of Corollary 3.8 is left.
    sharp = {
        "epsilon": 20.0, "delta": 1e-100, "K": 1.0, "eta": 1.0, "m": 0.97, "M": 1.0, "b": 1.0,
        "J": 1.0,
    }  # fmt: skip
    for form, relation in (("corrected", "<="), ("tight", "==")):
        yield ctx.compare(
            "literal", form, measure(**sharp), sharp, "least noise where eta m is near 1",
            relation=relation,
        )  # fmt: skip
    small = {
        "epsilon": 0.7, "delta": 0.01, "eta": 0.25, "m": 1.0, "M": 2.0, "b": 2, "J": 2, "T": 12,
        "R": 0.5,
    }  # fmt: skip
    for K, sigma_high in ((2, 3.0), (3, 4.0), (2, 0.3), (5, 1e-9)):
        inputs = {**small, "K": K, "sigma_high": sigma_high}
        yield ctx.compare(
            "loop", "printed", search(inputs), inputs, "the printed lines, run one by one",
            relation="==", tight=np.nan,
        )  # fmt: skip
