"""Section 1.1 of sglu: the epochs saved over retraining, made explicit and measured."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulators.exact.gaussian import Gaussian, step
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="sglu.claim.retrain",
    label="Computational benefit (Section 1.1)",
    kind="asymptotic",
    statement="Unlearning starts O(eta M / b) from retraining while retraining starts Omega(1) "
    "away, so it saves epochs, the more the larger the batch.",
    readings=(
        Reading("literal", "Omega(1) and O(eta M / b), no constants", ("corrected",)),
        Reading(
            "explicit",
            "both end at one distance tau; retraining starts 2R away, unlearning Z",
            ("corrected",),
            proofs={"corrected": "W-infinity shrinks by exactly c^J an epoch on the linear chain"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "b",
        tuple(float(b) for b in (32, 64, 128, 256, 512, 1024)),
        {"eta": 4.0, "m": 0.01, "M": 1.0, "R": 100.0, "n": 10240},
        log_x=True,
        log_y=False,
    ),
    quantity="epochs saved",
)


def measure(
    eta: float, m: float, M: float, b: float, R: float, J: float = 0, n: float = 0
) -> float:
    """Epochs saved on the linear chain, counted on the exact means down to a common distance.

    The crossing times are made real by interpolating the logarithm of the distance, which is
    linear in the epochs for this chain.
    """
    batches = int(J or n // b)
    c, q = 1 - eta * m, 2 * eta * M / b
    kicked = step(c, q, 0.0)
    for _ in range(batches - 1):
        kicked = step(c, 0.0, 0.0).then(kicked)
    start = float(kicked.stationary().mean[0]) if batches else 0.0
    epoch = step(c, 0.0, 0.0).power(batches)
    target = min(start, 2 * R) / 1e3

    def crossing(distance: float) -> float:
        law, epochs = Gaussian.point(distance), 0
        while law.mean[0] > target:
            before, law, epochs = law.mean[0], epoch.apply(law), epochs + 1
        over = np.log(before / target) / np.log(before / law.mean[0])
        return float(epochs - 1 + over)

    return crossing(2 * R) - crossing(start)


def check(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "corrected", "unspecified", "Omega(1) and O(eta M / b) state no constant"
    )
    for n, R in ((1200, 2.0), (10240, 100.0)):
        saved = []
        for b in (32, 64, 128, 512, n) if n > 2000 else (40, 120, 300, 600):
            inputs = {"eta": 2.0, "m": 0.02, "M": 1.0, "b": b, "R": R, "J": n // b}
            saved.append(measure(**inputs))
            yield ctx.compare(
                "explicit",
                "corrected",
                saved[-1],
                inputs,
                "epochs counted on the exact means of the linear chain",
                relation="==",
            )
        steps = np.diff(saved)
        yield ctx.compare(
            "explicit",
            "corrected",
            float(steps.min()),
            {"n": n, "R": R},
            "the saving increases with the batch size",
            bound=0.0,
            tight=np.nan,
            relation=">=",
        )
