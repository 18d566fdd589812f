"""Appendices H, I and J of sglu: the recursions hold, the signs inside their proofs do not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from simulators.exact import gaussian_divergence
from simulators.exact.gaussian import Gaussian, step
from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence

_SIGN = Reading(
    "sign",
    "the displays before the recursion, with x - x' + eta (grad - grad')",
    ("printed", "corrected"),
    proofs={"corrected": "(14)-(17): the gradient step is a contraction"},
    edits={"printed": "x - x' + eta (grad - grad') should read x - x' - eta (grad - grad')"},
)


def _recursion(text: str, proof: str) -> Reading:
    return Reading("recursion", text, ("printed",), proofs={"printed": proof})


H = Claim(
    id="sglu.apph",
    label="Appendix H (33)-(43)",
    kind="recursion",
    statement="W^{j+1} <= (1 - eta m) W^j + 2 eta M S_j/b on batches with replaced points; over an "
    "epoch the kicks add with weights (1 - eta m)^{n/b - j - 1}.",
    aliases=("sglu.appH",),
    formula=False,
    readings=(
        _recursion("(42) and (43), S_j points in batch j", "one kick for each replaced point"),
        _SIGN,
    ),
    correction="Minus for plus in (34)-(38).",
)
I = Claim(  # noqa: E741
    id="sglu.appi",
    label="Appendix I (44)-(61)",
    kind="recursion",
    statement="W^{j+1} <= (1 - eta m) W^j + 2 eta M/b 1[j = j0]; iterated over T epochs it gives "
    "(60) and its closed form (61).",
    aliases=("sglu.appI",),
    formula=False,
    readings=(
        _recursion("(57), (58), (60) and (61), one point", "synchronous coupling, step by step"),
        _SIGN,
    ),
    correction='Minus for plus in (48)-(54); (45) is "<=", because the projection is dropped.',
)
APPENDIX_J = Claim(
    id="sglu.appj",
    label="Appendix J (62)-(65)",
    kind="recursion",
    statement="Under the same updates W^{j+1} <= (1 - eta m) W^j, so an epoch contracts by "
    "(1 - eta m)^{n/b}, also towards the stationary law.",
    aliases=("sglu.appJ",),
    formula=False,
    readings=(_recursion("(63), (64) and (65)", "synchronous coupling; projection shrinks"),),
)
CLAIMS = (H, I, APPENDIX_J)


def _distances(
    c: float, J: int, T: int, kicks: Mapping[int, float], gap: float = 0.0
) -> list[float]:
    """Exact W-infinity after every step of T epochs, from two starts of one law `gap` apart."""
    first, second = Gaussian(np.array([gap]), np.eye(1)), Gaussian(np.zeros(1), np.eye(1))
    found = [gap]
    for index in range(T * J):
        first = step(c, kicks.get(index % J, 0.0), 0.3).apply(first)
        second = step(c, 0.0, 0.3).apply(second)
        found.append(gaussian_divergence.winf(first, second, rtol=1e-9))
    return found


def _steps(
    ctx: Context, c: float, J: int, T: int, kicks: Mapping[int, float], gap: float = 0.0
) -> Iterator[Evidence]:
    """One-step and one-epoch recursions on quadratics, where they are equalities."""
    W = np.array(_distances(c, J, T, kicks, gap))
    shift = np.array([kicks.get(index % J, 0.0) for index in range(T * J)])
    inputs = {"c": c, "J": J, "T": T, "kicks": dict(kicks), "gap": gap}
    yield ctx.compare(
        "recursion", "printed", W[1:], inputs, "quadratics, every step", bound=c * W[:-1] + shift,
        relation="==", tolerance=1e-8,
    )  # fmt: skip
    ends = W[::J]
    once = sum(size * c ** (J - 1 - j) for j, size in kicks.items())
    yield ctx.compare(
        "recursion", "printed", ends[1:], inputs, "quadratics, every epoch",
        bound=c**J * ends[:-1] + once, relation="==", tolerance=1e-8,
    )  # fmt: skip


def _signs(ctx: Context) -> Iterator[Evidence]:
    """f = (m/2) x^2: with plus a pair is stretched by 1 + eta m, with minus shrunk by 1 - eta m."""
    for eta, m in ((0.8, 0.5), (0.5, 0.1)):
        x, y = 1.3, -0.4
        gradients = m * x - m * y
        for form, sign in (("printed", 1), ("corrected", -1)):
            yield ctx.compare(
                "sign", form, abs(x - y + sign * eta * gradients) / abs(x - y),
                {"eta": eta, "m": m}, "f = (m/2) x^2, any two points", bound=1 - eta * m,
            )  # fmt: skip


def check_h(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(6, 60)):
        J = int(rng.integers(2, 7))
        some = rng.choice(J, size=int(rng.integers(1, J + 1)), replace=False)
        kicks = {int(j): float(rng.exponential()) for j in some}
        yield from _steps(ctx, float(rng.uniform(0.3, 1)), J, int(rng.integers(1, 5)), kicks)
    yield from _signs(ctx)


def check_i(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(6, 60)):
        J, T = int(rng.integers(1, 7)), int(rng.integers(1, 5))
        c, q, j0 = float(rng.uniform(0.3, 0.99)), float(rng.exponential()), int(rng.integers(J))
        yield from _steps(ctx, c, J, T, {j0: q})
        summed = sum(c ** ((t + 1) * J - j0 - 1) * q for t in range(T))
        closed = (1 - c ** (T * J)) / (1 - c**J) * c ** (J - j0 - 1) * q
        last = _distances(c, J, T, {j0: q})[-1]
        for name, bound in (("(60)", summed), ("(61)", closed)):
            yield ctx.compare(
                "recursion", "printed", last, {"c": c, "J": J, "T": T, "j0": j0, "q": q},
                f"quadratics against {name}", bound=bound, relation="==", tolerance=1e-8,
            )  # fmt: skip
    yield from _coupled(ctx)
    yield from _signs(ctx)


def _coupled(ctx: Context) -> Iterator[Evidence]:
    """Shared noise in the shipped simulator: (57) holds for every path, with no sampling error."""
    from simulators.coupling import coupled_paths
    from simulators.data.dataset import Dataset
    from simulators.domains import Ball
    from simulators.losses.logistic import Logistic

    rng = ctx.rng(1)
    features = rng.normal(size=(6, 3))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    targets = np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0])
    moved = features.copy()
    moved[5] = -features[5]
    eta, m, T = 1.2, 0.3, 4
    paths = coupled_paths(
        Logistic(m), Dataset(features, targets), Dataset(moved, targets), learn_epochs=T, sigma=0.5,
        step_size=eta, batch_size=2, trials=ctx.pick(200, 5000), seed=ctx.seed, domain=Ball(2.0),
    )  # fmt: skip
    bound = [0.0]
    for differs in paths.differs:
        bound.append((1 - eta * m) * bound[-1] + (2 * eta / 2 if differs else 0.0))
    yield ctx.compare(
        "recursion", "printed", paths.largest[1:], {"eta": eta, "m": m, "T": T, "b": 2},
        "logistic losses in dimension 3, largest distance over coupled paths", bound=bound[1:],
    )  # fmt: skip


def check_j(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(6, 60)):
        J, T, c = int(rng.integers(1, 7)), int(rng.integers(1, 5)), float(rng.uniform(0.3, 1))
        yield from _steps(ctx, c, J, T, {}, float(rng.exponential()))
    epoch = step(0.8, 0.2, 0.3).power(3)
    limit = epoch.stationary()
    for t in (1, 4):
        moved = epoch.power(t).apply(limit.shifted(1.5))
        yield ctx.compare(
            "recursion", "printed", gaussian_divergence.winf(moved, limit, rtol=1e-9),
            {"c": 0.8, "J": 3, "t": t}, "quadratics, to the stationary law",
            bound=1.5 * math.pow(0.8, 3 * t), relation="==", tolerance=1e-8,
        )  # fmt: skip


CHECKERS = {H.id: check_h, I.id: check_i, APPENDIX_J.id: check_j}
