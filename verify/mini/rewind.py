"""Rewinding k steps and redoing them on kept data: bounded by r^k times the old distance."""

from fractions import Fraction
from itertools import product

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.evidence import Evidence
from verify.mini import deterministic
from verify.mini.logistic_runs import LogisticRuns
from verify.mini.problems import THOUSANDTHS, line_quadratics, mean_problem


def measure(eta: float, mu: float, k: float, distance: float, L: float = 0) -> float:
    """Redone on (a/2) w^2, a whichever of mu and L moves least, from a point `distance` away."""
    a = mu if abs(1 - eta * mu) >= abs(1 - eta * L) else L
    problem = mean_problem(a, eta, 1.0, 0.0, int(k), Fraction(1, 2))
    return float(abs(problem.redo(0, distance)[-1] - problem.redo(0, 0.0)[-1]))


def measure_prior(
    eta: float, mu: float, beta: float, Gm: float, s: float, k: float, L: float = 0
) -> float:
    """Redone in a run where kept samples pull one way and forgotten ones the other way."""
    curvature, step, pull = map(Fraction, (mu, eta, Gm))
    share = Fraction(beta).limit_denominator(1000)
    problem = mean_problem(curvature, step, -pull, pull, int(s), share)
    begin = int(s - k)
    redone = problem.redo(begin, problem.learn()[begin])[-1]
    return float(abs(redone - problem.retrain()[-1]))


def check(ctx: Context) -> Findings:
    """Distances after k steps again: logistic runs, a kinked loss, quadratics in rationals."""
    rng = ctx.rng()
    for s, p in product((2, 5, 20, 60), (1, 3)):
        runs = LogisticRuns.random(rng, ctx.pick(250, 3000), s, p)
        label = f"random ridge-logistic runs, s = {s}, p = {p}"
        slack = 1e-12 * (1 + runs.distances.max(axis=1))
        for k in sorted({1, s // 2, s - 1}):
            inputs = {name: runs.constants[name] for name in ("eta", "mu", "L")}
            inputs |= {"k": k, "distance": runs.distances[:, s - k]}
            bound = ctx.claim("tight", **inputs) + slack
            yield ctx.compare("literal", "tight", runs.rewound(k), inputs, label, bound=bound)
    yield _kinked(ctx, rng)
    yield from _product(ctx)
    for _ in range(ctx.pick(10, 100)):
        problem = line_quadratics(rng, 6)
        path, other = problem.learn(), problem.retrain()
        for k in (2, 5):
            apart = path[6 - k] - other[6 - k]
            redone = problem.redo(6 - k, path[6 - k])[-1]
            inputs = {"eta": float(problem.eta), "mu": 1.0, "L": 2.0, "k": k}
            options = {"bound": float(path[-1] + problem.mini(k, path)), "relation": "=="}
            label = "the point of eq (10), rational numbers"
            yield ctx.compare(
                "mini", "tight", float(redone), inputs, label, tight=np.nan, **options
            )
            distance = float(abs(redone - other[-1]))
            at = {"distance": float(abs(apart))}
            yield ctx.compare(
                "mini", "tight", distance, inputs | at, "quadratics in rational numbers"
            )


def _kinked(ctx: Context, rng: np.random.Generator) -> Evidence:
    """Piecewise quadratic losses, whose Hessians jump between mu and L."""
    trials, n, k = ctx.pick(2000, 20_000), 3, 8
    mu = rng.uniform(0.05, 0.9, trials)
    eta = rng.uniform(0.05, 1.95, trials)
    x, width = rng.normal(size=(2, n, trials))
    ends = rng.normal(size=(2, trials))
    inputs = {"eta": eta, "mu": mu, "L": np.ones(trials), "k": k}
    inputs["distance"] = np.abs(ends[0] - ends[1])
    for _ in range(k):
        bent = np.clip(ends[:, None] - x, -np.abs(width), np.abs(width)).mean(axis=1)
        ends = ends - eta * (mu * ends + (1 - mu) * bent)
    distances = np.abs(ends[0] - ends[1])
    bound = ctx.claim("tight", **inputs) + 1e-12
    label = "piecewise quadratic losses, no Lipschitz Hessian"
    return ctx.compare("literal", "tight", distances, inputs, label, bound=bound)


def _product(ctx: Context) -> Findings:
    """The product's own training, restarted k steps before its end."""
    model = deterministic.model()
    training = deterministic.training()
    learned_path = training.run(model).points
    retrained = training.run(model, deterministic.FORGOTTEN, "mean").points
    rates = {name: deterministic.constants()[name] for name in ("eta", "mu", "L")}
    for k in (1, 5, 10):
        begin = deterministic.STEPS - k
        part = training.part(begin, deterministic.STEPS, learned_path[begin])
        end = part.run(model, deterministic.FORGOTTEN, "mean").last
        apart = float(np.linalg.norm(retrained[begin] - learned_path[begin]))
        distance = float(np.linalg.norm(end - retrained[-1]))
        label = "the product's ridge-logistic run"
        inputs = {**rates, "k": k, "distance": apart}
        yield ctx.compare("literal", "tight", distance, inputs, f"{label}, k = {k}")


def check_prior(ctx: Context) -> Findings:
    runs = LogisticRuns.random(ctx.rng(), ctx.pick(500, 5000), 20, 2)
    common = {name: runs.constants[name] for name in ("eta", "mu", "L", "beta")}
    for k in (1, 10, 19):
        inputs = {**common, "Gm": runs.largest_gradient, "s": 20, "k": k}
        bound = ctx.claim("tight", **inputs) + 1e-12
        label = "random ridge-logistic runs"
        yield ctx.compare("literal", "tight", runs.rewound(k), inputs, label, bound=bound)


RATES = ((0.5, 0.25, 1), (1.5, 0.25, 1.2), (1, 0.1, 1))
STEPS = (0, 1, 6, 20)
PAIRS = ((1, 0), (1, 1), (9, 3), (40, 39), (40, 10))
LINE, PRIOR = (
    Instances("1-D quadratics", inputs, interpretations=("literal",), relations={"tight": "=="})
    for inputs in (
        case_table("eta mu L k distance", *((*rates, k, 1.25) for rates in RATES for k in STEPS)),
        case_table("eta mu L beta Gm s k", *((0.5, 0.25, 1, 0.25, 1.5, *pair) for pair in PAIRS)),
    )
)
CHECKS = (
    Check(
        "mini.rewind", check, measure, (LINE,), worst_cases="verify.mini.worst_cases:steps"
    ).measured_by(
        "mini",
        "rewound_error",
        symbols={"mu": "lam", "L": "M"},
        interpretations=("literal",),
        where=("no clip", "one step size", "something is kept", "strong convexity"),
    ),
    Check("mini.rewind.prior", check_prior, measure_prior, (PRIOR,), {"literal": THOUSANDTHS})
    .measured_by(
        "mini",
        "rewound_error",
        symbols={"mu": "lam", "L": "M"},
        interpretations=("literal",),
        where=("no clip", "one step size", "something is kept", "strong convexity"),
    )
    .beside("logcosh loss with one other label, the last of three short steps"),
)
