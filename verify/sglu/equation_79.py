"""Equations (79) to (81) of sglu, held against the exact stationary laws of quadratics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.linear_instance import privacy_mu

_STATIONARY = "both laws start stationary, eta <= 1/L, gradient differences at most 2M"
_EXACT = "Theorem X: adjacent noise of learning and unlearning together"
_SMALL = {"alpha": 3.0, "eta": 0.8, "m": 0.5, "M": 1.0, "sigma": 0.3}

EQ79 = Claim(
    id="sglu.eq79",
    label="Equation (79)",
    kind="inequality",
    statement="Langevin unlearning of S points is within Rényi difference "
    "exp(-m eta K/alpha) 4 alpha S^2 M^2/(m sigma^2 n^2).",
    readings=(
        Reading(
            "literal", _STATIONARY + ", full batch", ("printed", "tight"),
            proofs={"printed": "Theorems M.1 and M.2; at least twice the exact bound",
                    "tight": _EXACT},
        ),
    ),
    natural=Natural(
        "K", tuple(float(k) for k in range(0, 31)), {**_SMALL, "eta": 0.2, "n": 6, "S": 1}
    ),
    quantity="Rényi difference to retraining",
    correction="alpha S^2 M^2 (2 - eta m) c^{2K}/(m sigma^2 n^2) is exact.",
)  # fmt: skip
EQ80 = Claim(
    id="sglu.eq80",
    label="Equation (80)",
    kind="inequality",
    statement="Stochastic gradient Langevin unlearning is within Rényi difference "
    "c^{2Kn/b} 2 alpha M^2/(eta m^2 sigma^2 b^2).",
    readings=(
        Reading(
            "literal", _STATIONARY, ("printed", "tight"),
            proofs={"printed": "Corollary 3.8 and 1 - c <= 1 - c^{n/b}", "tight": _EXACT},
        ),
    ),
    natural=Natural(
        "K", tuple(float(k) for k in range(1, 16)), {**_SMALL, "eta": 0.1, "b": 2, "J": 3}
    ),
    quantity="Rényi difference to retraining",
    correction="Z = q/(1 - c^{n/b}) and the factor (1 - c^2)/2.",
)  # fmt: skip
EQ81 = Claim(
    id="sglu.eq81",
    label="Equation (81)",
    kind="inequality",
    statement="With the full batch the bound is below exp(-2 K eta m) times the Langevin "
    "initial factor times 1/(2 m eta).",
    readings=(
        Reading(
            "literal",
            _STATIONARY + ", full batch",
            ("printed", "tight"),
            proofs={"printed": "(80) with b = n and 1 - x < exp(-x)", "tight": _EXACT},
        ),
    ),
    natural=Natural("K", tuple(float(k) for k in range(0, 31)), {**_SMALL, "eta": 0.2, "n": 6}),
    quantity="Rényi difference to retraining",
    correction="The initial factor is (2 - eta m)/4 <= 1/2, not 1/(2 m eta): the text's "
    "comparison with Langevin unlearning is reversed.",
)
CLAIMS = (EQ79, EQ80, EQ81)


def measure_80(
    alpha: float, eta: float, m: float, M: float, sigma: float, b: float, J: float, K: float,
    S: float = 1,
) -> float:  # fmt: skip
    """Exact divergence between the unlearned and the retrained law of the linear instance.

    Their covariances are one stationary covariance, so that only the means' distance counts.
    """
    return alpha * privacy_mu(eta, m, M, sigma, b, int(J), int(K), int(S)) ** 2 / 2


def measure_full(
    alpha: float, eta: float, m: float, M: float, sigma: float, n: float, K: float, S: float = 1
) -> float:
    """The same with one batch an epoch and S replaced points."""
    return measure_80(alpha, eta, m, M, sigma, n, 1, K, S)


MEASURES: dict[str, Callable[..., float]] = {
    "sglu.eq79": measure_full,
    "sglu.eq80": measure_80,
    "sglu.eq81": measure_full,
}


def _draw(rng: np.random.Generator) -> dict[str, Any]:
    m = float(np.exp(rng.normal()))
    return {
        "alpha": 1 + rng.exponential(3), "eta": rng.uniform(0.01, 0.9) / m, "m": m,
        "M": rng.exponential() + 0.01, "sigma": rng.exponential() + 0.01,
    }  # fmt: skip


def _check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    measured = MEASURES[ctx.claim.id]
    for _ in range(ctx.pick(40, 400)):
        inputs = _draw(rng)
        if ctx.claim.id == "sglu.eq80":
            inputs |= {"b": int(rng.integers(1, 9)), "J": int(rng.integers(1, 6)),
                       "K": int(rng.integers(1, 5))}  # fmt: skip
        else:
            inputs |= {"n": int(rng.integers(1, 40)), "K": int(rng.integers(0, 12))}
        if ctx.claim.id == "sglu.eq79":
            inputs["S"] = int(rng.integers(1, inputs["n"] + 1))
        exact = measured(**inputs)
        instance = "quadratics, stationary laws"
        yield ctx.compare("literal", "printed", exact, inputs, instance)
        yield ctx.compare("literal", "tight", exact, inputs, instance, relation="==")
    yield ctx.compare(
        "literal", "tight", exact, inputs, "one more epoch for free",
        bound=ctx.formula("tight", **{**inputs, "K": inputs["K"] + 1}), role="control",
    )  # fmt: skip


CHECKERS = dict.fromkeys(MEASURES, _check)
