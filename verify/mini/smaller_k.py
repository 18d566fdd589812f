"""Section 4.1 of mini: the attack on a forgotten sample weakens as k grows, not as it shrinks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import ndtr

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

_FRESH = "a sample against a fresh one on the same model, as the dimension grows"
_MOMENTS = "the Gaussian with the mean and the variance of the difference of scores"
_GAUSSIAN = "Gaussian mean, full batch from the mean of all data, attack <x, w>"
KPRIV = Claim(
    id="mini.kpriv",
    label="A smaller k enhances robustness (Section 4.1)",
    kind="claim",
    statement="A smaller k results in less private gradient information, thereby enhancing the "
    "robustness: an attack on a forgotten sample does no better at k than at k + 1.",
    readings=(
        Reading(
            "literal",
            _GAUSSIAN + "; one sample with |x|^2 = d, in the run or replaced",
            ("printed", "tight"),
            proofs={"tight": "two Gaussian scores; the forgotten weight is exactly r^k/n"},
        ),
        Reading("fresh", f"{_GAUSSIAN}; {_FRESH}", ("corrected",)),
    ),
    natural=Natural("k", (0, 2, 5, 10, 20, 50), {"n": 50, "u": 5, "d": 200, "r": 0.9}, log_y=False),
    quantity="AUC on a forgotten sample",
    correction="w_T itself (k = 0) holds all of the influence; k is how much of it is removed, "
    "and the weight r^k/n that is left falls with k.",
)
RETAINED = Claim(
    id="mini.kpriv.retained",
    label="The same attack on a retained sample",
    kind="claim",
    statement="The same attack on a retained sample hardly changes with k.",
    readings=(Reading("literal", f"{_GAUSSIAN}; {_FRESH}", ("corrected",)),),
    natural=Natural("k", (0, 2, 5, 10), {"n": 50, "u": 5, "d": 200, "r": 0.9}, log_y=False),
    quantity="AUC on a retained sample",
)
CLAIMS = (KPRIV, RETAINED)


def weights(n: int, u: int, r: float, k: int) -> np.ndarray:
    """Weight of every sample in w_T + eq (10), by its k steps; the first u are forgotten."""
    learned = np.full(n, 1 / n)
    kept = np.r_[np.zeros(u), np.full(n - u, 1 / (n - u))]
    v = np.zeros(n)
    for _ in range(k):
        v = (1 - r) * (kept - learned) + r * v
    return np.asarray(learned + v)


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
    mean, variance = d * np.trace(form), 2 * d * np.trace(form @ form)
    return float(ndtr(mean / math.sqrt(variance)))


def measure_retained(n: float, u: float, d: float, r: float, k: float) -> float:
    """AUC of a retained against a fresh sample on one model, exact in d."""
    return on_one_model(weights(int(n), int(u), r, int(k)), -1, int(d))


def _cases(ctx: Context) -> Iterator[dict[str, Any]]:
    for k in (0, 1, 10, 50):
        yield {"n": 50, "u": 5, "d": 200, "r": 0.9, "k": k}
    yield {"n": 1000, "u": 100, "d": 2000, "r": 0.99995, "k": 10}
    yield {"n": 10, "u": 3, "d": 4, "r": 0.5, "k": 2}


def check(ctx: Context) -> Iterator[Evidence]:
    for inputs in _cases(ctx):
        measured = measure(**inputs)
        yield ctx.compare(
            "literal", "printed", measured, inputs, "exact scores at k and at k + 1",
            bound=measure(**{**inputs, "k": inputs["k"] + 1}), script="kpriv",
        )  # fmt: skip
        yield ctx.compare(
            "literal", "tight", measured, inputs, "two Gaussian scores, by quadrature",
            relation="==",
        )  # fmt: skip
    # The difference from the limit is below 0.28/d at every d tried: the limit, at its rate.
    for inputs in _grown(ctx):
        a = weights(inputs["n"], inputs["u"], inputs["r"], inputs["k"])
        yield ctx.compare(
            "fresh", "corrected", on_one_model(a, 0, inputs["d"]), inputs,
            "exact AUC at a large dimension", relation="==", tolerance=0.5 / inputs["d"],
        )  # fmt: skip
        yield ctx.compare(
            "fresh", "corrected", two_moments(a, 0, inputs["d"]), inputs, _MOMENTS, relation="=="
        )


def _grown(ctx: Context) -> Iterator[dict[str, Any]]:
    """Dimensions at which the central limit is close, n growing with them."""
    for d in (200, 2_000, ctx.pick(8_000, 40_000)):
        for k in (0, 3, 10):
            yield {"n": d // 4, "u": d // 40, "d": d, "r": 0.9, "k": k}


def check_retained(ctx: Context) -> Iterator[Evidence]:
    for inputs in _grown(ctx):
        yield ctx.compare(
            "literal", "corrected", measure_retained(**inputs), inputs,
            "exact AUC at a large dimension", relation="==", tolerance=0.5 / inputs["d"],
        )  # fmt: skip
        a = weights(inputs["n"], inputs["u"], inputs["r"], inputs["k"])
        yield ctx.compare(
            "literal", "corrected", two_moments(a, -1, inputs["d"]), inputs, _MOMENTS, relation="=="
        )


CHECKERS = {KPRIV.id: check, RETAINED.id: check_retained}
MEASURES = {KPRIV.id: measure, RETAINED.id: measure_retained}
