"""Definition 2.1 of sglu, checked against the defining integral."""

from collections.abc import Mapping

import numpy as np

from verify.checks import Check, Instances, Limit, case_table


def measure(m0: float, v0: float, m1: float, v1: float, a: float) -> float:
    """The defining integral by quadrature; inf where the integrand does not decay.

    NaN where rounding of the exponents is so large that their powers overflow.
    """
    from scipy.integrate import quad

    curvature = a / v0 + (1 - a) / v1
    if curvature <= 0:
        return float("inf")
    far = m1 - m0  # and x is what it is beyond m0: large means would round
    centre = (1 - a) * far / v1 / curvature
    constant = -a / 2 * np.log(v0) - (1 - a) / 2 * np.log(v1) - 0.5 * np.log(2 * np.pi)

    def log_integrand(x: float) -> float:
        exponent = a * x**2 / (2 * v0) + (1 - a) * (x - far) ** 2 / (2 * v1)
        return float(constant - exponent)

    peak, width = log_integrand(centre), 12 / np.sqrt(curvature)
    total, _ = quad(
        lambda x: np.exp(log_integrand(x) - peak),
        centre - width,
        centre + width,
        epsabs=0,
        limit=200,
    )
    return float((peak + np.log(total)) / (a - 1)) if np.isfinite(total) else float("nan")


def terms(p: Mapping[str, float]) -> float:
    """The sizes of what `measure` adds, and of what it takes a logarithm of, over a - 1."""
    far = p["m1"] - p["m0"]
    v0 = p["v0"]
    v1 = p["v1"]
    a = p["a"]
    first, second = a / v0, (a - 1) / v1
    curvature = first - second
    if curvature <= 0:
        return 0.0
    squares = first * (second * far / curvature) ** 2 + second * (first * far / curvature) ** 2
    logarithms = a * abs(np.log(v0)) + (a - 1) * abs(np.log(v1))
    return float((1 + logarithms + squares + (first + second) / curvature) / (a - 1))


CHECKS = (
    Check(
        "sglu.def2.1",
        exact_side=measure,
        at=(
            Instances(
                "the defining integral by quadrature",
                # The last: infinite from the order at which a v1 + (1 - a) v0 reaches 0.
                case_table(
                    "m0 v0 m1 v1 a",
                    (0, 1, 0.5, 1, 2),
                    (0, 1, 0.3, 1.2, 3),
                    (0.3, 1.2, 0, 1, 3),
                    (1, 0.8, 0, 1, 1.5),
                    (0, 2, 0, 1, 2),
                ),
                draws=(20, 200),
                within={
                    "m0": (-3, 3),
                    "m1": (-3, 3),
                    "v0": (0.1, 8),
                    "v1": (0.1, 8),
                    "a": (1.05, 9),
                },
            ),
        ),
        limits={"literal": Limit("a sum of terms that cancel", size=terms)},
    ),
)
