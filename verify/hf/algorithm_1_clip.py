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

SCRIPT = '''"""Algorithm 1 of hf, Stage I, on l = w^2/2: C = 1, eta = 1/2, w_0 = 1/10.

max(1, C/|g|) stretches every small gradient to norm C: the run steps over the minimum for ever.
"""
from fractions import Fraction as F
C, eta, w = F(1), F(1, 2), F(1, 10)
for t in range(6):
    g = w
    clipped = g * max(1, C / abs(g))
    print(f"w_{t} = {float(w)}: clipped gradient {float(abs(clipped))}, gradient {float(abs(g))}")
    w -= eta * clipped
g = F(5)
stays = abs(g * max(1, C / abs(g)))
print(f"|g| = 5 stays {stays}; claimed at most {C}")
assert stays > C and abs(w) == F(1, 10)
'''
BATCH = '''"""hf with the right clip (min) on the mean of a batch: the approximator does not see it.

Two samples l = 3w, C = 1, whole batches, T = 1, eta = 1: both runs step by 1, so D = 0.
"""
from fractions import Fraction as F
C, eta, g, b = 1, 1, F(3), 2
clip = lambda x: x * min(F(1), C / abs(x))
learned, retrained = -eta * clip(2 * g / b), -eta * clip(g / b)
a = eta / F(b) * g                            # (9): (eta/b) g_u
error = abs(retrained - learned - a)
bound = 2 * C * eta / F(b)                    # (41) at T = 1
print(f"error {float(error)}; (41): {float(bound)}")
assert error > bound
'''


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
        bound=1.0, script=SCRIPT, tight=math.nan,
    )  # fmt: skip
    # Two samples l = 3w, C = 1, whole batches, one step of size 1.
    C, eta, slope, b = 1.0, 1.0, 3.0, 2
    learned = -eta * min(slope * b / b, C)
    retrained = -eta * min(slope * (b - 1) / b, C)
    error = abs(retrained - learned - eta / b * slope)
    yield ctx.compare(
        "batch", "corrected", error, {"C": C, "eta": eta, "b": b}, "two linear losses, one step",
        bound=2 * C * eta / b, script=BATCH, tight=math.nan,
    )  # fmt: skip
