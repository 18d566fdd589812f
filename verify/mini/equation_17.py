"""(17) of mini: refuted in closed form, its correction on thousands of logistic runs."""

from fractions import Fraction
from itertools import product

import numpy as np

from bounds.forms import Array
from bounds.mini.series import rate
from bounds.namespaces import numeric
from verify.checks import Check, Context, Findings
from verify.mini import deterministic
from verify.mini.equation_5 import LOG_COSH
from verify.mini.logistic_runs import LogisticRuns
from verify.mini.problems import mean_problem, plane_quadratics, two_steps


def check(ctx: Context) -> Findings:
    """Errors of eq (10) by following both runs: log cosh, logistic losses, quadratics."""
    rng = ctx.rng()
    common = {"mu": 0.1, "L": 1.1, "M": LOG_COSH}
    for eta, b in ((0.5, 4.0), (0.5, 1.0), (0.1, 10.0)):
        problem = two_steps(eta, b)
        path, other = problem.learn(), problem.retrain()
        error = abs(other[-1] - path[-1] - problem.mini(2, path))
        label = "log cosh, both steps followed"
        apart = [abs(other[t] - path[t]) for t in (1, 0)]
        inputs = {**common, "eta": eta, "distances": apart}
        yield from ctx.compare_forms("literal", error, inputs, label, script="eq17")
    yield from _logistic(ctx, rng)
    yield from _product(ctx)
    for mu, step, share, s in ((1, Fraction(1, 2), 4, 6), (Fraction(3, 2), Fraction(1), 3, 9)):
        exact = mean_problem(Fraction(mu), step, Fraction(2), Fraction(-1), s, Fraction(1, share))
        path, other = exact.learn(), exact.retrain()
        for k in (1, s // 2, s - 1):
            error = float(abs(other[-1] - path[-1] - exact.mini(k, path)))
            apart = [float(abs(other[s - i] - path[s - i])) for i in range(1, k + 1)]
            inputs = {"eta": float(step), "mu": float(mu), "L": float(mu), "M": 0.0}
            inputs = {**inputs, "distances": apart}
            label = "one curvature, rational numbers"
            yield from ctx.compare_forms("quadratic", error, inputs, label, relation="==")
    for _ in range(ctx.pick(20, 200)):
        plane, _ = plane_quadratics(rng, 6)
        path, other = plane.learn(), plane.retrain()
        for k in (2, 5):
            error = float(np.linalg.norm(other[-1] - path[-1] - plane.mini(k, path)))
            apart = [float(np.linalg.norm(other[6 - i] - path[6 - i])) for i in range(1, k + 1)]
            inputs = {"eta": plane.eta, "mu": 0.5, "L": 2.0, "M": 0.0, "distances": apart}
            if apart[-1] > 0:
                label = "quadratics in three dimensions"
                yield from ctx.compare_forms("quadratic", error, inputs, label)


def _logistic(ctx: Context, rng: np.random.Generator) -> Findings:
    """Random ridge-logistic runs, the corrected bound from the measured distances."""
    for s, p in product((2, 5, 20, 60), (1, 3)):
        runs = LogisticRuns.random(rng, ctx.pick(250, 3000), s, p)
        c = runs.constants
        slack = 1e-12 * (1 + runs.distances.max(axis=1))
        r = rate(numeric, c["eta"], c["mu"], c["L"])
        for k in sorted({1, s // 2, s}):
            back = runs.distances[:, ::-1][:, 1 : k + 1]
            at = {"s": s, "k": k, "p": p}
            label = f"random ridge-logistic runs, s = {s}, k = {k}, p = {p}"
            options = {"bound": _with_taylor(r, c["eta"], c["M"], back) + slack, "tight": np.nan}
            yield ctx.compare("literal", "corrected", runs.error(k), at, label, **options)
        label = f"without the Taylor sum, s = k = {s}, p = {p}"
        options = {"role": "control"}
        options["bound"] = r**s * back[:, -1]
        yield ctx.compare("literal", "printed", runs.error(s), at, label, **options)


def _product(ctx: Context) -> Findings:
    """The product's own recursion on the deterministic run."""
    from simulators.trajectory.recursion import Recursion, differences

    model = deterministic.model()
    training = deterministic.training()
    learned_path = training.run(model).points
    apart = training.run(model, deterministic.FORGOTTEN, "mean").points - learned_path
    for k in (1, 5, 10, 20):
        choice = Recursion(hessian="kept", scaling="mean", last=k)
        statistic = differences(model, training, [deterministic.FORGOTTEN], choice).vectors[0]
        error = float(np.linalg.norm(apart[-1] - statistic))
        back = np.linalg.norm(apart, axis=1)[::-1][1 : k + 1].tolist()
        inputs = {**deterministic.constants(), "distances": back}
        label = f"the product's recursion, k = {k}"
        yield ctx.compare("literal", "corrected", error, inputs, label)


def _with_taylor(r: Array, eta: Array, M: Array, distances: Array) -> Array:
    """r^k d_k + (eta M/2) sum_{i <= k} r^{i-1} d_i^2, d_i = |Dw_{s-i}| along the last axis.

    r, eta and M broadcast against the leading axes of `distances`, whose last axis has k >= 1
    entries.
    """
    i = np.arange(distances.shape[-1])
    powers = np.asarray(r)[..., None] ** i
    last = np.asarray(r) * powers[..., -1] * distances[..., -1]
    squares = (powers * distances**2).sum(axis=-1)
    return np.asarray(last + eta * M / 2 * squares)


CHECKS = (
    Check("mini.eq17", evidence=check)
    .measured_by(
        "mini",
        "short_error",
        symbols={"mu": "lam", "L": "M", "M": "Lam"},
        interpretations=("literal",),
        where=("no clip", "one step size", "something is kept", "strong convexity"),
    )
    .measured_by(
        "mini",
        "short_error",
        symbols={"mu": "lam", "L": "M", "M": "Lam"},
        interpretations=("quadratic",),
        where=("no clip", "one step size", "something is kept", "quadratic losses"),
    ),
)
