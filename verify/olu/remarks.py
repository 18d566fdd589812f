"""What olu says beside its theorems: averages of outputs, doubling, and less noise when active."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence

Array = NDArray[np.float64]
AVERAGE = Claim(
    id="olu.batch",
    label="Section 5, online-to-batch conversion",
    kind="claim",
    statement="The average of all outputs does not necessarily satisfy the unlearning guarantee, "
    "since it goes back beyond the deletion.",
    readings=(
        Reading(
            "literal", "the average of all T outputs; some stream on which it fails", ("printed",),
            proofs={"printed": "For linear losses the outputs of the two runs are eta L apart from "
                    "round u + 1 on, and the noise of tau shifts the outputs from tau on alone. "
                    "The divergence of the averages is alpha eps ((T - u)/(T - tau + 1))^2, above "
                    "alpha eps for every tau > u + 1."},
        ),
        Reading(
            "later", "the average of the outputs from tau on", ("printed",),
            stance="repair",
            proofs={"printed": "It is a function of the output at tau and of losses that both runs "
                    "see. Divergences do not grow under such a map (post-processing)."},
        ),
    ),
    formula=False,
    quantity="Renyi divergence over alpha eps",
    correction="The comparison that Section 5 calls impossible can be made with the average of the "
    "outputs since the last deletion.",
)  # fmt: skip
DOUBLING = Claim(
    id="olu.thm5.doubling",
    label="Section 3, doubling",
    kind="claim",
    statement="A constant step needs T and k beforehand; doubling can stand in for that.",
    readings=(
        Reading(
            "literal", "restarts at rounds 1, 2, 4, ..., each with eta* for its own length and the "
            "deletions in it; against sqrt(4 + 2 sqrt 2) sqrt T", ("printed",),
            proofs={"printed": "The run from a restart has its own bound A sqrt(T_j + a k_j^2), at "
                    "most A (sqrt T_j + sqrt(a) k_j), and data before the restart leave no trace. "
                    "The roots of 1, 2, ..., N/2 add up to less than (sqrt 2 + 1) sqrt N, and the "
                    "last run of r rounds adds sqrt r: by Cauchy and Schwarz at most "
                    "sqrt((sqrt 2 + 1)^2 + 1) sqrt(N + r). The k_j add up to k."},
        ),
        Reading("free", "at no more than the bound for known T", ("printed",)),
    ),
    formula=False,
    quantity="sum of the bounds of all restarts",
    correction="A factor of 2.62 on sqrt T, where each restart knows how many deletions it will "
    "see; k is still to be known.",
)  # fmt: skip
LESS = Claim(
    id="olu.thm6.less",
    label="Section 4, less noise than the passive method",
    kind="claim",
    statement="This often allows the active unlearning algorithm to add less noise than the "
    "passive method.",
    readings=(
        Reading("literal", "often, for the noise (40) against line 5 of Algorithm 1",
                ("printed",)),
        Reading("always", "for every stream, k = 1 and I_2 = 0 as Theorem 6 allows",
                ("printed",)),
    ),
    formula=False,
    quantity="noise of the active method",
    correction="With k = 1 it takes tau gamma^{tau - u} > 6 u at least: an early loss, few rounds "
    "after it, and a large condition number.",
)  # fmt: skip
CLAIMS = (AVERAGE, DOUBLING, LESS)
RATIO = math.sqrt(4 + 2 * math.sqrt(2))


def over_budget(T: int, u: int, tau: int, first: int, eta: float = 0.1, L: float = 2.0) -> float:
    """Divergence over alpha eps of the average of outputs first..T, f_u deleted at tau.

    f_t = L z on the line, so that only the mean of the Gaussian differs; the output at tau is the
    first that carries the noise, whose variance makes its own divergence alpha eps, eps = 1.
    """
    noise = eta * L / math.sqrt(2.0)
    gap, spread = np.zeros(T + 1), np.zeros(T + 1)
    for t in range(2, T + 1):  # z_t is made from f_{t-1}
        gap[t] = gap[t - 1] + (eta * L if t - 1 == u else 0.0)
        spread[t] = noise if t >= tau else 0.0
    mean, deviation = gap[first:].mean(), spread[first:].mean()
    return float(mean**2 / (2 * deviation**2))


def check_average(ctx: Context) -> Iterator[Evidence]:
    for T, u, tau in ((10, 1, 10), (100, 20, 50), (1000, 998, 999)):
        at = {"T": T, "u": u, "tau": tau}
        yield ctx.compare(
            "literal", "printed", over_budget(T, u, tau, 1), at, "linear losses, exact law",
            bound=1.0, relation=">=", tight=np.nan,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "printed", over_budget(T, u, tau, 1), at, "linear losses, closed form",
            bound=((T - u) / (T - tau + 1)) ** 2, relation="==", tight=np.nan,
        )  # fmt: skip
        yield ctx.compare(
            "later", "printed", over_budget(T, u, tau, tau), at, "linear losses, exact law",
            bound=1.0, tight=1.0,
        )  # fmt: skip


def restarted(T: int, deletions: Array, a: float) -> float:
    """Sum over restarts at 1, 2, 4, ... of sqrt(T_j + a k_j^2); deletions: their rounds."""
    total, start = 0.0, 1
    while start <= T:
        length = min(start, T - start + 1)
        inside = int(((deletions >= start) & (deletions < start + length)).sum())
        total += math.sqrt(length + a * inside**2)
        start += length
    return total


def check_doubling(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for J in (3, 8, 14):
        T = 2**J - 1 + round(2**J * (math.sqrt(2) - 1) ** 2)  # the last run that costs most
        for k in (0, 1, int(rng.integers(2, 10))):
            a, rounds = float(rng.exponential()), rng.integers(1, T + 1, k).astype(float)
            at = {"T": T, "k": k, "a": a}
            yield ctx.compare(
                "literal", "printed", restarted(T, rounds, a), at, "deletions at random",
                bound=RATIO * math.sqrt(T) + math.sqrt(a) * k, tight=np.nan,
            )  # fmt: skip
    for T in (1023, 65_535):
        at = {"T": T, "k": 0, "a": 1.0}
        yield ctx.compare(
            "free", "printed", restarted(T, np.zeros(0), 1.0), at, "no deletion",
            bound=math.sqrt(T), tight=np.nan, script="thm5_doubling",
        )  # fmt: skip


def check_less(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare("literal", "printed", "unspecified", "how often, and over which streams")
    for gamma, u, tau in ((0.5, 1, 10), (0.9, 50, 60), (0.99, 100, 100)):
        passive = gamma ** (tau - u) / u
        yield ctx.compare(
            "always", "printed", (6 + passive) / tau, {"gamma": gamma, "u": u, "tau": tau},
            "(40) against line 5, L = mu = 1", bound=passive, tight=np.nan, script="thm6_less",
        )  # fmt: skip


CHECKERS = {AVERAGE.id: check_average, DOUBLING.id: check_doubling, LESS.id: check_less}
