"""Algorithms 2 and 3 of sglu: gradient descent on quadratics, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

from bounds.sglu import settings
from simulators.exact.gaussian import Gaussian, step
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.linear_instance import shrinkage


def measure_2(L: float, m: float, T: float, W0: float) -> float:
    """Distance after T steps on (m/2) x^2, counted step by step through the exact kernel."""
    one = step(shrinkage(L, m), 0.0, 0.0)
    return abs(float(one.power(int(T)).apply(Gaussian.point(W0)).mean[0]))


def measure_3(I: float, S: float, n: float, m: float, L: float, M: float) -> float:  # noqa: E741
    """Distance after S requests on quadratics, each moving one point from M to -M.

    Positions are kept relative to the current optimum, which every request moves by 2M/(mn).
    """
    request = step(shrinkage(L, m), 0.0, 0.0).power(int(I))
    model = request.apply(Gaussian.point(2 * M / (m * n)))
    for _ in range(int(S)):
        model = request.apply(model.shifted(2 * M / (m * n)))
    return float(model.mean[0])


def check_2(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for trial in range(ctx.pick(30, 300)):
        L = float(np.exp(rng.normal()))
        m = L if trial == 0 else L * float(rng.uniform(0.001, 1))
        inputs = {"L": L, "m": m, "T": int(rng.integers(0, 200)), "W0": float(rng.exponential())}
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, measure_2(**inputs), inputs, "quadratics of curvature m",
                relation="==", tolerance=1e-8,
            )  # fmt: skip
    for name, data in settings.DATA.items():
        m, L = float(settings.regularisation(data.n)), float(settings.smoothness(data.n))
        gamma, needed = (L - m) / (L + m), 149
        inputs = {"L": L, "m": m, "T": settings.BASELINE_STEPS, "W0": 2 * settings.RADIUS}
        near = gamma**needed * 2 / (m * data.n)
        least = next(T for T in count() if measure_2(**{**inputs, "T": T}) <= near)
        yield ctx.compare(
            "10000 steps", "printed", least, inputs,
            f"{name}: steps until within gamma^{needed} 2M/(mn), against 10000",
            bound=settings.BASELINE_STEPS, tight=np.nan,
        )  # fmt: skip
        yield ctx.compare(
            "10000 steps", "printed", measure_2(**{**inputs, "T": 200}), inputs,
            f"{name}: 200 steps would not do", role="control",
            bound=near,
        )  # fmt: skip


def check_3(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        L = float(np.exp(rng.normal()))
        inputs = {
            "I": int(rng.integers(1, 12)), "S": int(rng.integers(1, 40)),
            "n": int(rng.integers(2, 100)), "m": L * float(rng.uniform(0.01, 1)), "L": L,
            "M": float(rng.exponential()) + 0.01,
        }  # fmt: skip
        exact, instance = measure_3(**inputs), "quadratics, points moved from M to -M"
        yield ctx.compare("literal", "printed", exact, inputs, instance, tolerance=1e-8)
        yield ctx.compare(
            "literal", "tight", exact, inputs, instance, relation="==", tolerance=1e-8
        )
    inputs = {"I": 2, "S": 40, "n": 50, "m": 0.2, "L": 1.0, "M": 1.0}
    yield ctx.compare(
        "literal", "printed", measure_3(**inputs), inputs, "a denominator 1 would be too small",
        bound=(2 / 3) ** 4 * 2 / (0.2 * 50), role="control",
    )  # fmt: skip


CHECKS = (
    Check("sglu.alg2", evidence=check_2, oracle=measure_2),
    Check("sglu.alg3", evidence=check_3, oracle=measure_3),
)
