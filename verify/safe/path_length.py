"""V_T of safe: the definition, and bounds by the sizes of the deletions with what attains them."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.toy_problems import logistic, quadratics, random_lists


def measure(data: Sequence[float], leaves: Sequence[float], T: float) -> float:
    """The jumps of the minimiser, in rational numbers."""
    stream = quadratics(data, leaves)
    stars = [stream.star(t) for t in range(int(T) + 1)]
    return float(sum(abs(b - a) for a, b in pairwise(stars)))


def tight_stream(
    L: Fraction, mu: Fraction, n: int, deletions: Sequence[int]
) -> tuple[list[Fraction], Fraction]:
    """Optimal models w_0*..w_T* of a stream on a line, and the largest gradient along the path.

    Kept losses mu w^2/2; those of round t have gradient max(mu (w - c_t), -L), c_t such that the
    corner is at w_t*. The optimal models are found backwards, each as the zero of a mean gradient.
    """
    stars, centres = [Fraction(0)], []  # newest first
    sizes = [(n - sum(deletions), Fraction(0))]

    def slope(w: Fraction) -> Fraction:
        return sum((k * max(mu * (w - c), -L if c else mu * w) for k, c in sizes), Fraction(0))

    for m in reversed(deletions):
        centres.append(stars[-1] + L / mu)
        sizes.append((m, centres[-1]))
        # Linear to the right of the last optimal model: two values give the zero.
        low, high = stars[-1], stars[-1] + 1
        stars.append(low - slope(low) / (slope(high) - slope(low)))
        if slope(stars[-1]) != 0:
            raise ArithmeticError("the mean gradient is not zero at the model found")
    ends = (stars[-1], stars[0])
    steepest = [abs(mu * w) for w in ends]
    steepest += [abs(max(mu * (w - c), -L)) for c in centres for w in ends]
    return stars[::-1], max(steepest)


def measure_sum(L: float, mu: float, n: float, deletions: Sequence[float]) -> float:
    """Path length of `tight_stream`."""
    stars, _ = tight_stream(Fraction(L), Fraction(mu), int(n), [int(m) for m in deletions])
    return float(sum(abs(b - a) for a, b in pairwise(stars)))


def measure_ridge(L: float, mu: float, n: float, deletions: Sequence[float]) -> float:
    """Path length for losses -L x w + mu w^2/2, x = +1 kept and -1 for all that leave."""
    counts = [int(m) for m in deletions]
    slope, stars = Fraction(L), []
    for departures in accumulate(counts, initial=0):
        minus = sum(counts) - departures
        plus = int(n) - sum(counts)
        stars.append(slope * (plus - minus) / (plus + minus) / Fraction(mu))
    return float(sum(abs(b - a) for a, b in pairwise(stars)))


def check(ctx: Context) -> Findings:
    """Path lengths of means on a line, round by round and all at once."""
    rng = ctx.rng()
    at = "means on a line"
    for k in range(ctx.pick(40, 1000)):
        inputs = {**random_lists(rng, 3), "T": 1 + k % 3}
        lhs = measure(**inputs)
        yield ctx.compare("literal", "printed", lhs, inputs, at, tolerance=1e-11)
    lists = random_lists(rng, 3)
    each = [measure(**lists, T=t) for t in (1, 2, 3)]
    inputs = {**lists, "T": np.array([1, 2, 3])}
    at = "means on a line, all rounds at once"
    yield ctx.compare("literal", "printed", each, inputs, at, tolerance=1e-11)
    ends = {"data": [0.0, 9.0, -9.0], "leaves": [3, 1, 2], "T": 2}
    at = "the distance of the ends, a loop"
    yield ctx.compare("literal", "printed", 0.0, ends, at, relation="==", role="control")
    reason = "w_t* is a choice among several points, and V_T with it: |w - x| on an even number"
    yield ctx.declare("flat", "printed", "unspecified", reason)


def _draw(rng: np.random.Generator, most: float) -> dict[str, Any]:
    """Constants and sizes with sum m_t/n_{t-1} <= most."""
    while True:
        n = int(rng.integers(3, 60))
        deletions = [int(m) for m in rng.integers(0, 8, size=int(rng.integers(1, 6)))]
        if 0 < sum(deletions) < n:
            before = [n - departures for departures in accumulate(deletions[:-1], initial=0)]
            if sum(Fraction(m, k) for m, k in zip(deletions, before, strict=True)) <= most:
                L, mu = np.exp(rng.normal(size=2)).tolist()
                return {"L": L, "mu": mu, "n": n, "deletions": deletions}


def _random_ridge(rng: np.random.Generator) -> tuple[float, dict[str, Any], float, float, float]:
    """A ridge-logistic stream: V_T, sizes and mu, and L of the three hypotheses."""
    mu, rounds = float(rng.uniform(0.02, 1)), (1, 2, 3)
    stream = logistic(rng, 3, mu=mu)
    stars = [stream.star(t) for t in (0, *rounds)]
    V = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(stars))
    slopes = [stream.gradient(i, stars[t]) for t in rounds for i in stream.request(t)]
    leaving = max(float(np.linalg.norm(g)) for g in slopes)
    h = max(stream.slopes)
    radius = max(float(np.linalg.norm(w)) for w in stars)
    sizes = {"n": len(stream.leaves), "deletions": [len(stream.request(t)) for t in rounds]}
    return V, {**sizes, "mu": mu}, leaving, h, h + mu * radius


RIDGE, LINE = "random ridge-logistic losses", "one-sided losses on a line"


def check_sum(ctx: Context) -> Findings:
    """V_T of streams that attain the bound and of random ridge losses."""
    for rng in ctx.draws(40, 1000):
        for interpretation, inputs in (("literal", _draw(rng, 1.0)), ("leaving", _draw(rng, 9.0))):
            L, mu, n, deletions = (inputs[name] for name in ("L", "mu", "n", "deletions"))
            lhs = measure_sum(**inputs)
            yield ctx.compare(interpretation, "tight", lhs, inputs, LINE, relation="==")
            if interpretation == "literal":
                _, steepest = tight_stream(Fraction(L), Fraction(mu), n, deletions)
                lhs = float(steepest)
                options = {"bound": L, "tight": L, "tolerance": 1e-12}
                at = "their largest gradient along the path"
                yield ctx.compare("literal", "tight", lhs, inputs, at, **options)
    for _ in range(ctx.pick(30, 600)):
        V, inputs, leaving, _, everywhere = _random_ridge(rng)
        yield ctx.compare("leaving", "tight", V, {**inputs, "L": leaving}, RIDGE)
        yield ctx.compare("literal", "tight", V, {**inputs, "L": everywhere}, RIDGE)


def check_log(ctx: Context) -> Findings:
    """V_T of streams against the logarithm from both sides, and of random ridge losses."""
    rng = ctx.rng()
    cases = [(LINE, _draw(rng, 1.0)) for _ in range(ctx.pick(40, 1000))]
    for n, T in ((2000, 20), (10000, 60)):
        slow = {"L": 1.0, "mu": 0.1, "n": n, "deletions": [1] * T}
        cases.append(("one sample a round", slow))
    for at, inputs in cases:
        V = measure_sum(**inputs)
        upper = ctx.claim("tight", **inputs)
        sizes = accumulate(inputs["deletions"], lambda k, m: k - m, initial=inputs["n"])
        lower = upper / max(a / b for a, b in pairwise(sizes))
        yield ctx.compare("literal", "tight", V, inputs, at)
        yield ctx.compare("below", "tight", V, inputs, at, bound=lower, tight=upper)
    for _ in range(ctx.pick(20, 400)):
        V, inputs, _, _, everywhere = _random_ridge(rng)
        yield ctx.compare("literal", "tight", V, {**inputs, "L": everywhere}, RIDGE)


def check_ridge(ctx: Context) -> Findings:
    """V_T for linear h on a line, deletions spread and in one round, and random ridge losses."""
    rng = ctx.rng()
    at = "linear h on a line"
    for _ in range(ctx.pick(40, 1000)):
        inputs = _draw(rng, 9.0)
        lhs = measure_ridge(**inputs)
        yield ctx.compare("literal", "tight", lhs, inputs, at, tolerance=1e-12)
        once = {**inputs, "deletions": [0, sum(inputs["deletions"]), 0]}
        yield ctx.compare("once", "tight", measure_ridge(**once), once, at, relation="==")
    for _ in range(ctx.pick(20, 400)):
        V, random_inputs, _, h, _ = _random_ridge(rng)
        yield ctx.compare("literal", "tight", V, {**random_inputs, "L": h}, RIDGE)


def _with_measurements(check: Check, constant: str) -> Check:
    """The check, held to streams of both algorithms, with this constant for L."""
    for stream in ("safe", "tracking"):
        check = check.measured_by(
            stream,
            "path_length",
            symbols={"L": constant},
            interpretations=("literal",),
            where=("public constants",),
        )
    return check


CHECKS = (
    Check("safe.vt", check, measure),
    _with_measurements(
        Check(
            "safe.vt.sum",
            check_sum,
            measure_sum,
            far=("attained by linear losses on a line; softmax is linear only far from its labels"),
        ).beside("softmax on one row with both labels, strong regularisation"),
        "L_path",
    ),
    _with_measurements(
        Check(
            "safe.vt.log",
            check_log,
            measure_sum,
            far=("attained by linear losses on a line; softmax is linear only far from its labels"),
        ).beside("softmax on one row with both labels, strong regularisation"),
        "L_path",
    ),
    _with_measurements(
        Check(
            "safe.vt.ridge",
            check_ridge,
            measure_ridge,
            far=(
                "one round attains it, by linear losses on a line; softmax is linear "
                "only far from its labels"
            ),
        ).beside("softmax on one row with both labels, strong regularisation"),
        "L_h",
    ),
)
