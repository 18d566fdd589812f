"""hf's "forgetting the recollections": the statistics that stay determine the deleted sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.forget_recollections",
    label="Forgetting the recollections (Sections 1, 4.2)",
    kind="claim",
    statement="Deleting a^{-u} after unlearning u leaves nothing of u that must be kept secret.",
    aliases=("hf.forget-recollections",),
    readings=(
        Reading(
            "literal",
            "the statistics a^{-v} of the other samples, which are kept",
            ("printed", "tight"),
            proofs={"tight": "derivative of the closed form with respect to the mean"},
        ),
    ),
    natural=Natural(
        "T", tuple(float(t) for t in range(1, 41)), {"eta": 0.3, "h": 1.0, "n": 2.0}, log_y=False
    ),
    quantity="change of another sample's statistic per unit of c_u",
    correction="Definition 2.1 covers the released model only. For the server's state too, the "
    "statistics need noise or must be computed again.",
)


def statistic(minima: np.ndarray, eta: float, h: float, T: int, w0: float = 0.0) -> float:
    """a^{-v} of the last sample, by the recursion along training."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_worlds import full_batch

    n = len(minima)
    model, training = full_batch(np.full(n, h), minima, w0, eta, T)
    return float(differences(model, training, [[n - 1]], Recursion("batch")).vectors[0, 0])


def recovered(
    kept: float, others: np.ndarray, eta: float, h: float, T: int, w0: float = 0.0
) -> float:  # fmt: skip
    """c_u of the first sample, from the last one's statistic and the data that stay."""
    n, rho = len(others) + 1, 1 - eta * h
    whole, last = 1 - rho**T, T * eta * h * rho ** (T - 1)
    mean = (n * kept + others[-1] * whole - w0 * last) / (whole - last)
    return float(n * mean - others.sum())


def measure(eta: float, h: float, n: float, T: float) -> float:
    """How far the last sample's statistic moves when the first one's minimum moves by 1."""
    if T == 0:
        return 0.0
    minima = np.cos(np.arange(int(n)))
    moved = minima + (np.arange(int(n)) == 0)
    return statistic(moved, eta, h, int(T)) - statistic(minima, eta, h, int(T))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        inputs = {
            "eta": float(rng.uniform(0.1, 1)), "h": float(rng.uniform(0.3, 1.5)),
            "n": float(rng.integers(2, 8)), "T": float(rng.integers(2, 20)),
        }  # fmt: skip
        found = measure(**inputs)
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, found, inputs, "one sample moved, the statistic of another",
                relation="==", tolerance=1e-8,
                script="forget_recollections" if form == "printed" else None,
            )  # fmt: skip
    for eta, h, T, minima in (
        (0.3, 1.0, 6, [0.731, -0.4]), (0.5, 1.3, 4, [0.731, 2.0, -1.0, 0.3]),
    ):  # fmt: skip
        data = np.array(minima)
        found = recovered(statistic(data, eta, h, T, 0.2), data[1:], eta, h, T, 0.2)
        yield ctx.compare(
            "literal", "tight", found, {"eta": eta, "h": h, "T": T},
            "the deleted sample from what is kept", bound=0.731, relation="==", tight=np.nan,
        )  # fmt: skip
