"""(33) and (34) of olu: quadratics, and one deletion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def measure_self(D: float, beta: float, X: float) -> float:
    """(3D/2) |f'| for (beta/2) z^2 where its value is X."""
    z = np.sqrt(2 * X / beta)
    return float(1.5 * D * abs(beta * z))


def check_self(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    inputs = {"D": 1.0, "beta": 3.0, "X": 0.735}
    words = "one quadratic"
    yield ctx.compare(
        "literal", "printed", measure_self(**inputs), inputs, words, script="eq33_quadratic"
    )
    for _ in range(ctx.pick(100, 2000)):
        beta, D = np.exp(rng.normal(size=2)).tolist()
        z = rng.normal(size=int(rng.integers(1, 20)))
        value = {"D": D, "beta": beta, "X": float(np.sum(beta * z**2 / 2))}
        left = 1.5 * D * float(np.sqrt(np.sum((beta * z) ** 2)))
        yield ctx.compare(
            "literal", "corrected", left, value, "quadratics attain it", relation="=="
        )
        huber = beta * np.where(np.abs(z) < 1, z**2 / 2, np.abs(z) - 0.5)
        left = 1.5 * D * float(np.sqrt(np.sum((beta * np.clip(z, -1, 1)) ** 2)))
        inputs = {"D": D, "beta": beta, "X": float(huber.sum())}
        yield ctx.compare("literal", "corrected", left, inputs, "Huber losses")


def noise_term(
    p_before: np.ndarray,
    p_u: np.ndarray,
    D: float,
    L: float,
    d: float,
    epsilon: float,
    omega: float,
) -> float:
    """sum d sigma_i^2/(2 eta_{tau_i - 1}) from the definitions; p_before = p(tau_i - 1)."""
    i = np.arange(1, p_u.size + 1)
    sigma = np.sqrt(i**omega * omega / (2 * (omega - 1) * epsilon)) * L * D / np.sqrt(p_u)
    return float(np.sum(d * sigma**2 / (2 * D / np.sqrt(p_before))))


def check_noise(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    unit = {"D": 1.0, "L": 1.0, "d": 1.0, "epsilon": 1.0, "omega": 1.5}
    one = {**unit, "p_tau": [4.0], "p_u": [4.0]}
    measured = noise_term(np.array([4.0]), np.array([4.0]), **unit)
    yield ctx.compare("literal", "printed", measured, one, "one deletion", script="eq34_one")
    yield ctx.compare("literal", "corrected", measured, one, "one deletion", relation="==")
    for _ in range(ctx.pick(60, 2000)):
        k = int(rng.integers(1, 12))
        p_u = np.exp(rng.normal(2, 1, size=k))
        before = np.sort(p_u.max() + np.exp(rng.normal(2, 1, size=k)))
        scalars = dict(
            zip(("D", "L", "d", "epsilon"), np.exp(rng.normal(size=4)).tolist(), strict=True)
        )
        scalars["omega"], scalars["d"] = 1 + float(np.exp(rng.normal(-1, 0.7))), 3.0
        measured = noise_term(before, p_u, **scalars)
        inputs = {**scalars, "p_tau": before, "p_u": p_u}
        yield ctx.compare("literal", "tight", measured, inputs, "random sums", relation="==")
        later = {**inputs, "p_tau": before + np.cumsum(rng.exponential(size=k))}
        yield ctx.compare("literal", "tight", measured, later, "p(tau_i) above p(tau_i - 1)")
        yield ctx.compare("literal", "corrected", measured, later, "p(tau_i) above p(tau_i - 1)")


CHECKS = (
    Check("olu.eq33", evidence=check_self, oracle=measure_self),
    Check("olu.eq34", evidence=check_noise),
)
