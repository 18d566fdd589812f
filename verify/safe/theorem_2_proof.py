"""Steps in the proof of Theorem 2 of safe, each against exact arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.streams import median_stream, risk, safe

CROSS = Claim(
    id="safe.eq31_33",
    label="Equations (31) to (33)",
    kind="equality",
    statement="The noise enters |w_t - w_t*|^2 by B_t = |b_t - b_{t-1}|^2 - "
    "2(b_t - b_{t-1}).(w_{t-1} - gamma nabla_t - b_t + b_{t-1} - w_{t-1}*).",
    aliases=("safe.eq31-33", "safe.eq31", "safe.eq32", "safe.eq33"),
    readings=(
        Reading("literal", "any vectors", ("printed", "corrected"),
                proofs={"corrected": "|a - b|^2 = |a|^2 - 2 a.b + |b|^2"}),
    ),
    quantity="what the noise adds to |w_t - w_{t-1}*|^2",
    correction="The inner product has no - b_t + b_{t-1}: printed is 2|b_t - b_{t-1}|^2 too much.",
)  # fmt: skip
TURNING = Claim(
    id="safe.eq31_33.nabla",
    label="Step after (33)",
    kind="inequality",
    statement="|gamma nabla_t|^2 <= gamma^2 for nabla_t = g_t/|g_t| - g_{t-1}/|g_{t-1}|.",
    readings=(
        Reading("literal", "any gradients", ("printed", "corrected"),
                proofs={"corrected": "triangle inequality for two unit vectors"}),
    ),
    natural=Natural("gamma", (0.1, 0.2, 0.5, 1.0), {}),
    quantity="|gamma nabla_t|^2",
)  # fmt: skip
EXPECTED = Claim(
    id="safe.thm2.eb",
    label="E[B_t] in the proof of Theorem 2",
    kind="equality",
    statement="E[B_t] disappears from the proof; B_t as printed has the mean 4 d phi.",
    aliases=("safe.thm2.EB",),
    readings=(
        Reading("literal", "independent b_t of mean 0; w_{t-1} contains -b_{t-1}",
                ("printed", "corrected"),
                proofs={"corrected": "E|b_t - b_{t-1}|^2 and the product with -b_{t-1}"}),
        Reading("constant", "phi_t = phi_{t-1}: E[B_t] may be dropped", ("corrected",),
                proofs={"corrected": "d(phi_t - phi_{t-1}) is 0 at equal variances"},
                stance="repair"),
        Reading("first", "t = 1, no noise before: E[B_t] may be dropped", ("corrected",),
                stance="repair"),
    ),
    quantity="mean of |w_t - w_{t-1}*|^2 less that without new noise",
    correction="d(phi_t - phi_{t-1}): 0 at constant variance, d phi in round 1.",
)  # fmt: skip
FIRST = Claim(
    id="safe.thm2.step1",
    label="First inequality in the proof of Theorem 2",
    kind="inequality",
    statement="E|R_t(w_t) - R_t(w_t*)| <= U E|nabla_{t+1}.(w_t - w_t*)|, nabla_{t+1} being the "
    "difference of two normalised gradients at w_0.",
    readings=(
        Reading("literal", "gradients at most U; no noise", ("printed", "corrected"),
                proofs={"corrected": "R_t is U-Lipschitz, in the mean as well"}),
    ),
    quantity="|R_t(w_t) - R_t(w_t*)|",
    correction="U|w_t - w_t*|; for convex R_t a subgradient of R_t at w_t in place of U nabla.",
)  # fmt: skip
CLAIMS = (CROSS, TURNING, EXPECTED, FIRST)


def _fractions(rng: np.random.Generator, d: int) -> list[Fraction]:
    return [Fraction(int(k), 64) for k in rng.integers(-256, 257, size=d)]


def _square(vector: Any) -> Any:
    return sum(x * x for x in vector)


def check_cross(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    first = (1, 0, 2, Fraction(1, 10), Fraction(1, 2))
    given = [[[Fraction(x)] for x in first]]
    for _ in range(ctx.pick(60, 1000)):
        d = int(rng.integers(1, 6))
        given.append([_fractions(rng, d) for _ in range(5)])
    for b, b_prev, w, step, best in given:
        plain = [x - s - o for x, s, o in zip(w, step, best, strict=True)]
        noisy = [x - y + z for x, y, z in zip(plain, b, b_prev, strict=True)]
        at = {k: [float(x) for x in v] for k, v in
              zip(("b", "b_prev", "w", "step", "w_opt"), (b, b_prev, w, step, best),
                  strict=True)}  # fmt: skip
        yield from ctx.compare_forms(
            "literal", float(_square(noisy) - _square(plain)), at, "vectors of fractions",
            relation="==", tolerance=1e-11, script="eq31_33_cross",
        )  # fmt: skip


def measure_turning(gamma: float) -> float:
    """Two opposite gradients."""
    return float((gamma * (1.0 - -1.0)) ** 2)


def check_turning(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for gamma in (0.1, 0.5, 2.0):
        yield from ctx.compare_forms(
            "literal", measure_turning(gamma), {"gamma": gamma}, "opposite gradients",
            script="eq31_33_nabla_turning",
        )  # fmt: skip
    g = rng.normal(size=(2, ctx.pick(2000, 50_000), 3))
    now, before = g / np.linalg.norm(g, axis=2)[..., None]
    left = ((now - before) ** 2).sum(axis=1)
    yield ctx.compare("literal", "corrected", left, {"gamma": 1.0}, "random gradients")


def mean_added(before: Fraction, now: Fraction, start: list[Fraction]) -> Fraction:
    """E|w_t - w*|^2 - E|w_{t-1} - gamma nabla - w*|^2, enumerated over signs of the perturbations.

    start: w_0 less both steps and w*; before, now: deviations.  Only second moments enter, so that
    two-point laws serve as well as Gaussian ones.
    """
    d, total = len(start), Fraction(0)
    for signs in product((-1, 1), repeat=2 * d):
        b = [now * s for s in signs[:d]]
        last = [before * s for s in signs[d:]]
        plain = [x - y for x, y in zip(start, last, strict=True)]
        noisy = [x - y + z for x, y, z in zip(plain, b, last, strict=True)]
        total += _square(noisy) - _square(plain)
    return Fraction(total / 4**d)


def check_expected(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for d, before, now in ((3, 2, 2), (1, 0, 3), (2, 1, Fraction(1, 2)), (4, 3, 1)):
        at = {"d": d, "phi_prev": float(before) ** 2, "phi": float(now) ** 2}
        found = float(mean_added(Fraction(before), Fraction(now), _fractions(rng, d)))
        if before == now:
            yield ctx.compare(
                "constant", "corrected", found, at, "enumeration", bound=0.0, relation="=="
            )
        yield from ctx.compare_forms(
            "literal", found, at, "enumeration of two-point perturbations", relation="==",
            script="thm2_eb_expected",
        )  # fmt: skip
    first = {"d": 1, "phi_prev": 0.0, "phi": 1.0}
    found = float(mean_added(Fraction(0), Fraction(1), [Fraction(1)]))
    yield ctx.compare(
        "first", "corrected", found, first, "enumeration, round 1", bound=0.0, tight=1.0,
        script="thm2_eb_expected",
    )  # fmt: skip


def check_first(ctx: Context) -> Iterator[Evidence]:
    for c, K, T in ((1, Fraction(1), 100), (1, Fraction(1), 10_000), (4, Fraction(1, 2), 10_000)):
        gamma = Fraction(math.isqrt(c)) / (K * math.isqrt(T))
        run = safe(median_stream(Fraction(c), 3), gamma)
        for t in (1, 2):
            kept, w, best = run.kept[t - 1], run.models[t - 1], run.optima[t]
            left = risk(run.loss, w, kept) - risk(run.loss, best, kept)
            turn = (run.models[t - 1] - run.models[t]) / gamma
            at = {"U": 1.0, "nabla": [float(turn)], "gap": [float(w - best)]}
            yield from ctx.compare_forms(
                "literal", float(left), at, "median stream, in fractions", script="thm2_step1_first"
            )
    rng = ctx.rng()
    for _ in range(ctx.pick(50, 500)):
        gap, nabla = rng.normal(size=(2, 3))
        H = rng.normal(size=(3, 3))
        U = float(np.linalg.norm(H, 2))
        at = {"U": U, "nabla": nabla, "gap": gap}
        left = float(np.linalg.norm(H @ gap))
        yield ctx.compare("literal", "corrected", left, at, "R_t = |H(w - w_t*)|")


CHECKERS = {
    CROSS.id: check_cross,
    TURNING.id: check_turning,
    EXPECTED.id: check_expected,
    FIRST.id: check_first,
}
MEASURES = {TURNING.id: measure_turning}
