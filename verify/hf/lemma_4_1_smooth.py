"""Lemma 4.1 of hf with smooth losses: quadratics attain the recursion, random problems stay
below."""

from typing import Any

import numpy as np

from bounds.hf.drift import drift_capped, drift_clip, drift_smooth
from verify.checks import Check, Context, Findings, Instances, Limit
from verify.hf.line_problems import LineProblems, certain, quadratics, random_problems


def arguments(problem: LineProblems, **constants: float) -> dict[str, Any]:
    """One problem as the arguments of a form."""
    lists = {"steps": problem.steps, "missing": problem.missing, "sizes": problem.sizes}
    return {**{name: values[0].tolist() for name, values in lists.items()}, **constants}


def resting(rng: np.random.Generator) -> tuple[LineProblems, dict[str, Any]]:
    """One curvature h, kept losses at their optimum 0: v stays there, |g_u(v_t)| = C for ever."""
    n, T = int(rng.integers(1, 5)), int(rng.integers(1, 9))
    h = float(rng.uniform(0.2, 2))
    C = float(rng.uniform(0.2, 2))
    steps = rng.uniform(0.05, 1, T) / h
    deletions = tuple(range(int(rng.integers(1, n + 1))))
    centres = tuple(C / h if i in deletions else 0.0 for i in range(n))
    batches = tuple(tuple(rng.permutation(n)[: rng.integers(1, n + 1)].tolist()) for _ in range(T))
    problem = quadratics((h,) * n, centres, steps, 0.0, batches, deletions)
    return problem, arguments(problem, C=C, lam=h, M=h)


def linear_against_concave(rng: np.random.Generator) -> tuple[LineProblems, dict[str, Any]]:
    """Linear forgotten losses of slope C, kept losses of curvature lam < 0: r_t < rho_t attained.

    A tiny curvature stands in for none, so that every loss is one of `quadratics`.
    """
    n, T = int(rng.integers(2, 5)), int(rng.integers(1, 8))
    lam = -float(rng.uniform(0.2, 2))
    C = float(rng.uniform(0.2, 2))
    tiny = 1e-13
    slopes = (tiny, *(lam,) * (n - 1))
    centres = (-C / tiny, *rng.normal(size=n - 1))
    problem = quadratics(slopes, centres, rng.uniform(0.05, 0.5, T))
    return problem, arguments(problem, C=C, lam=lam, M=tiny)


def check_smooth(ctx: Context) -> Findings:
    """Drift of random losses on a line by both branches, and of two families that attain it."""
    rng = ctx.rng()
    for options in ({}, {"waves": 0.0}, {"convex": True}, {"waves": 5.0}):
        for _ in range(ctx.pick(3, 30)):
            problems = random_problems(rng, 300, **options)
            runs = problems.run()
            drift = certain(runs.drift, runs)
            for C, branch in ((runs.C, "min"), (runs.C_learned, "r")):
                bound = drift_smooth(*problems.schedule, C, problems.lam, problems.M, branch)
                at = f"random losses on a line, {branch} branch"
                yield ctx.compare("literal", "tight", drift, {}, at, bound=bound, tight=bound)
    for make in (resting, linear_against_concave):
        at = "equality: " + (make.__doc__ or "").split(":")[0]
        for _ in range(ctx.pick(30, 300)):
            problem, inputs = make(rng)
            drift = problem.run().drift[0, -1]
            yield ctx.compare("literal", "tight", drift, inputs, at, relation="==", tolerance=1e-8)
    # On the retrained path g_u is larger here: the min branch with the learned C is too small.
    problem = quadratics((1.0, 1.0), (1.0, -1.0), np.full(6, 0.5))
    drift = problem.run().drift[0, -1]
    inputs = arguments(problem, C=1, lam=1, M=1)
    at = "C of the learned trajectory only, with rho_t"
    yield ctx.compare("literal", "tight", drift, inputs, at, role="control")


def check_capped(ctx: Context) -> Findings:
    """Drift of random losses on a line; the capped bound is never above the one without M."""
    rng = ctx.rng()
    for options in ({}, {"waves": 5.0}, {"convex": True}):
        for _ in range(ctx.pick(4, 40)):
            problems = random_problems(rng, 300, **options)
            runs = problems.run()
            bound = drift_capped(*problems.schedule, runs.C, runs.C_kept, problems.lam, problems.M)
            drift = certain(runs.drift, runs)
            at = "random losses on a line"
            yield ctx.compare("literal", "corrected", drift, {}, at, bound=bound, tight=bound)
            last = drift_capped(
                *problems.schedule, runs.largest, runs.largest, problems.lam, problems.M
            )[:, -1]
            plain = drift_clip(*problems.schedule, runs.largest)[:, -1]
            at = "never above the bound without smoothness"
            yield ctx.compare("literal", "corrected", last, {}, at, bound=plain)


def measure(eta: float, C: float, q: float, E: float, B: float, b: float, b_u: float) -> float:
    """Exact drift where all losses are linear: the kept gradients cancel, C eta_t/b a visit."""
    w = v = 0.0
    for t in range(int((E + 1) * B)):
        kept_slope = 0.3 * C
        visited = t % B == b_u
        step = eta * q**t
        w -= step * (kept_slope * (b - visited) + C * visited) / b
        v -= step * kept_slope * (b - visited) / b
    return v - w


def check_convex(ctx: Context) -> Findings:
    """Drift of random convex losses on a line, sets of any size."""
    rng = ctx.rng(1)
    at = "random convex losses on a line, sets of any size"
    for _ in range(ctx.pick(8, 80)):
        problems = random_problems(rng, 300, convex=True)
        runs = problems.run()
        paths = np.cumsum(problems.steps * problems.missing / problems.sizes, axis=1)
        drift = certain(runs.drift[:, 1:], runs)
        bound = runs.C_learned[:, None] * paths
        yield ctx.compare("literal", "tight", drift, {"problems": 300}, at, bound=bound)


LINEAR = Instances(
    "linear losses",
    draws=(60, 600),
    within={"q": (0.5, 1), "E": (0, 7), "B": (1, 4), "b": (1, 8)},
    relations={"tight": "=="},
)
APART = Limit(
    "two iterates of the size of all steps are subtracted",
    size=lambda p: p["eta"] * p["C"] * (p["E"] + 1) * p["B"],
)
CHECKS = (
    Check("hf.lem4.1.smooth", check_smooth).measured_by(
        "recollection", "path_distance", where=("no clip", "linear")
    ),
    Check("hf.lem4.1.capped", check_capped).measured_by(
        "recollection", "path_distance", where=("no clip", "linear")
    ),
    Check("hf.lem4.1.convex", check_convex, measure, (LINEAR,), {"literal": APART}).measured_by(
        "recollection",
        "path_distance",
        where=("no clip", "linear", "one row", "whole batches", "steps at most 2/M"),
    ),
)
