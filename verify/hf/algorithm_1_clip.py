"""Algorithm 1 of hf, Stage I: the printed clip lets no gradient be smaller than C."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.alg1.clip",
    label="Algorithm 1, Stage I",
    kind="algorithm",
    statement="The clipped gradient g max(1, C/|g|) has norm at most C, and (9) to (41) hold with "
    "that C.",
    aliases=("hf.alg1-clip",),
    readings=(
        Reading(
            "literal",
            "the clipped gradient has norm at most C",
            ("printed", "corrected"),
            proofs={"corrected": "|g| min(1, C/|g|) = min(|g|, C)"},
            edits={"printed": Edit("min for max", r"\max", r"\min")},
        ),
        Reading(
            "batch",
            "with min on the batch mean: the approximator's error is at most (41)",
            ("corrected",),
            stance="repair",
        ),
    ),
    natural=Natural("g", tuple(0.1 * k for k in range(1, 31)), {"C": 1.0}, log_y=False),
    quantity="norm of a descent step over eta",
    correction="g min(1, C/|g|), per sample; certify only if the clip never acts, or differentiate "
    "the clipped field.",
)


def measure(g: float, C: float) -> float:
    """Norm of the step that the simulator takes with the corrected rule, on l = |w|^2/2."""
    import torch

    from simulators.trajectory.training import Training

    training = Training((np.array([0]),), np.array([1.0]), np.array([g]), clip=C)
    return g * training.shrinking(_Plain(), torch.tensor([g], dtype=torch.float64))


class _Plain:
    """Enough of a model for the length of a gradient."""

    def lengths(self, A: object) -> object:
        import torch

        return torch.linalg.vector_norm(A, dim=1)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        inputs = {"g": float(rng.exponential(2)), "C": float(rng.exponential() + 0.01)}
        norm = measure(**inputs)
        yield ctx.compare(
            "literal", "corrected", norm, inputs, "a step of the simulator", relation="=="
        )
        yield ctx.compare(
            "literal", "corrected", norm, inputs, "at most C", bound=inputs["C"], tight=math.nan
        )
    inputs = {"g": 5.0, "C": 1.0}
    yield ctx.compare(
        "literal", "printed", ctx.formula("printed", **inputs), inputs, "a gradient of norm 5C",
        bound=1.0, script="alg1_clip", tight=math.nan,
    )  # fmt: skip
    # Two samples l = 3w, C = 1, whole batches, one step of size 1.
    C, eta, slope, b = 1.0, 1.0, 3.0, 2
    learned = -eta * min(slope * b / b, C)
    retrained = -eta * min(slope * (b - 1) / b, C)
    error = abs(retrained - learned - eta / b * slope)
    yield ctx.compare(
        "batch", "corrected", error, {"C": C, "eta": eta, "b": b}, "two linear losses, one step",
        bound=2 * C * eta / b, script="alg1_clip_batch", tight=math.nan,
    )  # fmt: skip
