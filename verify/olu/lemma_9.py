"""Lemma 9 of olu: the root of x - sqrt(a x + b) = c attains the tight form."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(a: float, b: float, c: float) -> float:
    """The largest x with x - sqrt(a x + b) <= c, by bracketing."""
    from scipy.optimize import brentq

    high = 1.0
    while high - np.sqrt(a * high + b) <= c:
        high *= 2
    # the left side falls, then rises; the largest root lies where it rises
    low = max(0.0, a / 4 - b / a)
    root = brentq(lambda x: x - np.sqrt(a * x + b) - c, low, high, xtol=1e-14, rtol=1e-14)
    return float(root)


def check(ctx: Context) -> Findings:
    rng = ctx.rng(1)
    count = ctx.pick(2000, 100_000)
    many = {name: np.exp(rng.normal(0, 2, size=count)) for name in "abc"}
    x = np.exp(rng.normal(0, 3, size=count))
    obeys = x - np.sqrt(many["a"] * x + many["b"]) <= many["c"]
    chosen = {name: values[obeys] for name, values in many.items()}
    yield from ctx.compare_forms("literal", x[obeys], chosen, "random x that obey the hypothesis")


ROOT = Instances(
    "the larger root",
    case_table("a b c", (1, 0, 1), (2, 3, 0.5), (0.1, 1, 10)),
    draws=(100, 1000),
    relations={"tight": "=="},
)
CHECKS = (
    Check("olu.lem9", check, measure, (ROOT,)).measured_by(
        "online", "self_bounded_loss", where=("losses at least 0", "bounded")
    ),
)
