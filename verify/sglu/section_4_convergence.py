"""Section 4 and Table 2 of sglu: the burn-in forgets the start to far below rounding."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bounds.sglu import settings
from bounds.sglu.algorithm_5 import epsilon_line_9
from bounds.sglu.table_3 import PRINTED
from simulators.exact.gaussian import Gaussian, step
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="sglu.sec4.t",
    label="Section 4, Table 2",
    kind="claim",
    statement="T = 10, 20, 50, 1000 learning epochs ensure convergence for batches of 32, 128, "
    "512 and n.",
    aliases=("sglu.sec4.T", "sglu.table2"),
    readings=(
        Reading(
            "literal",
            "all runs of Table 2, from anywhere in the ball of radius 100",
            ("corrected",),
            proofs={"corrected": "Lemma 3.6; equality on linear chains"},
        ),
        Reading(
            "accounting",
            "epsilon of Algorithm 5 at the noise of Table 3, with and without the start's terms",
            ("corrected",),
            proofs={"corrected": "evaluated at all 24 entries"},
        ),
    ),
    natural=Natural(
        "T",
        (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0),
        {"eta": 1 / 0.261264, "m": 0.011264, "J": 1, "R": 100.0},
        log_x=True,
    ),
    quantity="distance to the stationary law",
)


def measure(eta: float, m: float, J: float, T: float, R: float) -> float:
    """Distance between linear chains started at opposite ends of the ball, after T epochs."""
    kernel = step(1 - eta * m, 0.0, 0.1).power(int(J * T))
    laws = [kernel.apply(Gaussian.point(start)) for start in (2 * R, 0.0)]
    return float(laws[0].mean[0] - laws[1].mean[0])


def check(ctx: Context) -> Iterator[Evidence]:
    for name, n in settings.SIZES.items():
        for batch, T in settings.BURN_IN.items():
            k = {key: float(v) for key, v in settings.constants(n, batch or n).items()}
            inputs = {"eta": k["eta"], "m": k["m"], "J": k["J"], "T": T, "R": settings.RADIUS}
            exact, instance = measure(**inputs), f"{name}, b = {batch or n}: linear chains"
            yield ctx.compare(
                "literal", "corrected", exact, inputs, instance, relation="==", tolerance=1e-8
            )
            yield ctx.compare(
                "literal", "corrected", exact, inputs, f"{instance}, the start is forgotten",
                bound=1e-13, tight=np.nan,
            )  # fmt: skip
            yield ctx.compare(
                "literal", "corrected", measure(**{**inputs, "T": T // 5}), inputs,
                f"{instance}, a fifth of the epochs", bound=1e-13, role="control",
            )  # fmt: skip
    for (name, batch), sigmas in PRINTED.items():
        n = settings.SIZES[name]
        known = settings.constants(n, batch or n)
        common = {"delta": np.asarray(1 / n), "sigma": np.array(sigmas), **known}
        one, R = np.asarray(1.0), np.asarray(settings.RADIUS)
        found = [
            epsilon_line_9(one, **common, T=np.asarray(float(T)), R=R)
            for T in (settings.BURN_IN[batch], np.inf)
        ]
        yield ctx.compare(
            "accounting", "corrected", found[0] / found[1] - 1,
            {"sigma": np.array(sigmas), "n": n, "b": batch or n},
            f"{name}, b = {batch or n}: relative excess of epsilon", bound=1e-11, tight=np.nan,
        )  # fmt: skip
