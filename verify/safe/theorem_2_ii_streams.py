"""Exact regrets of SAFE on three streams, against runs in fractions and quadrature."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.streams import (
    Run,
    Stream,
    absolute,
    absolute_slope,
    mean_excess,
    mean_stream,
    median,
    median_stream,
    safe,
)

TIMES = (4.0, 16.0, 36.0, 100.0, 400.0, 1600.0, 6400.0)


def still(T: int) -> Run:
    """A constant risk: T + 1 points at 0, one of which leaves in each round."""
    data = Stream({0: T + 1}, tuple({0: 1} for _ in range(T)), absolute, absolute_slope, median)
    return safe(data, 0.1)


def constant(U: float, T: float, d: float, phi: float) -> float:
    """T U E|b|: quadrature on the line; in space the radius has density r^{d-1} e^{-r^2/2}."""
    if d == 1:
        return U * mean_excess(still(int(T)), phi)
    from scipy.integrate import quad

    def weight(r: float, power: float) -> float:
        return math.exp(power * math.log(r) - r * r / 2 - peak) if r else 0.0

    centre = math.sqrt(d)
    peak = d * math.log(centre) - centre**2 / 2
    ends = max(0.0, centre - 12), centre + 12
    top, bottom = (quad(weight, *ends, args=(p,), epsabs=0, epsrel=1e-12)[0] for p in (d, d - 1))
    return U * T * math.sqrt(phi) * float(top / bottom)


def constant_ball(U: float, W: float, T: float, phi: float) -> float:
    return U * mean_excess(still(int(T)), phi, W)


def moved(U: float, W: float, K: float, T: float, c: float, phi: float) -> float:
    run = safe(median_stream(c, int(T)), math.sqrt(W / T) / K)
    return U * (mean_excess(run, phi) if phi else float(run.regret))


def moved_ball(U: float, W: float, K: float, T: float, phi: float) -> float:
    return U * mean_excess(safe(median_stream(W, int(T)), math.sqrt(W / T) / K), phi, W)


def mean_moved(W: float, K: float, T: float, c: float, phi: float) -> float:
    run = safe(mean_stream(c, int(T)), math.sqrt(W / T) / K)
    return mean_excess(run, phi) if phi else float(run.regret)


def check(ctx: Context) -> Iterator[Evidence]:
    rng, found = ctx.rng(), ORACLES[ctx.claim.id]
    for i in range(ctx.pick(12, 120)):
        drawn = {
            "U": float(np.exp(rng.normal())), "W": float(np.exp(rng.normal())),
            "K": float(np.exp(rng.normal())), "T": float(rng.integers(1, 30)),
            "d": int(rng.choice([1, 2, 3, 10, 40])), "phi": float(np.exp(rng.normal())),
        }  # fmt: skip
        drawn["c"] = drawn["W"] * float(rng.uniform(0.1, 1))
        if i % 3 == 0 and ctx.claim.id in ("safe.thm2ii.bias", "safe.thm2ii.quadratic"):
            drawn["phi"] = 0.0
        at = {k: drawn[k] for k in ctx.claim.symbols}
        yield ctx.compare(
            "literal", "tight", found(**at), at, "run of Algorithm 1, noise by quadrature",
            relation="==", tolerance=1e-8,
        )  # fmt: skip
    if ctx.claim.id in ("safe.thm2ii.bias", "safe.thm2ii.quadratic"):
        stream = median_stream if ctx.claim.id == "safe.thm2ii.bias" else mean_stream
        for T in (100, 900):
            K = Fraction(5, 2)
            run = safe(stream(Fraction(1), T), 1 / (K * math.isqrt(T)))
            at = {"U": 1.0, "W": 1.0, "K": float(K), "T": T, "c": 1.0, "phi": 0.0}
            at = {k: at[k] for k in ctx.claim.symbols}
            yield ctx.compare(
                "literal", "tight", float(run.regret), at, "Algorithm 1 in fractions",
                relation="==", tolerance=1e-12,
            )  # fmt: skip


ORACLES: dict[str, Callable[..., float]] = {
    "safe.thm2ii.noise": constant,
    "safe.thm2ii.noise.ball": constant_ball,
    "safe.thm2ii.bias": moved,
    "safe.thm2ii.bias.ball": moved_ball,
    "safe.thm2ii.quadratic": mean_moved,
}


CHECKS = (
    Check("safe.thm2ii.noise", evidence=check, oracle=constant),
    Check("safe.thm2ii.noise.ball", evidence=check, oracle=constant_ball),
    Check("safe.thm2ii.bias", evidence=check, oracle=moved),
    Check(
        "safe.thm2ii.bias.ball",
        evidence=check,
        oracle=moved_ball,
        limits={
            "literal": Limit(
                "the oracle's quadrature ends 12 deviations away",
                size=lambda p: 1e-17 * p["U"] * p["W"] * p["T"],
            )
        },
    ),
    Check("safe.thm2ii.quadratic", evidence=check, oracle=mean_moved),
)
