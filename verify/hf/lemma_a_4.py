"""Lemma A.4 of hf, by exact enumeration: loose by 4(N + 1)/N, and false for adversarial U."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.two_point_laws import TwoPoints, binomial, random_law

_LEAVE_ONE_OUT = "leave one out of n - m + 1 samples"
CLAIM = Claim(
    id="hf.lema4",
    label="Lemma A.4 (46)",
    kind="inequality",
    statement="E F(w^{-U}) - F(w*) <= 4L^2/(lam(n - m)) for the minimiser w^{-U} over S minus U.",
    aliases=("hf.lemA4", "hf.eq46"),
    readings=(
        Reading(
            "literal",
            "on a convex W; U does not depend on the data",
            ("printed", "corrected", "tight"),
            proofs={
                "printed": _LEAVE_ONE_OUT,
                "corrected": _LEAVE_ONE_OUT,
                "tight": f"{_LEAVE_ONE_OUT}, with the strong convexity of the one left out",
            },
        ),
        Reading("adversarial", "U is chosen after the data, as in Definition C.1", ("printed",)),
    ),
    natural=Natural(
        "n", tuple(float(n) for n in range(2, 42)), {"m": 1, "L": 2.0, "lam": 1.0}, log_y=True
    ),
    quantity="expected excess risk",
    correction="L^2/(lam(n - m + 1)), and only for U independent of the data.",
)


def measure(L: float, lam: float, n: float, m: float) -> float:
    """Exact excess of the mean of n - m signs times R = L/(2 lam), on [-R, R]."""
    R = L / (2 * lam)
    return TwoPoints("quadratic", lam, -R, R, 0.5, R).expected_excess(int(n - m))


def adversarial(n: int, m: int) -> float:
    """Exact excess for L = 2, lam = 1 and random signs when U takes m of them, -1 first."""
    downs = np.arange(n + 1)
    w = 1 - 2 * np.maximum(0, downs - m) / (n - m)
    return float(binomial(downs, n, 0.5) @ (w**2 / 2))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for n, m in ((2, 1), (33, 3), (1002, 3)):
        inputs = {"L": 2.0, "lam": 1.0, "n": n, "m": m}
        yield from ctx.compare_forms("literal", measure(**inputs), inputs, "mean of signs")
    found: list[float] = []
    cases: list[tuple[float, float, int]] = []
    for _ in range(ctx.pick(200, 4000)):
        law, N = random_law(rng), int(rng.integers(1, 41))
        cases.append((law.lipschitz, law.lam, N))
        found.append(law.expected_excess(N))
    L, lam, kept = (np.array(column) for column in zip(*cases, strict=True))
    drawn = {"L": L, "lam": lam, "n": kept, "m": np.zeros_like(kept)}
    yield from ctx.compare_forms("literal", found, drawn, "random losses, laws on two points")
    # The extreme known: N = 1, where one sample decides.
    sharp = [TwoPoints("quadratic", 1.0, -1.0, 1.0, 0.5, 1.0).expected_excess(1)]
    one = {"L": 2.0, "lam": 1.0, "n": 1, "m": 0}
    for form in ("printed", "corrected", "tight"):
        yield ctx.compare(
            "literal", form, sharp, one, "an eighth of L^2/(lam N) would be too little at p = 1/2",
            bound=0.99 * one["L"] ** 2 / 8, role="control",
        )  # fmt: skip
    for n, m in ((100, 60), (1000, 600), (10_000, 6000)):
        inputs = {"L": 2.0, "lam": 1.0, "n": n, "m": m}
        yield ctx.compare(
            "adversarial", "printed", adversarial(n, m), inputs, "all -1 deleted", script="lema4"
        )
