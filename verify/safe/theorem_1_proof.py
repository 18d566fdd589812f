"""The steps of the proof of safe's Theorem 1: four slips, each on an instance of its own."""

import math

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure_fit(kept: float, C: float = 0.0) -> float:
    """Distribution function of the class uniform on -1, 0, 1 against its Gaussian fit's."""
    x, s = np.array([-1.0, 0.0, 1.0]), math.sqrt(2 / 3)
    normal = np.array([0.5 * math.erfc(-v / s / math.sqrt(2)) for v in x])
    steps = np.arange(4) / 3
    return float(np.maximum(np.abs(steps[1:] - normal), np.abs(steps[:-1] - normal)).max())


def measure_log(a: float, b: float) -> float:
    """|log a - log b|."""
    if b / 2 <= a <= 2 * b:
        # The floats' difference is exact there (Sterbenz), where that of the logarithms is not.
        return abs(math.log1p((a - b) / b))
    return abs(math.log(a) - math.log(b))


def check_norm(ctx: Context) -> Findings:
    """Divergences by definition over the sum of the logarithms' differences."""
    rng = ctx.rng()
    cases = [(1000.0, 400, 59_600), (120_000.0, 400, 49_600), (1.0, 1, 599)]
    for _ in range(ctx.pick(20, 200)):
        M = int(rng.integers(1, 50))
        kept_count = int(rng.integers(60, 9999))
        cases.append((10 * float(rng.exponential()), M, kept_count))
    at = "random predictions, 4 classes"
    options = {"tolerance": 1e-8, "script": "thm1_norm"}
    for lam, M, kept_count in cases:
        f, star, target = (rng.dirichlet(np.full(4, 3.0), M) for _ in range(3))
        target_loss, best = (lam / M * np.sum(f * np.log(f / g)) for g in (target, star))
        lhs = (target_loss - best) / np.sum(f * (np.log(star) - np.log(target)))
        inputs = {"lam": lam, "M": M, "kept": kept_count}
        yield from ctx.compare_forms("literal", lhs, inputs, at, **options)


def check_fit(ctx: Context) -> Findings:
    """Errors of the Gaussian fit of one sample: a Gaussian class, three points, an interval."""
    z = np.linspace(-6, 6, 121)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    law = np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in z])
    fitted = abs(1 / math.sqrt(2 * math.pi) - 1 / math.sqrt(12))
    for kept_count in (10**4, 10**6):
        inputs = {"kept": kept_count, "C": 10.0}
        for interpretation, error, at in (
            ("literal", float(np.abs(density - law).max()), "a Gaussian class"),
            ("laws", measure_fit(kept_count), "uniform on -1, 0, 1"),
            ("densities", fitted, "uniform on an interval, densities at its middle"),
        ):
            yield ctx.compare(interpretation, "printed", error, inputs, at, script="thm1_be_fit")


def check_log(ctx: Context) -> Findings:
    """Differences of logarithms of random positive numbers, inside (0, 1] and beyond."""
    rng = ctx.rng(1)
    logs = rng.normal(size=(2, ctx.pick(20_000, 200_000))) * 3
    below = -np.abs(logs)
    near = np.exp(1e-4 * rng.normal(size=100))
    far = {"a": np.exp(logs[0]), "b": np.exp(below[1])}
    options = {"relation": "==", "tolerance": 1e-3}
    for form in ("corrected", "tight"):
        lhs = np.abs(logs[0] - below[1])
        at = "random positive a, b <= 1"
        yield ctx.compare("literal", form, lhs, far, at)
        lhs = np.abs(np.log(near))
        close = {"a": near, "b": np.ones(100)}
        at = "a near b: equality to first order"
        yield ctx.compare("literal", form, lhs, close, at, **options)
    inside = {"a": np.exp(below[0]), "b": np.exp(below[1])}
    lhs = np.abs(below[0] - below[1])
    at = "random a, b <= 1"
    yield from ctx.compare_forms("normalised", lhs, inside, at)
    near = 1 - 1e-4 * rng.uniform(0.1, 1, 100)
    lhs = np.abs(np.log(near))
    close = {"a": near, "b": np.ones(100)}
    at = "a near b = 1: equality to first order"
    yield ctx.compare("normalised", "printed", lhs, close, at, **options)


def check_last(ctx: Context) -> Findings:
    """The last term with predictions near 0, and random ones above a floor."""
    for kept_count in (10**4, 10**6):
        star = 1 / math.sqrt(kept_count)
        estimate = 2 / math.sqrt(kept_count)
        above = 0.5 * abs(1 / estimate - 1 / star)
        at = "f(w_t*) = |D_t|^{-1/2}"
        inputs = {"classes": 2, "kept": kept_count, "error": estimate - star}
        yield ctx.compare("literal", "printed", above, inputs, at, script="thm1_last")
    far = 0.5 / (0.02 * 0.01) * 0.01
    inputs = {"classes": 2, "kept": 10**4, "error": 0.01}
    at = "q f(w_0) = 2 f(w_t*), f(w_t*) = 1/100"
    yield ctx.compare("literal", "printed", far, inputs, at, script="thm1_last")
    rng = ctx.rng()
    size = ctx.pick(5000, 100_000)
    low = rng.uniform(0.001, 0.5, size)
    error = rng.uniform(0, 0.5, size)
    a = low * np.exp(rng.exponential(size=size))
    b = np.maximum(a - error * rng.uniform(-1, 1, size), low)
    lhs = rng.uniform(size=size) * np.abs(1 / a - 1 / b)
    random_inputs = {"error": error, "floor": low}
    yield ctx.compare("floor", "tight", lhs, random_inputs, "random predictions")
    lhs = 1 / low - 1 / (low + error)
    options = {"relation": "==", "tolerance": 1e-7}
    yield ctx.compare("floor", "tight", lhs, random_inputs, "f(w) = 1 at the floor", **options)


ABOVE = Instances(
    "q f above 1",
    case_table("a b", (3, 0.5), (10, 1)),
    interpretations=("literal",),
    forms=("printed",),
    script="thm1_log",
)
CHECKS = (
    Check("safe.thm1.norm", check_norm),
    Check("safe.thm1.be", check_fit, measure_fit).measured_by(
        "safe", "fit_distance", symbols={"C": 1}, interpretations=("laws",)
    ),
    Check("safe.thm1.log", check_log, measure_log, (ABOVE,))
    .measured_by("safe", "log_difference", interpretations=("literal",))
    .measured_by("safe", "small_log_difference", interpretations=("normalised",)),
    Check("safe.thm1.last", check_last)
    .measured_by("safe", "last_term", interpretations=("literal",))
    .measured_by("safe", "floored_term", interpretations=("floor",)),
)
