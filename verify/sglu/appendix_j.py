"""Appendix J of sglu: the recursion to the stationary law, almost surely at each step, in law."""

import math
from itertools import pairwise, product

import numpy as np

from simulators.exact import line_winf
from simulators.exact.gaussian_divergence import winf
from simulators.exact.maps import huber, logistic
from simulators.exact.transfer import Atoms
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE, LinearRun, ProjectedRun
from verify.sglu.pairs import losses, onto_ball, points


def measure(eta: float, m: float, J: float, W: float) -> float:
    """Exact distance after an epoch on quadratics, from the stationary law moved by W."""
    run = LinearRun.of(eta=eta, m=m, M=1.0, b=1, J=J, sigma=0.3)
    start = run.stationary(-1).shifted(W)
    return winf(run.learned(-1, 1, start), run.stationary(-1), rtol=1e-9)


def check(ctx: Context) -> Findings:
    """One step of pairs in a ball with shared noise, then laws on an interval, epoch by epoch."""
    for rng in ctx.draws(10, 100, block=1):
        for loss in losses(rng):
            # Every second step size lies in (1/L, 2/(L + m)], beyond the paper's range.
            eta = float(rng.choice([rng.uniform(0.1, 1) / loss.L, 2 / (loss.L + loss.m)]))
            pair = points(rng, 400)
            noise = rng.normal(size=pair[0].shape)
            x, y = (onto_ball(p, 4.0) for p in pair)
            after = [onto_ball(p - eta * loss.gradient(p, 1.0) + noise, 4.0) for p in (x, y)]
            apart, before = (np.linalg.norm(p - q, axis=1) for p, q in (after, (x, y)))
            inputs = {"eta": eta, "m": loss.m, "J": 1, "W": before, "L": loss.L}
            instance = f"{loss.name} loss in the ball, one step with shared noise (62)"
            yield ctx.compare("literal", "printed", apart, inputs, instance)
    inputs = dict(MOVED.cases[0])
    remark = "one more contraction would be too much"
    exact = measure(**inputs)
    less = ctx.claim("printed", **{**inputs, "J": inputs["J"] + 1})
    yield ctx.compare("literal", "printed", exact, inputs, remark, bound=less, role="control")
    m = 0.5
    eta = 0.6
    options = {"tolerance": 1e-8, "tight": math.nan}
    families = (("logistic", logistic(1, 1, m), ()), ("Huber", huber(0.2, 0.5, m), (-0.3, 0.7)))
    for (name, gradient, breaks), start in product(families, (-1.5, 0.4)):
        box = ProjectedRun(1.5, eta, 0.4, [[gradient]] * 2, [[gradient]] * 2, 160, breaks)
        laws = [box.learned(1, t, Atoms.at(start)) for t in (1, 2, 3)]
        distances = [line_winf.winf(law, box.stationary(1)) for law in laws]
        instance = f"{name} loss on an interval, transfer operator"
        for W, later in pairwise(distances):
            inputs = {"eta": eta, "m": m, "J": 2, "W": W}
            yield from ctx.compare_forms("literal", later, inputs, instance, **options)


MOVED = Instances(
    "quadratics, stationary law moved by W",
    case_table("eta m J W", (0.5, 0.4, 3, 2)),
    draws=(20, 200),
    within={**LINE, "J": (1, 8)},
    tolerance=1e-7,
    relations={"printed": "==", "tight": "=="},
)
CHECKS = (
    Check("sglu.appj", evidence=check, exact_side=measure, at=(MOVED,)).measured_by(
        "langevin", "start_epoch", where=("short steps",)
    ),
)
