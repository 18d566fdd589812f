"""(11)-(15) of olu: one step on random boxes, and the sum of the steps on exact streams."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings, Instances, case_table

STEP = "the projection does not increase distances to points of K"


def measure_15(T: float, L: float, mu: float) -> float:
    """Regret of quadratics centred at w_t + s_t L/mu, s_t = +-1: every gradient has norm L."""
    return follower(int(T), L, mu).expected_regret()


def follower(T: int, L: float, mu: float, start: float = 0.0) -> QuadraticStream:
    """Quadratics (mu/2)(z - x_t)^2 with x_t = w_t +- L/mu, against steps 1/(mu t)."""
    w, points = start, np.empty(T)
    for t in range(1, T + 1):
        points[t - 1] = w + (L / mu if t % 3 else -L / mu)
        w += (points[t - 1] - w) / t
    return QuadraticStream(points, mu, 1 / (mu * np.arange(1, T + 1)), start)


def _steps(ctx: Context, noisy: bool) -> dict[str, np.ndarray]:
    """Random projected steps in R^3: all scalars that (11)-(13) are about."""
    rng = ctx.rng()
    n = ctx.pick(3000, 100_000)
    half = rng.uniform(0.1, 2, size=(n, 1))
    z, star = (rng.uniform(-1, 1, size=(n, 3)) * half for _ in range(2))
    gradient = rng.normal(size=(n, 3)) * rng.exponential(size=(n, 1))
    noise = rng.normal(size=(n, 3)) * rng.exponential(size=(n, 1)) * noisy
    eta = rng.exponential(size=n)
    target = z + noise - eta[:, None] * gradient
    after = np.clip(target, -half, half)
    inside = (after == target).all(axis=1)
    shifted = z + noise - star

    def norm(v: np.ndarray) -> np.ndarray:
        return np.asarray(np.sqrt((v**2).sum(axis=1)))

    return {
        "r": norm(shifted),
        "g": norm(gradient),
        "p": (gradient * shifted).sum(axis=1),
        "eta": eta,
        "s": norm(after - star),
        "q": (gradient * noise).sum(axis=1),
        "plain": (gradient * (z - star)).sum(axis=1),
        "inside": inside,
    }


ALL, KEPT = "random steps in boxes", "those that stay inside"


def _parts(ctx: Context, names: str, noisy: bool) -> Iterator[tuple[Any, Any, str, Any]]:
    """(inputs, all scalars, words, relation): all steps, then those that the projection leaves."""
    steps = _steps(ctx, noisy)
    for chosen, words, relation in ((slice(None), ALL, "<="), (steps["inside"], KEPT, "==")):
        selection = {name: values[chosen] for name, values in steps.items()}
        yield {name: selection[name] for name in names.split()}, selection, words, relation


def _one_step(ctx: Context, noisy: bool) -> Findings:
    """Squared distances after random steps on boxes; half the step as a control."""
    for inputs, steps, words, relation in _parts(ctx, "r g p eta", noisy):
        lhs = steps["s"] ** 2
        yield ctx.compare(
            "literal", "printed", lhs, inputs, words, relation=relation, tolerance=1e-7
        )
    bound = ctx.claim("printed", **inputs) - inputs["eta"] ** 2 * inputs["g"] ** 2 / 2
    words = "half the square of the step"
    yield ctx.compare("literal", "printed", lhs, inputs, words, bound=bound, role="control")


def check_11(ctx: Context) -> Findings:
    yield from _one_step(ctx, noisy=False)


def check_12(ctx: Context) -> Findings:
    yield from _one_step(ctx, noisy=True)


def check_13(ctx: Context) -> Findings:
    """Gradient times distance on random boxes, both sides raised by what would cancel."""
    for inputs, steps, words, relation in _parts(ctx, "r s g q eta", True):
        # Both sides are differences: they are compared where nothing large has cancelled.
        size = inputs["r"] ** 2 / inputs["eta"] + inputs["g"] ** 2 * inputs["eta"]
        lhs = steps["plain"] + size
        more = {"relation": relation, "tolerance": 1e-7}
        bound = ctx.claim("printed", **inputs) + size
        yield ctx.compare(
            "literal", "printed", lhs, inputs, words, bound=bound, tight=math.nan, **more
        )
    bound = ctx.claim("printed", **{**inputs, "q": np.zeros_like(inputs["q"])})
    lhs, words = steps["plain"], "without the product with the noise"
    yield ctx.compare("literal", "printed", lhs, inputs, words, bound=bound, role="control")


def check_14(ctx: Context) -> Findings:
    """Expected regret of quadratics on R^d from exact laws, where (14) is an equality."""
    for rng in ctx.draws(20, 300):
        T = int(rng.integers(5, 60))
        d = int(rng.integers(1, 4))
        mu = float(rng.uniform(0.3, 3))
        k = int(rng.integers(0, 4))
        tau = np.sort(rng.integers(2, T + 1, size=k))
        sigmas = rng.exponential(size=k)
        t = np.arange(1, T + 1)
        stream = QuadraticStream(rng.normal(size=(T, d)), mu, 1 / (mu * t))
        means, variances = stream.laws(tau, sigmas)
        square = ((means[:-1] - stream.points) ** 2).sum(axis=1) + d * variances[:-1]
        last = ((means[-1] - stream.comparators()[0]) ** 2).sum() + d * variances[-1]
        A = float((mu * square / (2 * t)).sum() - mu * T * last / 2)
        B = float(d * (sigmas**2 * mu * (tau - 1)).sum() / 2)
        exact = stream.expected_regret((), tau, sigmas, moving=False)
        inputs = {"A": A, "B": B, "T": T, "d": d, "mu": mu}
        yield ctx.compare(
            "literal", "printed", exact, inputs, "quadratics on R^d: equality", relation="=="
        )
    words = "without the last distance E A would be too large"
    bound = A + B + mu * T * last / 2 + 1.0
    yield ctx.compare(
        "literal", "printed", exact, inputs, words, bound=bound, relation="==", role="control"
    )


CHECKS = (
    Check("olu.eq11", evidence=check_11).measured_by("online", "squared_distance"),
    Check("olu.eq12", evidence=check_12).measured_by("online", "noisy_squared_distance"),
    Check("olu.eq13", evidence=check_13).measured_by("online", "noisy_slope"),
    Check("olu.eq14", evidence=check_14).measured_by(
        "online", "regret_with_noise", where=("steps 1/(mu t)", "least noise")
    ),
    Check(
        "olu.eq15",
        exact_side=measure_15,
        at=(
            Instances(
                "losses that follow the learner",
                case_table("T L mu", *((T, 1.5, 0.7) for T in (1, 2, 3, 10, 50))),
                draws=(10, 100),
                within={"T": (1, 400)},
                relations={"corrected": "=="},
            ),
        ),
    )
    .measured_by("online", "descent_part", where=("steps 1/(mu t)",))
    .beside("means of 1 and -1 by turns, a small ball"),
)
