"""Theorem C.2 of hf: false with its quantifiers exchanged; the constant, by linear programming."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def constant_capacity(n: float, c: float = 0.5) -> float:
    """Largest m for which w*(D) has excess <= .01 after m of n deletions: it never has any."""
    excess = [((1 - 2 * 0.5) - (1 - 2 * 0.5)) ** 2 / 2 for _ in range(int(n) + 1)]
    return float(max(m for m, value in enumerate(excess) if value <= 0.01))


def two_atoms(epsilon: float, delta: float, gamma: float) -> float:
    """The share that the best pair survives when only the first inequality of (6) is asked.

    P: mass 1 - delta at 1 - s and delta at the optimum; Q: e^{-eps} (1 - delta) at 1 - s, else 1.
    """
    inside = np.exp(-epsilon) * (1 - delta)
    s = np.sqrt(2 * gamma / inside)

    def excess(c: float) -> float:
        return float((1 - delta) * (2 * c - s) ** 2 / 2)

    low, high = s / 2, s / 2 + 10.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= gamma else (low, middle)
    return float(low)


def least_excess(c: float, epsilon: float, delta: float, gamma: float, points: int) -> float:
    """Least E_P (w - (1 - 2c))^2/2 over laws on a grid of W with both inequalities of (6).

    A linear programme in (P, Q, the parts of P and Q above e^eps times the other).
    """
    from scipy.optimize import linprog

    w = np.linspace(1 - 2 * c, 1, points)
    zero = np.zeros(points)
    one = np.ones(points)
    eye = np.eye(points)
    cost = np.concatenate(((w - (1 - 2 * c)) ** 2 / 2, zero, zero, zero))
    ratio = np.exp(epsilon)
    table = [
        np.hstack((eye, -ratio * eye, -eye, 0 * eye)),
        np.hstack((-ratio * eye, eye, 0 * eye, -eye)),
        np.concatenate((zero, zero, one, zero))[None],
        np.concatenate((zero, zero, zero, one))[None],
        np.concatenate((zero, (1 - w) ** 2 / 2, zero, zero))[None],
    ]
    limits = np.concatenate((zero, zero, [delta, delta, gamma]))
    sums = np.zeros((2, 4 * points))
    sums[0, :points] = sums[1, points : 2 * points] = 1
    optimum = linprog(cost, np.vstack(table), limits, sums, [1, 1], method="highs")
    return float(optimum.fun)


def measure(epsilon: float, delta: float, gamma: float, points: int = 41) -> float:
    """Largest share of -1 that some pair of laws on a grid survives, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(16):
        middle = (low + high) / 2
        fine = least_excess(middle, epsilon, delta, gamma, points) <= gamma
        low, high = (middle, high) if fine else (low, middle)
    return low


def check_constant(ctx: Context) -> Findings:
    """The best pair of laws on a grid by linear programming, and two atoms each.

    The closed form is its minimum over t.
    """
    names, at = "epsilon delta gamma", "the best pair of laws on a grid of 41 points"
    cases = case_table(names, (1.0, 0.005, 0.01), (0.5, 0.01, 0.02), (2.0, 1e-6, 0.005))
    for inputs in cases[: ctx.pick(2, 3)]:
        best = measure(**inputs)
        alone = np.sqrt(inputs["gamma"] / 2)
        yield from ctx.compare_forms("literal", best, inputs, at)
        blur = "the excess alone, without what unlearning blurs"
        yield ctx.compare("literal", "tight", best, inputs, blur, bound=alone, role="control")
    rng = ctx.rng()
    about = "the closed form against its minimum over t"
    for _ in range(ctx.pick(60, 1000)):
        epsilon, delta = float(rng.exponential()) + 0.01, float(rng.uniform(0, 0.3))
        gamma = float(rng.exponential()) * 0.05 + 1e-4
        inputs = {"epsilon": epsilon, "delta": delta, "gamma": gamma}
        excess = two_atoms(**inputs)
        at = "two atoms each"
        yield ctx.compare("one_sided", "corrected", excess, inputs, at)
        yield ctx.compare("one_sided", "tight", excess, inputs, at, relation="==")
        t = np.sqrt(2 * np.exp(epsilon) * gamma / (1 - delta)) * (1 + np.geomspace(1e-4, 1e3, 4001))
        grid = (t + np.sqrt(2 * gamma / (1 - delta - 2 * np.exp(epsilon) * gamma / t**2))) / 2
        least = grid.min()
        constant = float(ctx.claim("corrected", **inputs))
        options = {"relation": "==", "tolerance": 1e-4, "tight": np.nan}
        yield ctx.compare("literal", "corrected", constant, inputs, about, bound=least, **options)


CONSTANT = Instances(
    "the constant algorithm w*(D)",
    case_table("n c", (10, 0.5), (1000, 0.99), (10**5, 0.99999)),
    script="thmc2",
)
PAIRS = "of all pairs of algorithms: the constant one decides, and no run of one pair"
CHECKS = (
    Check("hf.thmc2", exact_side=constant_capacity, at=(CONSTANT,), exact_only=PAIRS),
    Check("hf.thmc2.constant", check_constant, measure, exact_only=PAIRS),
)
