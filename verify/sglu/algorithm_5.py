"""Algorithms 4 and 5 of sglu: what the printed loops return, and what they should."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bounds.sglu import settings
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu import linear_instance

_MNIST = {"eta": 1 / 0.261264, "m": 0.011264, "M": 1.0, "b": 11264, "J": 1}
ALG4 = Claim(
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
            edits={"printed": "return sigma_high instead of K"},
        ),
        Reading(
            "budget",
            "with Algorithm 5 as printed, the number of epochs found is within the budget",
            ("printed",),
        ),
    ),
    natural=Natural(
        "epsilon",
        settings.EPSILONS,
        {**_MNIST, "delta": 1 / 11264, "K": 1, "T": 1000, "R": 100.0, "sigma_high": 10.0},
        log_x=True,
    ),
    quantity="noise scale sigma",
    correction="A closed form needs no search; sigma is to be returned, rounded up, and "
    "Algorithm 5 must return the K it tested.",
)
ALG5 = Claim(
    id="sglu.alg5",
    label="Algorithm 5",
    kind="algorithm",
    statement="The least number of unlearning epochs whose bound by Theorem 3.2 and "
    "Proposition K.2 is at most the target epsilon.",
    readings=(
        Reading(
            "literal",
            "least K of the paper's own bound; learning took T epochs in a ball of radius R",
            ("printed", "corrected"),
            proofs={"corrected": "the bound falls with K; its minimum over alpha is explicit"},
            edits={"printed": "test before increasing K"},
        ),
        Reading(
            "convergent",
            "least K of the exact accounting, learning converged",
            ("tight",),
            proofs={"tight": "the linear instance meets the target, and misses it with K - 1"},
        ),
    ),
    natural=Natural(
        "sigma",
        (0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1),
        {**_MNIST, "epsilon": 1.0, "delta": 1 / 11264, "T": 1000, "R": 100.0},
        log_x=True,
        log_y=False,
    ),
    quantity="unlearning epochs",
    correction="Test before increasing K; 2R c^{Tn/b} belongs into Z (line 6), capped by 2R.",
)
CLAIMS = (ALG4, ALG5)


def measure_4(
    epsilon: float, delta: float, K: float, eta: float, m: float, M: float, b: float, J: float,
    **_: float,
) -> float:  # fmt: skip
    """Least noise that meets the target on the linear instance."""
    return linear_instance.least_sigma(epsilon, delta, eta, m, M, b, int(J), int(K))


def measure_5(
    epsilon: float, delta: float, sigma: float, eta: float, m: float, M: float, b: float, J: float,
    **_: float,
) -> int:  # fmt: skip
    """Least epochs that meet the target on the linear instance, one by one."""
    return linear_instance.least_epochs(epsilon, delta, sigma, eta, m, M, b, int(J))[0]


MEASURES: dict[str, Callable[..., float]] = {"sglu.alg4": measure_4, "sglu.alg5": measure_5}


def walk(inputs: dict[str, Any]) -> int:
    """Least K by trying K = 1, 2, ... in Theorem 3.2, alpha minimised numerically."""
    from scipy.optimize import minimize_scalar

    eta, J, R = inputs["eta"], inputs["J"], inputs["R"]
    c = 1 - eta * inputs["m"]
    left = 2 * R * c ** (inputs["T"] * J)
    kicks = sum(c ** (t * J) for t in range(int(inputs["T"])))
    Z = min(left + kicks * 2 * eta * inputs["M"] / inputs["b"], 2 * R)
    noise, logs = 2 * eta * inputs["sigma"] ** 2, math.log(1 / inputs["delta"])

    def epsilon(K: int) -> float:
        a = (left**2 + (Z * c ** (K * J)) ** 2) / noise

        def at(v: float) -> float:
            order = 1 + math.exp(v)
            return float((order - 0.5) / (order - 1) * 2 * order * a + logs / (order - 1))

        return float(minimize_scalar(at, bounds=(-15, 25), method="bounded").fun)

    K = 1
    while epsilon(K) > inputs["epsilon"]:
        K += 1
    return K


def check_5(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = []
    for _ in range(ctx.pick(8, 80)):
        m = float(np.exp(rng.normal()))
        cases.append(
            {
                "epsilon": float(np.exp(rng.normal())), "delta": float(10 ** rng.uniform(-6, -2)),
                "sigma": float(np.exp(rng.normal())), "eta": float(rng.uniform(0.02, 0.3)) / m,
                "m": m, "M": float(rng.exponential()) + 0.1, "b": int(rng.integers(1, 6)),
                "J": int(rng.integers(1, 5)), "T": int(rng.integers(300, 400)), "R": 10.0,
            }
        )
    for n in settings.SIZES.values():
        for batch, T in ((128, 20), (n, 1000)):
            known = {k: float(v) for k, v in settings.constants(n, batch).items()}
            cases.append(
                {"epsilon": 1.0, "delta": 1 / n, "sigma": 0.03, **known, "T": T, "R": 100.0}
            )
    for inputs in cases:
        least, instance = walk(inputs), "least K of Theorem 3.2, tried one by one"
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, least, inputs, instance, relation="==", tolerance=1e-6, tight=least
            )
        yield ctx.compare(
            "convergent", "tight", measure_5(**inputs), inputs, "linear instance, epoch by epoch",
            relation="==", tolerance=1e-6,
        )  # fmt: skip


def check_4(ctx: Context) -> Iterator[Evidence]:
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
                    exact, instance = measure_4(**inputs), "least noise on the linear instance"
                    yield ctx.compare("literal", "corrected", exact, inputs, instance)
                    yield ctx.compare("literal", "tight", exact, inputs, instance, relation="==")
            found = ctx.formula("printed", **{**inputs, "K": 1})
            yield ctx.compare(
                "budget", "printed", found, {**inputs, "K": 1},
                "epochs that the search ends with, against a budget of one", bound=1.0,
                tight=np.nan,
            )  # fmt: skip


CHECKERS = {"sglu.alg4": check_4, "sglu.alg5": check_5}
