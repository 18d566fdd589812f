"""(7)-(8) of hf, batches without u: exact on quadratics, with a sharp remainder elsewhere."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances


def measure_step(eta: float, b: float, H: float, D: float) -> float:
    """Both runs through one batch of b quadratics whose Hessians sum to H."""
    from verify.hf.quadratic_problems import full_batch

    n = int(b)
    curvature = H / n + (np.arange(n) - (n - 1) / 2)
    minima = np.sin(np.arange(n))
    points = [
        training.run(model).last[0]
        for model, training in (full_batch(curvature, minima, w, eta, 1) for w in (0.4, 0.4 + D))
    ]
    return float(points[1] - points[0])


def measure_remainder(eta: float, lam: float, M: float, Lam: float, D: float) -> float:
    """One step from 0 and one from D where the Hessian rises from lam, minus (8), in exact
    arithmetic: up to M at rate Lam."""
    start = Fraction(D)
    least = Fraction(lam)
    rate = Fraction(Lam)
    rise = Fraction(M) - least
    turned = min(start, rise / rate) if rate else start
    gradient = least * start + rate / 2 * turned**2 + rise * (start - turned)
    next_point = start - Fraction(eta) * gradient
    return float(abs(next_point - (1 - Fraction(eta) * least) * start))


def check_step(ctx: Context) -> Findings:
    """One step of the difference on every batch without u of random quadratics."""
    from verify.hf.quadratic_problems import departure, equal, problems

    pairs, before = [], [0.0]
    for problem in problems(ctx.rng(1), ctx.pick(60, 600)):
        learned_path = problem.training.run(problem.model).points
        D = problem.training.run(problem.model, problem.forget).points - learned_path
        first = next(t for t, r in enumerate(problem.training.batches) if problem.forget[0] in r)
        before.append(float(np.abs(D[: first + 1]).max()))
        for t, _, tangent in problem.training.walk(problem.model):
            if t < problem.training.length and problem.forget[0] not in problem.training.batches[t]:
                rate = float(problem.training.steps[t]) / len(problem.training.batches[t])
                stepped = D[t] - rate * tangent.hessian().cpu().numpy() @ D[t]
                size = float(np.abs(learned_path[t]).max() + np.abs(D[t]).max())
                pairs.append(np.add(departure(stepped, D[t + 1]), size))
    at = "every batch without u of random quadratic problems"
    yield equal(ctx, "literal", "printed", pairs, at, tolerance=1e-12)
    at = "nothing differs before u's first batch"
    yield ctx.compare("literal", "printed", before, {}, at, bound=0.0, tight=np.nan)


def check_remainder(ctx: Context) -> Findings:
    """The remainder of a step for w^2/2 + 2 sin w at random points."""
    yield ctx.declare("literal", "corrected", "unspecified", "o(D) states no constant")
    rng = ctx.rng(1)
    x, D, a = rng.normal(size=(3, ctx.pick(2000, 50000))) * 2
    eta = rng.uniform(0.1, 1, size=x.size)
    # |w + 2 sin w|: Hessian 1 - 2 sin(w + a) in [-1, 3], Lipschitz with 2.
    remainder = (
        np.abs(D + 2 * (np.cos(x + D + a) - np.cos(x + a)) - (1 - 2 * np.sin(x + a)) * D) * eta
    )
    inputs = {"eta": eta, "lam": -1.0, "M": 3.0, "Lam": 2.0, "D": np.abs(D)}
    yield from ctx.compare_forms("smooth", remainder, inputs, "w^2/2 + 2 sin(w + a), random points")


STEP = (
    Instances(
        "both runs through one batch of quadratics",
        draws=(20, 200),
        within={"eta": (0.05, 2), "b": (1, 8), "H": (-6, 6), "D": D},
    )
    for D in ((-2, -0.3), (0.3, 2))
)
RISING = Instances(
    "a Hessian that rises as fast as it may",
    draws=(300, 5000),
    within={"eta": (0.05, 2), "lam": (-3, 3), "M": (1e-3, 6), "Lam": (0, 8), "D": (0.01, 10)},
    interpretations=("smooth",),
    tolerance=1e-8,
    relations={"tight": "=="},
)
CHECKS = (
    Check("hf.eq7_8", check_step, measure_step, tuple(STEP)),
    Check("hf.eq7_8.remainder", check_remainder, measure_remainder, (RISING,)).measured_by(
        "recollection", "step_remainder", interpretations=("smooth",), where=("smooth curvature",)
    ),
)
