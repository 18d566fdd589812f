"""Lemma 7 of olu: partial sums of random terms under several decreasing functions."""

import math
from collections.abc import Callable

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table

FUNCTIONS: dict[str, tuple[Callable[..., np.ndarray], Callable[..., np.ndarray]]] = {
    "exp(-x)": (lambda x: np.exp(-x), lambda x: -np.exp(-x)),
    "1/(1+x)": (lambda x: 1 / (1 + x), np.log1p),
    "max(1-x, 0)": (lambda x: np.maximum(1 - x, 0), lambda x: -(np.maximum(1 - x, 0) ** 2) / 2),
    "1": (np.ones_like, lambda x: x),
}


def measure(a0: float, a: list[float]) -> float:
    """sum of a_t/sqrt(a_0 + ... + a_t), terms with a_t = 0 left out."""
    total, weighted_sum = a0, 0.0
    for term in a:
        total += term
        weighted_sum += term / math.sqrt(total) if term else 0.0
    return weighted_sum


def check(ctx: Context) -> Findings:
    """Partial sums of random terms under several decreasing functions, and of many small terms."""
    rng = ctx.rng(1)
    fine = {"a": [1e-4] * 10_000, "a0": 1.0}
    words = "many small terms attain it"
    yield ctx.compare(
        "literal", "printed", measure(**fine), fine, words, relation="==", tolerance=1e-4
    )
    lhs: dict[str, list[float]] = {name: [] for name in FUNCTIONS}
    right: dict[str, list[float]] = {name: [] for name in FUNCTIONS}
    for _ in range(ctx.pick(150, 3000)):
        size = int(rng.integers(1, 30))
        a = np.exp(rng.normal(-1, 2, size=size)) * rng.integers(0, 2, size=size)
        a[0], a0 = float(np.exp(rng.normal())), float(rng.choice([0.0, np.exp(rng.normal())]))
        inputs = {"a": a.tolist(), "a0": a0}
        yield ctx.compare("literal", "printed", measure(**inputs), inputs, "random terms")
        sums = a0 + np.cumsum(a)
        for name, (f, integral) in FUNCTIONS.items():
            lhs[name].append(float(np.sum(a * f(sums))))
            right[name].append(float(integral(sums[-1]) - integral(a0)))
    words = "other decreasing functions"
    for name in FUNCTIONS:
        values = lhs[name]
        bound = np.array(right[name]) * (1 + 1e-12) + 1e-14
        yield ctx.compare(
            "literal", "printed", values, {"f": name}, words, bound=bound, tight=np.nan
        )
    words = "an increasing f, (x, a = 2): 4 > 2"
    yield ctx.compare("literal", "printed", 4.0, {"f": "x"}, words, bound=2.0, role="control")


FEW = Instances("a few terms", case_table("a0 a", (0, [1, 1, 1]), (0, [4]), (1, [1, 2])))
CHECKS = (Check("olu.lem7", check, measure, (FEW,)).measured_by("online", "squares_over_roots"),)
