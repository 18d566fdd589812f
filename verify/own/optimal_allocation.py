"""The best allocation of shifts to noise: a quadratic program, and exact chains."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from accounting.contraction.noisy_contraction import pabi_allocation
from simulators.exact import linear_chain
from verify.checks import Check, Context, Findings
from verify.own.extreme_chains import accounted

Array = np.ndarray


def least_cost(c: Sequence[float], s: Sequence[float], sigma: Sequence[float]) -> float:
    """min sum (a_t/sigma_t)^2 over the allocations, by sequential quadratic programming."""
    from scipy.optimize import minimize

    n = len(c)
    used = np.flatnonzero(sigma)
    # e = start - spend @ b, with b_t = a_t/sigma_t.
    start, spend = np.zeros(n), np.zeros((n, used.size))
    e, row = 0.0, np.zeros(used.size)
    for t in range(n):
        e, row = c[t] * e + s[t], c[t] * row
        row[used == t] += sigma[t]
        start[t], spend[t] = e, row
    size = start[-1] / spend[-1].sum()
    optimum = minimize(
        lambda b: b @ b,
        np.full(used.size, 1.0),
        jac=lambda b: 2 * b,
        method="SLSQP",
        bounds=[(0, None)] * used.size,
        constraints=[
            {
                "type": "ineq",
                "fun": lambda b: start[:-1] / size - spend[:-1] @ b,
                "jac": lambda b: -spend[:-1],
            },
            {
                "type": "eq",
                "fun": lambda b: start[-1:] / size - spend[-1:] @ b,
                "jac": lambda b: -spend[-1:],
            },
        ],
        options={"maxiter": 500, "ftol": 1e-16},
    )
    return float(optimum.fun * size**2)


def measure_optimum(alpha: float, c: Array, s: Array, sigma: Array) -> float:
    """(alpha/2) times the least cost found by the quadratic program."""
    return alpha / 2 * least_cost(c, s, sigma)


def exact(values: Sequence[float]) -> list[Fraction]:
    """The floats as Fractions."""
    return [Fraction(float(x)) for x in values]


def measure_aligned(alpha: float, Z: float, c: Array, sigma: Array) -> float:
    """Exact divergence of the linear chain, in Fractions."""
    noise = [x**2 for x in exact(sigma)]
    none = [Fraction(0)] * len(noise)
    gap, variance = linear_chain.recursion(exact(c), none, noise, Fraction(Z), Fraction(0))
    return float(Fraction(alpha) * gap**2 / (2 * variance))


def random_chain(rng: np.random.Generator) -> dict[str, Any]:
    """Shifts and noises in any order; the last noise comes after the last shift."""
    n = int(rng.integers(2, 9))
    s = rng.exponential(size=n) * (rng.uniform(size=n) < 0.6)
    sigma = rng.uniform(0.2, 1.5, size=n) * (rng.uniform(size=n) < 0.7)
    s[0], sigma[-1] = rng.exponential() + 0.1, rng.uniform(0.2, 1.5)
    return {"alpha": 2.0, "c": rng.uniform(0.3, 1.4, size=n), "s": s, "sigma": sigma}


def check_optimum(ctx: Context) -> Findings:
    """The least cost by quadratic programming on random chains, and the allocation itself.

    Linear maps in fractions stay below, and attain it where shifts and noise are aligned.
    """
    for rng in ctx.draws(25, 200):
        inputs = random_chain(rng)
        yield ctx.compare(
            "literal",
            "tight",
            measure_optimum(**inputs),
            inputs,
            "random chains: sequential quadratic programming",
            relation="==",
            tolerance=1e-8,
        )
        c, s, sigma = inputs["c"], inputs["s"], inputs["sigma"]
        amounts = pabi_allocation(c, s, sigma).amounts
        remainders, e = [], 0.0
        for t in range(len(c)):
            e = c[t] * e + s[t] - amounts[t]
            remainders.append(e)
        largest = float(np.sum(s))
        yield ctx.compare(
            "literal",
            "tight",
            np.append(np.minimum(remainders, 0.0), remainders[-1]) + largest,
            inputs,
            "the allocation keeps e_t >= 0 and ends at 0",
            bound=largest,
            tight=np.nan,
            relation="==",
            tolerance=1e-12,
        )
        used = sigma > 0
        cost = float(np.sum((amounts[used] / sigma[used]) ** 2))
        yield ctx.compare(
            "literal",
            "tight",
            inputs["alpha"] / 2 * cost,
            inputs,
            "the allocation's own cost",
            relation="==",
            tolerance=1e-12,
        )
        gap, variance = linear_chain.recursion(
            exact(c), exact(s), exact(sigma**2), Fraction(0), Fraction(0)
        )
        yield ctx.compare(
            "literal",
            "tight",
            float(Fraction(inputs["alpha"]) * gap**2 / (2 * variance)),
            inputs,
            "linear maps, exact",
        )
    aligned: dict[str, Any] = {"alpha": 2.0, "c": [1, 0.8, 1, 0.9, 1], "s": [0.5, 0, 0, 0, 0]}
    for noise in ([0, 0, 0.3, 0, 0.4], [0, 0, 1.0, 0.5, 0.1]):
        inputs = {**aligned, "sigma": noise}
        linear = measure_aligned(2.0, 0.5, aligned["c"], np.array(noise))
        yield ctx.compare("literal", "tight", linear, inputs, "linear maps", relation="==")
        yield ctx.compare(
            "literal",
            "tight",
            linear,
            inputs,
            "a thousandth less would be too small",
            bound=linear * 0.999,
            role="control",
        )
    yield from accounted(ctx, "literal", "tight")


def check_aligned(ctx: Context) -> Findings:
    """Divergence of random linear chains in Fractions."""
    for rng in ctx.draws(100, 2000):
        n = int(rng.integers(1, 9))
        sigma = rng.exponential(size=n) * (rng.uniform(size=n) < 0.7)
        sigma[-1] = rng.exponential()
        inputs = {
            "alpha": 1 + float(rng.exponential(3)),
            "Z": float(rng.exponential()),
            "c": rng.uniform(0.2, 1.5, size=n),
            "sigma": sigma,
        }
        exact = measure_aligned(**inputs)
        yield ctx.compare(
            "literal",
            "tight",
            exact,
            inputs,
            "linear chain in Fractions",
            relation="==",
            tolerance=1e-12,
        )


CHECKS = (
    Check("own.opt", evidence=check_optimum, exact_side=measure_optimum)
    .measured_by("online", "law_by_rounds")
    .beside("worst signs, steps 1/sqrt(t)"),
    Check("own.opt.aligned", evidence=check_aligned, exact_side=measure_aligned),
)
