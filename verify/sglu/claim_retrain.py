"""Section 1.1 of sglu: the epochs saved over retraining, made explicit and measured."""

import numpy as np

from simulators.exact.gaussian import Gaussian, step
from verify.checks import Check, Context, Findings, Instances, case_table

MOST_BATCHES, MOST_EPOCHS = 10_000, 1_000


def measure(
    eta: float, m: float, M: float, b: float, R: float, J: float = 0, n: float = 0
) -> float:
    """Epochs saved on the linear chain, counted on the exact means down to a common distance.

    The crossing times are made real by interpolating the logarithm of the distance, which is
    linear in the epochs for this chain.
    """
    batches = int(J or n // b)
    c, q = 1 - eta * m, 2 * eta * M / b
    if not (batches <= MOST_BATCHES and c**batches <= 1 - 1 / MOST_EPOCHS):
        raise ValueError(
            f"J must be at most {MOST_BATCHES}, and (1 - eta m)^J at most 1 - 1/{MOST_EPOCHS}: "
            f"each batch and epoch is a step of its own, got {batches} and {c**batches:.9g}"
        )
    shifted_epoch = step(c, q, 0.0)
    for _ in range(batches - 1):
        shifted_epoch = step(c, 0.0, 0.0).then(shifted_epoch)
    start = float(shifted_epoch.stationary().mean[0]) if batches else 0.0
    epoch = step(c, 0.0, 0.0).power(batches)
    target = min(start, 2 * R) / 1e3

    def crossing(distance: float) -> float:
        law, epochs = Gaussian.point(distance), 0
        while law.mean[0] > target:
            before, law, epochs = law.mean[0], epoch.apply(law), epochs + 1
        over = np.log(before / target) / np.log(before / law.mean[0])
        return float(epochs - 1 + over)

    return crossing(2 * R) - crossing(start)


def check(ctx: Context) -> Findings:
    """Epochs saved over retraining, over growing batch sizes: the saving must not fall."""
    reason = "Omega(1) and O(eta M / b) state no constant"
    yield ctx.declare("literal", "corrected", "unspecified", reason)
    for table in (SMALL, LARGE):
        n, R = table[-1]["b"], table[0]["R"]
        steps = np.diff([measure(**row) for row in table])
        instance = "the saving increases with the batch size"
        options = {"bound": 0.0, "tight": np.nan, "relation": ">="}
        yield ctx.compare("explicit", "corrected", steps, {"n": n, "R": R}, instance, **options)


SMALL, LARGE = (
    case_table("eta m M b R J", *((2, 0.02, 1, b, R, n // b) for b in (*sizes, n)))
    for n, R, sizes in ((1200, 2, (40, 120, 300, 600)), (10240, 100, (32, 64, 128, 512)))
)
COUNTED = Instances(
    "epochs counted on the exact means of the linear chain",
    (*SMALL, *LARGE),
    interpretations=("explicit",),
    relations={"corrected": "=="},
)
CHECKS = (
    Check("sglu.claim.retrain", evidence=check, exact_side=measure, at=(COUNTED,)).measured_by(
        "langevin", "saved_epochs", interpretations=("explicit",), where=("short steps", "one row")
    ),
)
