"""Equations (79) to (81) of sglu, held against the exact stationary laws of quadratics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.linear_instance import privacy_mu


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


def _draw(rng: np.random.Generator) -> dict[str, Any]:
    m = float(np.exp(rng.normal()))
    return {
        "alpha": 1 + rng.exponential(3), "eta": rng.uniform(0.01, 0.9) / m, "m": m,
        "M": rng.exponential() + 0.01, "sigma": rng.exponential() + 0.01,
    }  # fmt: skip


def _check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    measured = ORACLES[ctx.claim.id]
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
        bound=ctx.claim("tight", **{**inputs, "K": inputs["K"] + 1}), role="control",
    )  # fmt: skip


ORACLES: dict[str, Callable[..., float]] = {
    "sglu.eq79": measure_full,
    "sglu.eq80": measure_80,
    "sglu.eq81": measure_full,
}


CHECKS = (
    Check("sglu.eq79", evidence=_check, oracle=measure_full),
    Check("sglu.eq80", evidence=_check, oracle=measure_80),
    Check("sglu.eq81", evidence=_check, oracle=measure_full),
)
