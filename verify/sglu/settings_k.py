"""Appendices K.2 and K.3 of sglu: data sizes, constants, and the clipped logistic loss."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from scipy.special import expit

from bounds.sglu import settings
from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

SIZES = Claim(
    id="sglu.k2",
    label="Appendix K.2",
    kind="claim",
    statement="11264 points of dimension d = 724 (28 x 28 pixels) for MNIST and 9728 of "
    "dimension 512 for CIFAR-10, multiples of the largest batch, 512.",
    aliases=("sglu.K2",),
    readings=(
        Reading(
            "literal", "dimension of a flattened 28 x 28 image", ("printed", "corrected"),
            proofs={"corrected": "28 x 28 = 784"},
            edits={"printed": Edit("784 for 724", "d = 724", "d = 784")},
        ),
        Reading(
            "sizes", "numbers of training points", ("printed",),
            proofs={"printed": "22 x 512 and 19 x 512; Table 3 is reproduced with these only"},
            stance="part",
        ),
    ),
    formula=False,
    correction="d = 784. Section 4 states the sizes before points were dropped (11,982, 10,000); "
    "for MNIST one more batch of 512 could have been kept.",
)  # fmt: skip
TABLE_1 = Claim(
    id="sglu.table1",
    label="Table 1",
    kind="table",
    statement="L = 1/4 + lambda, m = lambda, M = 1 and delta = 1/n for both data sets.",
    readings=(
        Reading("truncated", "lambda = 1e-6 n and 1/n, cut off where printed", ("printed",)),
        Reading("rounded", "the same numbers, rounded", ("printed",)),
    ),
    formula=False,
    correction="The table cuts digits off: m is 0.011264 and 0.009728, delta 1/9728 = 1.028e-4.",
)
LOSS = Claim(
    id="sglu.k3",
    label="Appendix K.3, (69)-(73)",
    kind="claim",
    statement="The clipped logistic loss with regularisation lambda is (1/4 + lambda)-smooth; an "
    "unlearning request replaces a point's features by N(0, I_d).",
    aliases=("sglu.K3", *(f"sglu.eq{k}" for k in range(69, 74))),
    readings=(
        Reading(
            "unit", "features of norm at most 1, as the data sets have them",
            ("printed", "corrected"),
            proofs={
                "printed": "s (1 - s) |x|^2 <= 1/4; the clipping at 1 is inactive",
                "corrected": "slope of min((1 - s)|x|, M)",
            },
        ),
        Reading(
            "request", "the features N(0, I_d) of an unlearning request, not normalised",
            ("printed", "corrected"),
            proofs={"corrected": "slope of min((1 - s)|x|, M), largest where the clipping begins"},
            stance="part",
        ),
        Reading(
            "mini-batch", "a step on a batch of 32 with one such request is a contraction",
            ("printed",),
            stance="repair",
        ),
        Reading(
            "normalised", "the same with the request's features scaled to norm 1", ("printed",),
            proofs={"printed": "eta (L_B + m) <= 2 for eta = 1/L"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "x", tuple(np.linspace(0.1, 30, 30).tolist()), {"lam": 0.011264, "M": 1.0}
    ),
    quantity="Lipschitz constant of the clipped gradient",
    correction="Normalise the replaced features as well: otherwise L is |x| - 1 + lambda (about "
    "27), and steps on batches below 53 expand even if all other points are flat.",
)  # fmt: skip
CLAIMS = (SIZES, TABLE_1, LOSS)


def gradient(w: np.ndarray, x: float, lam: float, M: float) -> np.ndarray:
    """(72) along the feature direction: clipped part plus lambda w, label 1."""
    return np.asarray(lam * w - np.minimum(expit(-w * x) * x, M))


def measure(x: float, lam: float, M: float) -> float:
    """Steepest chord of the clipped gradient, over margins and at the start of the clipping."""
    start = math.log(x / M - 1) if x > M else 0.0
    margins = np.concatenate([np.linspace(-20, 20, 4001), [start]])
    short = 1e-6
    chord = gradient((margins + short) / x, x, lam, M) - gradient(margins / x, x, lam, M)
    return float((chord * x / short).max())


def steepest_step(x: float, n: int, b: int) -> float:
    """Expansion of one step on a batch of b with one point of feature norm x, the others flat.

    The other points' features are orthogonal to x, so that along x only this point and the
    regulariser bend; the largest factor of two models' distance.
    """
    eta, lam = 1 / float(settings.smoothness(n)), float(settings.regularisation(n))
    clipped = measure(x, 0.0, settings.LIPSCHITZ)
    return max(abs(1 - eta * (clipped / b + lam)), abs(1 - eta * lam))


def check_sizes(ctx: Context) -> Iterator[Evidence]:
    for form, d in (("printed", settings.DATA["MNIST"].printed_d), ("corrected", 784)):
        yield ctx.compare(
            "literal", form, 28 * 28, {"d": d}, "pixels of an MNIST image", bound=d, relation="==",
            script="k2_pixels" if form == "printed" else None,
        )  # fmt: skip
    for name, data in settings.DATA.items():
        yield ctx.compare(
            "sizes", "printed", data.n % settings.LARGEST_BATCH, {"n": data.n},
            f"{name}: remainder by the largest batch", bound=0.0, relation="==",
        )  # fmt: skip
        yield ctx.compare(
            "sizes", "printed", data.n, {"n": data.n}, f"{name}: at most the points there were",
            bound=data.before,
        )  # fmt: skip
        yield ctx.compare(
            "sizes", "printed", data.before % settings.LARGEST_BATCH, {"n": data.before},
            f"{name}: the sizes of Section 4 are no multiples", bound=0.0, relation="==",
            role="control",
        )  # fmt: skip


def check_table_1(ctx: Context) -> Iterator[Evidence]:
    printed = (
        ("MNIST", "m", 0.0112, 1e-6 * 11264, 4), ("CIFAR-10", "m", 0.0097, 1e-6 * 9728, 4),
        ("MNIST", "delta", 8.8778e-5, 1 / 11264, 9), ("CIFAR-10", "delta", 0.0001, 1 / 9728, 4),
    )  # fmt: skip
    for reading, cut in (("truncated", math.floor), ("rounded", round)):
        rows: list[Mapping[str, Any]] = []
        for data, name, stated, exact, places in printed:
            computed = ctx.scale * exact
            match = abs(cut(computed * 10**places) / 10**places - stated) < 10.0 ** -(places + 3)
            rows.append(
                {"data": data, "constant": name, "printed": stated, "computed": computed,
                 "match": match}
            )  # fmt: skip
        yield ctx.reproduce(reading, "printed", f"{reading} to the digits printed", rows)


def check_loss(ctx: Context) -> Iterator[Evidence]:
    for name, data in settings.DATA.items():
        lam, far = float(settings.regularisation(data.n)), math.sqrt(data.d)
        for reading, norms in (("unit", (1.0, 0.5)), ("request", (far, far / 2))):
            for x in norms:
                inputs = {"x": x, "lam": lam, "M": settings.LIPSCHITZ}
                exact, instance = measure(**inputs), f"{name}: steepest chord at norm {x:.3g}"
                yield ctx.compare(
                    reading, "printed", exact, inputs, instance, tolerance=1e-5,
                    script="k3" if reading == "request" else None,
                )  # fmt: skip
                yield ctx.compare(
                    reading, "corrected", exact, inputs, instance, relation="==", tolerance=1e-5
                )
        for reading, x, b in (("mini-batch", far, 32), ("normalised", 1.0, 1)):
            yield ctx.compare(
                reading, "printed", steepest_step(x, data.n, b), {"x": x, "b": b, "n": data.n},
                f"{name}: largest factor of one step at batch size {b}", bound=1.0, tight=np.nan,
                script="k3" if reading == "mini-batch" else None,
            )  # fmt: skip


CHECKERS = {"sglu.k2": check_sizes, "sglu.table1": check_table_1, "sglu.k3": check_loss}
MEASURES = {"sglu.k3": measure}
