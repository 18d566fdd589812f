"""(31)-(32) of olu: sums of squared distances to a comparator that moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="olu.eq31",
    label="(31), (32)",
    kind="inequality",
    statement="Summed over all blocks, (|z_t-z_i*|^2 - |z_{t+1}-z_i*|^2)/(2 eta_t) is at most "
    "D^2/(2 eta_T).",
    aliases=("olu.eq32",),
    readings=(
        Reading(
            "literal",
            "positions and comparators in K, steps that do not increase, z_i* for tau_i < t",
            ("printed", "corrected"),
            proofs={"corrected": "|w-v|^2 - |w-v'|^2 = <v'-v, 2w-v-v'> <= 2D |v'-v|"},
        ),
        Reading(
            "fixed",
            "one comparator: nothing is deleted",
            ("printed",),
            proofs={"printed": "the sum telescopes by parts, as 1/eta_t does not fall"},
            stance="repair",
        ),
    ),
    correction="Add D sum_i |z_i* - z_{i-1}*|/eta_{tau_i}, the path length of the comparators.",
)


def total(z: np.ndarray, served: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """The sum; z (T + 1, ...), served and eta (T, ...)."""
    squares = (z[:-1] - served) ** 2 - (z[1:] - served) ** 2
    return np.asarray(np.sum(squares / (2 * eta), axis=0))


def check(ctx: Context) -> Iterator[Evidence]:
    z = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    served = np.array([0.0, 0.0, 1.0, 1.0, 0.0])
    inputs = {"D": 1.0, "eta": 1.0, "path": [1.0, 1.0], "eta_tau": [1.0, 1.0]}
    yield ctx.compare(
        "literal", "printed", float(total(z, served, np.ones(5))), inputs,
        "the iterate follows two moves of the comparator", script="eq31",
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(150, 4000)):
        T, k = int(rng.integers(2, 40)), int(rng.integers(1, 6))
        D = float(np.exp(rng.normal()))
        eta = np.sort(np.exp(rng.normal(0, rng.uniform(0, 2), size=T)))[::-1]
        tau = np.sort(rng.integers(1, T + 1, size=k))
        stars = D * np.where(rng.random() < 0.5, rng.random(k + 1), rng.integers(0, 2, k + 1))
        served = stars[np.searchsorted(tau, np.arange(1, T + 1), side="left")]
        # positions near the last comparator make every move of it dear
        follows = np.append(stars[0], served)
        z = D * rng.random(T + 1) if rng.random() < 0.5 else follows
        inputs = {
            "D": D, "eta": eta[-1], "eta_tau": eta[tau - 1],
            "path": np.minimum(np.abs(np.diff(stars)), D),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", float(total(z, served, eta)), inputs, "random positions"
        )
        fixed = np.full(T, stars[0])
        yield ctx.compare(
            "fixed", "printed", float(total(z, fixed, eta)), {"D": D, "eta": eta[-1]},
            "random positions, one comparator", tight=np.nan,
        )  # fmt: skip
    steps = 1 / np.arange(1.0, 6.0)
    yield ctx.compare(
        "fixed", "printed", float(total(np.array([1.0] * 5 + [0.0]), np.zeros(5), steps)),
        {"D": 1.0, "eta": steps[-1]}, "far away until the last round", relation="==",
        tight=np.nan,
    )  # fmt: skip
