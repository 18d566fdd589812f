"""Algorithm 1 of hf, Stage III: exact Gaussian curves of what is released and what it is for."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import log_ndtr

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence

# Where the classical noise is nearest the least one: epsilon at its limit, delta small.
_NEAREST = {"error": 2.0, "epsilon": 0.999999, "delta": 1e-100}


def true_delta(error: float, sigma: float, epsilon: float) -> float:
    """delta(epsilon) of two Gaussians of deviation sigma at distance error, from log_ndtr."""
    mu = error / sigma
    high, low = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return float(-np.exp(high) * np.expm1(low - high))


def least(error: float, epsilon: float, delta: float, k: float = 1) -> float:
    """Least deviation by bisection on the exact curve; k releases stand side by side."""
    vector = np.full(int(k), error)
    distance = float(np.linalg.norm(vector))
    if distance == 0:
        return 0.0
    low, high = distance * 1e-4, distance * 1e4
    while true_delta(distance, high, epsilon) > delta:
        high *= 10
    for _ in range(200):
        middle = math.sqrt(low * high)
        if true_delta(distance, middle, epsilon) > delta:
            low = middle
        else:
            high = middle
    return high


def draw(rng: np.random.Generator, top: float = 1.0) -> dict[str, float]:
    return {
        "error": float(np.exp(rng.normal() * 2)), "epsilon": float(rng.uniform(0.02, top)),
        "delta": float(10 ** rng.uniform(-9, -1.5)),
    }  # fmt: skip


def check_noise(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    about = "exact delta of two Gaussians `error` apart with this noise"
    nothing = {"error": 0.0, "epsilon": 0.5, "delta": 1e-5}
    yield ctx.compare(
        "literal", "tight", 0.0, nothing, "no error needs no noise, not the least of floats",
        bound=float(ctx.claim("tight", **nothing) > 0), tight=math.nan, relation="==",
    )  # fmt: skip
    for _ in range(ctx.pick(40, 500)):
        for reading, top in (("literal", 1.0), ("any_epsilon", 12.0)):
            inputs = draw(rng, top)
            yield ctx.compare(
                reading, "tight", least(**inputs), inputs, "bisection on the exact curve",
                relation="==",
            )  # fmt: skip
            if top == 1.0:
                sigma = float(ctx.claim("corrected", **inputs))
                found = true_delta(inputs["error"], sigma, inputs["epsilon"])
                yield ctx.compare(
                    reading, "corrected", found, inputs, about, bound=inputs["delta"],
                    tight=math.nan,
                )  # fmt: skip
    for inputs in (draw(rng), draw(rng), _NEAREST):
        yield ctx.compare(
            "literal", "corrected", least(**inputs), inputs, "bisection on the exact curve"
        )
    for error in (1.0, 100.0):
        inputs = {"error": error, "epsilon": 0.5, "delta": 1e-5}
        sigma = float(ctx.claim("printed", error=error, delta=1e-5))
        yield ctx.compare(
            "literal", "printed", true_delta(error, sigma, 0.5), inputs, about, bound=1e-5,
            script="alg1_noise_variance", tight=math.nan,
        )  # fmt: skip
    for epsilon, delta in ((10.0, 1e-5), (7.0, 1e-2)):
        inputs = {"error": 1.0, "epsilon": epsilon, "delta": delta}
        sigma = float(ctx.claim("corrected", **inputs))
        yield ctx.compare(
            "any_epsilon", "corrected", true_delta(1.0, sigma, epsilon), inputs, about,
            bound=delta, script="alg1_noise_large", tight=math.nan,
        )  # fmt: skip


def check_deviation(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for epsilon in (0.1, 0.5):
        inputs = {"error": 1.0, "epsilon": epsilon, "delta": 1e-5}
        sigma = float(ctx.claim("printed", error=1.0, delta=1e-5))
        yield ctx.compare(
            "literal", "printed", true_delta(1.0, sigma, epsilon), inputs,
            "exact delta with this noise", bound=1e-5,
            script="alg1_noise_std_standard", tight=math.nan,
        )  # fmt: skip
    for _ in range(ctx.pick(40, 400)):
        inputs = draw(rng)
        sigma = float(ctx.claim("corrected", **inputs))
        yield ctx.compare(
            "literal", "corrected", true_delta(inputs["error"], sigma, inputs["epsilon"]), inputs,
            "exact delta with this noise", bound=inputs["delta"], tight=math.nan,
        )  # fmt: skip
    for inputs in (draw(rng), draw(rng), _NEAREST):
        yield ctx.compare(
            "literal", "corrected", least(**inputs), inputs, "bisection on the exact curve",
            tight=math.nan,
        )  # fmt: skip


def check_releases(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in (5, 20, 200):
        inputs = {"error": 1.0, "epsilon": 1.0, "delta": 1e-5, "k": k}
        sigma = float(ctx.claim("printed", error=1.0, epsilon=1.0, delta=1e-5))
        yield ctx.compare(
            "literal", "printed", true_delta(math.sqrt(k), sigma, 1.0), inputs,
            f"exact delta of {k} releases seen together", bound=1e-5,
            script="alg1_noise_releases_composed",
            tight=math.nan,
        )  # fmt: skip
    for _ in range(ctx.pick(40, 400)):
        inputs = {**draw(rng, 3.0), "k": int(rng.integers(1, 50))}
        yield ctx.compare(
            "literal", "tight", least(**inputs), inputs, "bisection on the joint curve",
            relation="==",
        )  # fmt: skip


def table_least(
    eta: float, C: float, q: float, rho: float, E: float, B: float, b: float, b_u: float,
    epsilon: float, delta: float,
) -> float:  # fmt: skip
    """Least noise for an error equal to (41), which is summed term by term."""
    T = int((E + 1) * B)
    k = np.arange(T)
    error = 2 * eta**2 * C / (1 - q) * np.sum(rho ** (T - 1 - k) * (q**k - q ** (2 * k)))
    t = b_u + B * np.arange(E + 1)
    error += 2 * C * eta / b * np.sum(rho ** (T - 1 - t) * q**t)
    return least(float(error), epsilon, delta)


def check_table(ctx: Context) -> Iterator[Evidence]:
    used, target = 0.1, {"rho": 1.0, "epsilon": 1.0, "delta": 1e-5}
    configs = (
        ("logistic regression", (0.05, 10.0, 0.995, 49, 1, 1000, 0)),
        ("CNN", (0.05, 10.0, 0.995, 19, 16, 64, 3)),
        ("FMNIST", (0.5, 0.5, 0.995, 29, 16, 256, 5)),
    )
    for name, config in configs:
        inputs = dict(zip(("eta", "C", "q", "E", "B", "b", "b_u"), config, strict=True)) | target
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, ctx.claim(form, **inputs), inputs,
                f"{name}: noise that (41) asks for, against the 0.1 used", bound=used,
                script="table_noise_used", tight=math.nan,
            )  # fmt: skip


CHECKS = (
    Check("hf.alg1.noise", evidence=check_noise, oracle=least),
    Check("hf.alg1.noise.std", evidence=check_deviation, oracle=least),
    Check("hf.alg1.noise.releases", evidence=check_releases, oracle=least),
    Check("hf.table.noise", evidence=check_table, oracle=table_least),
)
