"""Section 4.1 of mini: the attack on a forgotten sample weakens as k grows, not as it shrinks."""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from scipy.special import ndtr

from verify.checks import Check, Context, Findings, Instances, Limit, case_table

BOTH = "two Gaussian scores, by quadrature"
_MOMENTS = "the Gaussian with the mean and the variance of the difference of scores"


def weights(n: int, u: int, r: float, k: int) -> np.ndarray:
    """Weight of every sample in w_T + eq (10), by its k steps; the first u are forgotten."""
    learned_weights = np.full(n, 1 / n)
    kept_weights = np.r_[np.zeros(u), np.full(n - u, 1 / (n - u))]
    v = np.zeros(n)
    for _ in range(k):
        v = (1 - r) * (kept_weights - learned_weights) + r * v
    return np.asarray(learned_weights + v)


def measure(n: float, u: float, d: float, r: float, k: float) -> float:
    """AUC of <x, w> with x in the run against x replaced, by quadrature over the first score."""
    a = weights(int(n), int(u), r, int(k))
    others = float((a[1:] ** 2).sum())
    x, w = np.polynomial.hermite_e.hermegauss(200)
    inside = a[0] * d + math.sqrt(others * d) * x
    return float((w * ndtr(inside / math.sqrt((others + a[0] ** 2) * d))).sum() / w.sum())


def difference_form(a: np.ndarray, j: int) -> np.ndarray:
    """<x_j, w> - <x', w> for w = sum a_i x_i and a fresh x', as a quadratic form.

    It is the sum over d coordinates of a x^2 + x z - a x x' - x' z, z the other samples' share.
    """
    spread = math.sqrt(float((a**2).sum() - a[j] ** 2))
    own, z = -a[j] / 2, spread / 2
    return np.array([[a[j], own, z], [own, 0.0, -z], [z, -z, 0.0]])


def on_one_model(a: np.ndarray, j: int, d: int) -> float:
    """P(<x_j, w> > <x', w>), by Imhof's integral: exact in d."""
    from scipy.integrate import quad

    eigenvalues = np.linalg.eigvalsh(difference_form(a, j))
    eigenvalues = eigenvalues / np.abs(eigenvalues).max()

    def integrand(t: float) -> float:
        angle = d / 2 * np.arctan(eigenvalues * t).sum()
        length = d / 4 * np.log1p((eigenvalues * t) ** 2).sum()
        return float(np.sin(angle) * np.exp(-length) / t)

    total, _ = quad(integrand, 0, 40 / math.sqrt(d), epsabs=1e-13, limit=400)
    return float(0.5 + total / math.pi)


def two_moments(a: np.ndarray, j: int, d: int) -> float:
    """The same probability for a Gaussian with the difference's own mean and variance."""
    form = difference_form(a, j)
    mean = d * np.trace(form)
    variance = 2 * d * np.trace(form @ form)
    return float(ndtr(mean / math.sqrt(variance)))


def measure_retained(n: float, u: float, d: float, r: float, k: float) -> float:
    """AUC of a retained against a fresh sample on one model, exact in d."""
    return on_one_model(weights(int(n), int(u), r, int(k)), -1, int(d))


def _grown(ctx: Context) -> Iterator[tuple[dict[str, Any], np.ndarray]]:
    """Dimensions at which the central limit is close, n growing with them; the samples' weights."""
    for d, k in product((200, 2_000, ctx.pick(8_000, 40_000)), (0, 3, 10)):
        inputs = {"n": d // 4, "u": d // 40, "d": d, "r": 0.9, "k": k}
        yield inputs, weights(inputs["n"], inputs["u"], 0.9, k)


def check(ctx: Context) -> Findings:
    label, script = "exact scores at k and at k + 1", "kpriv"
    for inputs in CASES:
        exact = measure(**inputs)
        later = measure(**{**inputs, "k": inputs["k"] + 1})
        yield ctx.compare("literal", "printed", exact, inputs, label, bound=later, script=script)
        yield ctx.compare("literal", "tight", exact, inputs, BOTH, relation="==")
    yield from _limit(ctx, "fresh", 0)


def check_retained(ctx: Context) -> Findings:
    yield from _limit(ctx, "literal", -1)


def _limit(ctx: Context, interpretation: str, j: int) -> Findings:
    """The difference from the limit is below 0.28/d at every d tried: the limit, at its rate."""
    for inputs, a in _grown(ctx):
        d = inputs["d"]
        exact = on_one_model(a, j, d)
        label = "exact AUC at a large dimension"
        options = {"relation": "==", "tolerance": 0.5 / d}
        yield ctx.compare(interpretation, "corrected", exact, inputs, label, **options)
        auc = two_moments(a, j, d)
        yield ctx.compare(interpretation, "corrected", auc, inputs, _MOMENTS, relation="==")


CASES = case_table(
    "n u d r k",
    *((50, 5, 200, 0.9, k) for k in (0, 1, 10, 50)),
    (1000, 100, 2000, 0.99995, 10),
    (10, 3, 4, 0.5, 2),
)
# At the numbers of the plot the limit is missed by .0012 at most: 0.5/d of it is 0.0025.
PLOTTED = Instances(
    "exact AUC at d = 200",
    case_table("n u d r k", *((50, 5, 200, 0.9, k) for k in (0, 2, 5, 10))),
    forms=("corrected",),
    tolerance=0.5 / 200,
)
LIMITS = {"literal": Limit("d to infinity", searchable=False)}
CHECKS = (
    Check("mini.kpriv", evidence=check, exact_side=measure),
    Check("mini.kpriv.retained", check_retained, measure_retained, (PLOTTED,), LIMITS),
)
