"""Appendices K.2 and K.3 of sglu: data sizes, constants, and the clipped logistic loss."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import expit

from bounds.sglu import settings
from verify.checks import Check, Context, Findings


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
    eta = 1 / float(settings.smoothness(n))
    lam = float(settings.regularisation(n))
    clipped = measure(x, 0.0, settings.LIPSCHITZ)
    return max(abs(1 - eta * (clipped / b + lam)), abs(1 - eta * lam))


def check_sizes(ctx: Context) -> Findings:
    """Pixels of an image, and remainders of the data sizes by the largest batch."""
    instance, most = "pixels of an MNIST image", settings.LARGEST_BATCH
    d, script = settings.DATA["MNIST"].printed_d, "k2_pixels"
    options = {"bound": d, "relation": "==", "script": script}
    yield ctx.compare("literal", "printed", 28 * 28, {"d": d}, instance, **options)
    options = {"bound": 784, "relation": "=="}
    yield ctx.compare("literal", "corrected", 28 * 28, {"d": 784}, instance, **options)
    options = {"bound": 0.0, "relation": "=="}
    for name, data in settings.DATA.items():
        at = {"n": data.n}
        instance = f"{name}: remainder by the largest batch"
        yield ctx.compare("sizes", "printed", data.n % most, at, instance, **options)
        instance = f"{name}: at most the points there were"
        yield ctx.compare("sizes", "printed", data.n, at, instance, bound=data.before)
        at = {"n": data.before}
        instance = f"{name}: the sizes of Section 4 are no multiples"
        rest = data.before % most
        yield ctx.compare("sizes", "printed", rest, at, instance, role="control", **options)


def check_table_1(ctx: Context) -> Findings:
    """Constants of Table 1 from n, cut or rounded to the digits that are printed."""
    printed = (
        ("MNIST", "m", 0.0112, 1e-6 * 11264, 4),
        ("CIFAR-10", "m", 0.0097, 1e-6 * 9728, 4),
        ("MNIST", "delta", 8.8778e-5, 1 / 11264, 9),
        ("CIFAR-10", "delta", 0.0001, 1 / 9728, 4),
    )
    for interpretation, cut in (("truncated", math.floor), ("rounded", round)):
        table: list[Mapping[str, Any]] = []
        for data, name, stated, exact, decimals in printed:
            computed = ctx.scale * exact
            match = abs(cut(computed * 10**decimals) / 10**decimals - stated) < 10.0 ** -(
                decimals + 3
            )
            entry = {"printed": stated, "computed": computed, "match": match}
            table.append({"data": data, "constant": name, **entry})
        yield ctx.reproduce(
            interpretation, "printed", f"{interpretation} to the digits printed", table
        )


def check_loss(ctx: Context) -> Findings:
    """Steepest chord of the clipped gradient at unit features and at those of the requests.

    Also the largest factor of a step, for batches of 32 and for normalised features.
    """
    for name, data in settings.DATA.items():
        lam = float(settings.regularisation(data.n))
        far = math.sqrt(data.d)
        for interpretation, x, script in (
            *(("unit", x, None) for x in (1.0, 0.5)),
            *(("request", x, "k3") for x in (far, far / 2)),
        ):
            at = {"x": x, "lam": lam, "M": settings.LIPSCHITZ}
            exact = measure(**at)
            instance = f"{name}: steepest chord at norm {x:.3g}"
            options = {"tolerance": 1e-5, "script": script}
            yield ctx.compare(interpretation, "printed", exact, at, instance, **options)
            options = {"tolerance": 1e-5, "relation": "=="}
            yield ctx.compare(interpretation, "corrected", exact, at, instance, **options)
        for interpretation, x, b, script in (
            ("mini-batch", far, 32, "k3"),
            ("normalised", 1.0, 1, None),
        ):
            at = {"x": x, "b": b, "n": data.n}
            instance = f"largest factor of one step at batch size {b}"
            options = {"bound": 1.0, "tight": np.nan, "script": script}
            factor = steepest_step(x, data.n, b)
            yield ctx.compare(
                interpretation, "printed", factor, at, f"{name}: {instance}", **options
            )


CHECKS = (
    Check("sglu.k2", evidence=check_sizes),
    Check("sglu.table1", evidence=check_table_1),
    Check("sglu.k3", evidence=check_loss, exact_side=measure),
)
