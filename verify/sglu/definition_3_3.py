"""Definition 3.3 of sglu: the projected step is a contraction; random maps must be shared."""

import math

import numpy as np

from simulators.exact.line import LineLaw
from simulators.exact.maps import huber, logistic
from verify.checks import Check, Context, Findings
from verify.sglu.instances import renyi_difference


def check(ctx: Context) -> Findings:
    """Slopes of logistic and Huber steps after the projection; then steps with a random map.

    Mixtures whose chains share the map stay within the bound, those that draw it apart do not.
    """
    grid = np.linspace(-3, 3, ctx.pick(1001, 10001))
    for name, gradient, m, L in (
        ("logistic", logistic(1.0, 1.0, 0.3), 0.3, 0.55),
        ("Huber", huber(0.2, 1.0, 0.3), 0.3, 1.3),
    ):
        inside = np.clip(grid, -1.5, 1.5)
        ratio = np.abs(np.diff(inside - gradient(inside) / L) / np.diff(grid))
        at = {"eta": 1 / L, "m": m}
        instance = f"{name} step after projection, slopes at most 1 - eta m"
        yield ctx.compare("literal", "printed", ratio, at, instance, bound=1 - m / L)
    c, s, Z, alpha = 0.7, 0.5, 0.6, 2.0
    bound = alpha * (c * Z) ** 2 / (2 * s**2)
    choices, scales = np.array([0.0, 2.0]), np.full(2, s)
    even, often, seldom = np.array([[0.5, 0.5], [0.1, 0.9], [0.9, 0.1]])
    for first, second in ((even, even), (seldom, seldom), (often, seldom)):
        p = LineLaw(first, c * Z + choices, scales)
        q = LineLaw(second, choices, scales)
        exact = renyi_difference(p, q, alpha)
        at = {"odds": first.tolist(), "Z": Z, "c": c, "s": s}
        if first is second:
            instance = "x -> c x or c x + 2 at random: mixtures of pairs, one step"
            yield ctx.compare("shared", "printed", exact, at, instance, bound=bound)
    instance = "each chain draws c x or c x + 2 with odds of its own"
    options = {"tight": math.nan, "script": "def3_3"}
    yield ctx.compare("own", "printed", exact, at, instance, bound=bound, **options)


CHECKS = (Check("sglu.def3.3", evidence=check),)
