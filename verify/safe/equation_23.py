"""Equation (23) of safe: variances after a deletion, counted on the samples themselves."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings


def measure(
    n: float, m: float, var: float, gone_var: float, mean: float, gone_mean: float
) -> float:
    """Variance of the kept part of samples that are built to have the given moments."""
    from scipy.optimize import brentq

    going = spread(int(m), gone_mean, gone_var)
    centre = (n * mean - going.sum()) / (n - m)

    def excess(wanted: float) -> float:
        everyone = np.concatenate((going, spread(int(n - m), centre, wanted)))
        return float(everyone.var(ddof=1) - var)

    return float(brentq(excess, 0.0, n * var, xtol=1e-14, rtol=1e-14))


def spread(count: int, mean: float, var: float) -> np.ndarray:
    """Evenly spaced samples with this mean and unbiased variance (one sample: at the mean)."""
    shape = np.arange(count) - (count - 1) / 2
    return np.asarray(mean + shape * (var / max(shape.var(ddof=min(1, count - 1)), 0.25)) ** 0.5)


def moments_of(data: list[Fraction], ddof: int = 1) -> tuple[Fraction, Fraction]:
    mean = sum(data, Fraction(0)) / len(data)
    scatter = sum(((x - mean) ** 2 for x in data), Fraction(0))
    return mean, scatter / max(len(data) - ddof, 1)


def inputs_of(data: list[Fraction], m: int, ddof: int = 1) -> tuple[dict[str, float], float]:
    """The moments of the data and of its first m samples; the variance of the others."""
    mean, var = moments_of(data, ddof)
    gone_mean, gone_var = moments_of(data[:m], ddof)
    moments = {"var": var, "gone_var": gone_var, "mean": mean, "gone_mean": gone_mean}
    inputs = {"n": len(data), "m": m, **{name: float(x) for name, x in moments.items()}}
    return inputs, float(moments_of(data[m:], ddof)[1])


def _random(ctx: Context, ddof: int, stay: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Different rational samples, of which any m leave and at least `stay` stay."""
    rng = ctx.rng()
    instances = []
    for _ in range(ctx.pick(250, 4000)):
        n = int(rng.integers(stay + 1, 25))
        data = [Fraction(int(v), 4) for v in rng.choice(np.arange(-60, 61), n, replace=False)]
        instances.append(inputs_of(data, int(rng.integers(1, n - stay + 1)), ddof))
    inputs = {name: np.array([row[name] for row, _ in instances]) for name in instances[0][0]}
    return inputs, np.array([exact for _, exact in instances])


POINTS = (([4, 0, 2], 1), ([-1, 1, -1, 1], 2))
LINE = "one direction, rational numbers"


def check(ctx: Context) -> Findings:
    for points, m in POINTS:
        inputs, exact = inputs_of([Fraction(x) for x in points], m)
        at = f"{points}, the first {m} deleted"
        yield from ctx.compare_forms("literal", exact, inputs, at, tolerance=1e-12, script="eq23")
    random_inputs, exact_drawn = _random(ctx, ddof=1, stay=2)
    yield from ctx.compare_forms("literal", exact_drawn, random_inputs, LINE, script="eq23")
    yield from _matrices(ctx)


def _matrices(ctx: Context) -> Findings:
    """In the plane and beyond: every direction of the covariance matrix of what stays."""
    rng = ctx.rng(1)
    for d in (2, 5):
        at = f"covariance matrices in {d} dimensions, random directions"
        for _ in range(ctx.pick(5, 100)):
            n = int(rng.integers(8, 30))
            m = int(rng.integers(1, n - 6))
            z = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)
            u = rng.normal(size=(40, d))
            removed_points = z[:m] if m > 1 else np.array([z[0], z[0]])
            kept_var, removed_var, everyone = (
                np.einsum("ki,ij,kj->k", u, np.cov(part.T).reshape(d, d), u)
                for part in (z[m:], removed_points, z)
            )
            inputs = {"n": n, "m": m, "var": everyone, "gone_var": removed_var}
            inputs |= {"mean": u @ z.mean(axis=0), "gone_mean": u @ z[:m].mean(axis=0)}
            yield ctx.compare("literal", "corrected", kept_var, inputs, at)


def check_ml(ctx: Context) -> Findings:
    for points, m in POINTS:
        inputs, count_ratio = inputs_of([Fraction(x) for x in points], m, ddof=0)
        assert count_ratio == 1.0
        at = f"{points}, the first {m} deleted"
        yield ctx.compare("literal", "tight", 1.0, inputs, at)
    random_inputs, exact_drawn = _random(ctx, ddof=0, stay=2)
    yield ctx.compare("literal", "tight", exact_drawn, random_inputs, LINE)


CHECKS = (Check("safe.eq23", check, measure), Check("safe.eq23.ml", check_ml))
