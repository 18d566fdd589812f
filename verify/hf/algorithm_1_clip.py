"""Algorithm 1 of hf, Stage I: the printed clip lets no gradient be smaller than C."""

import math

import numpy as np

from verify.checks import Check, Context, Findings, Instances


def measure(g: float, C: float) -> float:
    """Norm of the step that the simulator takes with the corrected rule, on l = |w|^2/2."""
    import torch

    from simulators.trajectory.training import Training

    training = Training((np.array([0]),), np.array([1.0]), np.array([g]), clip=C)
    return g * float(training.shrinking(_Plain(), torch.tensor([g], dtype=torch.float64)))


class _Plain:
    """Enough of a model for the length of a gradient."""

    def lengths(self, A: object) -> object:
        import torch

        return torch.linalg.vector_norm(A, dim=1)


def check(ctx: Context) -> Findings:
    """Norms of clipped gradients, random pairs (|g|, C) and one five times too long.

    Two linear losses show what clipping of a batch does to the statistic.
    """
    g, C = ctx.rng(1).exponential((2, 1), (ctx.pick(40, 400), 2)).T + 0.01
    norms = [measure(*pair) for pair in zip(g, C, strict=True)]
    yield ctx.compare("literal", "corrected", norms, {}, "at most C", bound=C, tight=math.nan)
    inputs = {"g": 5.0, "C": 1.0}
    at = "a gradient of norm 5C"
    lhs = ctx.claim("printed", **inputs)
    yield ctx.compare(
        "literal", "printed", lhs, inputs, at, bound=1.0, tight=math.nan, script="alg1_clip"
    )
    # Two samples l = 3w, C = 1, whole batches, one step of size 1.
    C, eta, slope, b = 1.0, 1.0, 3.0, 2
    learned_weight = -eta * min(slope * b / b, C)
    retrained = -eta * min(slope * (b - 1) / b, C)
    error = abs(retrained - learned_weight - eta / b * slope)
    bound = 2 * C * eta / b
    at = "two linear losses, one step"
    yield ctx.compare(
        "batch", "corrected", error, {}, at, bound=bound, tight=math.nan, script="alg1_clip_batch"
    )


STEP = Instances(
    "a step of the simulator",
    draws=(40, 400),
    interpretations=("literal",),
    forms=("corrected",),
    relations={"corrected": "=="},
)
CHECKS = (
    Check("hf.alg1.clip", check, measure, (STEP,))
    .measured_by(
        "recollection",
        "printed_clipped_norm",
        interpretations=("literal",),
        forms=("printed",),
        sides={"printed": "clip"},
    )
    .measured_by(
        "recollection",
        "clipped_norm",
        interpretations=("literal",),
        forms=("corrected",),
        sides={"corrected": "clip"},
    ),
)
