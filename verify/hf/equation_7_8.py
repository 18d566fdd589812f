"""(7)-(8) of hf, batches without u: exact on quadratics, with a sharp remainder elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def measure_step(eta: float, b: float, H: float, D: float) -> float:
    """Both runs through one batch of b quadratics whose Hessians sum to H."""
    from verify.hf.quadratic_worlds import full_batch

    n = int(b)
    curvature = H / n + (np.arange(n) - (n - 1) / 2)
    minima = np.sin(np.arange(n))
    moved = [
        training.run(model).last[0]
        for model, training in (full_batch(curvature, minima, w, eta, 1) for w in (0.4, 0.4 + D))
    ]
    return float(moved[1] - moved[0])


def bend(x: np.ndarray, lam: float, M: float, Lam: float) -> np.ndarray:
    """The gradient, 0 at 0, whose slope is lam up to 0 and rises from there to M at rate Lam."""
    reach = (M - lam) / Lam if Lam > 0 else inf
    turned = np.minimum(np.maximum(x, 0), reach)
    return np.asarray(lam * x + Lam / 2 * turned**2 + (M - lam) * np.maximum(x - reach, 0))


def measure_remainder(eta: float, lam: float, M: float, Lam: float, D: float) -> float:
    """One step from 0 and one from D on the loss of `bend`, minus (8), in exact arithmetic."""
    start, least, rate = Fraction(D), Fraction(lam), Fraction(Lam)
    rise = Fraction(M) - least
    turned = min(start, rise / rate) if rate else start
    gradient = least * start + rate / 2 * turned**2 + rise * (start - turned)
    moved = start - Fraction(eta) * gradient
    return float(abs(moved - (1 - Fraction(eta) * least) * start))


def check_step(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        inputs = {
            "eta": float(rng.uniform(0.05, 2)), "b": float(rng.integers(1, 9)),
            "H": float(rng.normal() * 3), "D": float(rng.choice((-1, 1)) * rng.uniform(0.3, 2)),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", measure_step(**inputs), inputs,
            "both runs through one batch of quadratics", relation="==",
        )  # fmt: skip
    from verify.hf.quadratic_worlds import departure, worlds

    found, exact, before = [], [], [0.0]
    for world in worlds(rng, ctx.pick(60, 600)):
        learned = world.training.run(world.model).points
        D = world.training.run(world.model, world.forget).points - learned
        first = next(t for t, r in enumerate(world.training.batches) if world.forget[0] in r)
        before.append(float(np.abs(D[: first + 1]).max()))
        for t, _, tangent in world.training.walk(world.model):
            if t < world.training.length and world.forget[0] not in world.training.batches[t]:
                rate = float(world.training.steps[t]) / len(world.training.batches[t])
                stepped = D[t] - rate * tangent.hessian().numpy() @ D[t]
                size = float(np.abs(learned[t]).max() + np.abs(D[t]).max())
                one, other = departure(stepped, D[t + 1])
                found.append(one + size)
                exact.append(other + size)
    yield ctx.compare(
        "literal", "printed", found, {}, "every batch without u of random quadratic worlds",
        bound=exact, relation="==", tight=np.nan, tolerance=1e-12,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", before, {}, "nothing differs before u's first batch",
        bound=0.0, relation="==", tight=np.nan,
    )  # fmt: skip


def check_remainder(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare("literal", "corrected", "unspecified", "o(D) states no constant")
    rng = ctx.rng()
    lam = rng.normal(size=ctx.pick(300, 5000))
    for low in lam:
        inputs = {
            "eta": float(rng.uniform(0.05, 2)), "lam": float(low),
            "M": float(max(low, 0) + rng.exponential() + 1e-3), "Lam": float(rng.exponential()),
            "D": float(rng.exponential(2) + 1e-2),
        }  # fmt: skip
        departed = measure_remainder(**inputs)
        yield ctx.compare(
            "smooth", "tight", departed, inputs, "a Hessian that rises as fast as it may",
            relation="==", tolerance=1e-8,
        )  # fmt: skip
        yield ctx.compare(
            "smooth", "corrected", departed, inputs, "a Hessian that rises as fast as it may"
        )
    x, D, a = rng.normal(size=(3, ctx.pick(2000, 50000))) * 2
    eta = rng.uniform(0.1, 1, size=x.size)
    # |w + 2 sin w|: Hessian 1 - 2 sin(w + a) in [-1, 3], Lipschitz with 2.
    left = np.abs(D + 2 * (np.cos(x + D + a) - np.cos(x + a)) - (1 - 2 * np.sin(x + a)) * D) * eta
    values = {"eta": eta, "lam": -1.0, "M": 3.0, "Lam": 2.0, "D": np.abs(D)}
    for form in ("corrected", "tight"):
        yield ctx.compare("smooth", form, left, values, "w^2/2 + 2 sin(w + a), random points")


CHECKS = (
    Check("hf.eq7_8", evidence=check_step, oracle=measure_step),
    Check("hf.eq7_8.remainder", evidence=check_remainder, oracle=measure_remainder),
)
