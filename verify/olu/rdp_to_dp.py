"""Section 2.2 of olu: the conversion to (eps, delta) against the worst pair of laws."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def worst_two_point_laws(alpha: float, epsilon: float, delta: float) -> float:
    """Largest eps' at delta over pairs of two-point laws with D_alpha <= eps: sup log((p -
    delta)/q).

    They suffice: the best test of two laws leaves two values, without raising D_alpha. For each p
    the least q is found by bisection in log q; the maximum over p is refined four times.
    """
    low, high = np.log(delta), 0.0
    for _ in range(4):
        log_p = np.linspace(low, high, 402)[1:] if high == 0 else np.linspace(low, high, 400)
        p = np.exp(np.minimum(log_p, 0.0))
        left_end = log_p - 2 * epsilon * alpha / (alpha - 1) - 50.0
        right = log_p.copy()
        with np.errstate(divide="ignore", over="ignore"):
            for _ in range(80):
                middle = (left_end + right) / 2
                first = alpha * log_p + (1 - alpha) * middle
                rest = alpha * np.log1p(-p) + (1 - alpha) * np.log1p(-np.exp(middle))
                within = np.logaddexp(first, rest) <= (alpha - 1) * epsilon
                left_end = np.where(within, left_end, middle)
                right = np.where(within, middle, right)
            value = np.log(np.maximum(p - delta, 0.0)) - right
        best = int(np.argmax(value))
        low = log_p[max(best - 1, 0)]
        high = log_p[min(best + 1, log_p.size - 1)]
    return float(max(value[best], 0.0))


def check(ctx: Context) -> Findings:
    """Exact epsilon of the worst two-point laws, random budgets and three fixed ones."""
    rng = ctx.rng()
    words = "the worst pair of two-point laws"
    for _ in range(ctx.pick(30, 400)):
        e = float(np.exp(rng.uniform(-3, 2)))
        d = float(np.exp(rng.uniform(-20, -1)))
        alpha = (1 + np.log(1 / d) / e) * (1 + rng.exponential()) * (1 + 1e-12)
        inputs = {"alpha": float(alpha), "epsilon": e, "delta": d}
        yield from ctx.compare_forms("literal", worst_two_point_laws(**inputs), inputs, words)
    words = "the worst pair of two-point laws, any order"
    for inputs in case_table(
        "alpha epsilon delta", (1.5, 0.1, 1e-3), (3.0, 1.0, 0.01), (40.0, 0.02, 1e-4)
    ):
        exact = worst_two_point_laws(**inputs)
        yield ctx.compare("literal", "corrected", exact, inputs, words)
        yield ctx.compare("literal", "tight", exact, inputs, words)
    (close,) = case_table("alpha epsilon delta", (3.0, 1.0, 1e-3))
    exact = worst_two_point_laws(**close)
    words = "half the excess over eps would be too small"
    bound = (1.0 + float(ctx.claim("tight", **close))) / 2
    yield ctx.compare("literal", "tight", exact, close, words, bound=bound, role="control")


LEAST = Instances(
    "the worst pair of two-point laws",
    case_table(
        "alpha epsilon delta",
        *(
            ((1 + np.log(1 / d) / e) * (1 + 1e-12), e, d)
            for e, d in ((0.5, 1e-5), (1, 1e-6), (0.1, 1e-3), (2, 1e-3))
        ),
    ),
)
CHECKS = (
    Check("olu.rdp2dp", check, worst_two_point_laws, (LEAST,)).measured_by(
        "online", "least_epsilon"
    ),
)
