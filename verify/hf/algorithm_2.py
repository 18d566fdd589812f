"""Algorithm 2 of hf: statistics along a repair, exact when the recursion simply goes on."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit


def measure(
    eta: float, h: float, n: float, T: float, cbar: float, c_u: float, w0: float, a0: float
) -> float:
    """Both repairs run: from w0 + a0 without the sample, and from w0 with it."""
    from verify.hf.quadratic_problems import full_batch, line

    size = int(n)
    minima = line(size, 1, cbar, c_u)
    model, training = full_batch(np.full(size, h), minima, w0, eta, int(T))
    shifted = replace(training, start=np.array([w0 + a0]))
    return float(shifted.run(model, [0]).last[0] - training.run(model).last[0])


def check(ctx: Context) -> Findings:
    """Statistics carried along random repairs, against both runs on quadratics.

    The whole batch's Hessian and the printed factor eta/b are controls.
    """
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import departure, equal, problems

    rng = ctx.rng(1)
    pairs: dict[str, list[tuple[float, float]]] = {"kept": [], "batch": [], "scaled": []}
    for problem in problems(rng, ctx.pick(30, 600)):
        model, training, u = problem.model, problem.training, problem.forget
        stored = differences(model, training, [u]).vectors
        w = training.run(model).last + rng.normal(size=model.parameters)  # a release, with noise
        order = rng.permutation(len(training.batches))
        batches = tuple(training.batches[i] for i in order)
        repair = replace(training, batches=batches, start=w)
        shifted = replace(repair, start=w + stored[0])
        exact = shifted.run(model, u).last - repair.run(model).last
        rate = float(repair.steps[0]) / len(repair.batches[0])
        for name, hessian, factor in (
            ("kept", "kept", 1.0),
            ("batch", "batch", 1.0),
            ("scaled", "kept", rate),
        ):
            rule, begun = Recursion(hessian), factor * stored
            statistic = differences(model, repair, [u], rule, initial=begun).vectors[0]
            pairs[name].append(departure(statistic, exact))
    texts = {
        "kept": "random repairs from noisy releases",
        "batch": "with the whole batch's Hessian",
        "scaled": "with the printed factor eta/b on the stored statistic",
    }
    for name, text in texts.items():
        role = "bound" if name == "kept" else "control"
        yield equal(ctx, "literal", "corrected", pairs[name], text, role=role)


def _repairs(p: Mapping[str, Any]) -> float:
    """Size of the two repairs that the exact side subtracts."""
    move = p["eta"] * abs(p["h"])
    growth = p["T"] * math.log(max(1.0, abs(1 - p["eta"] * p["h"]), 1 + move * (p["h"] < 0)))
    largest = max(abs(p[name]) for name in ("cbar", "c_u", "w0", "a0"))
    return float(largest * (1 + p["T"] * (1 + move)) * math.exp(min(growth, 600.0)))


LINE = Instances(
    "full batches on a line",
    draws=(30, 300),
    within={"eta": (0.05, 1), "h": (-2, 3), "n": (2, 8), "T": (1, 25)},
    tolerance=1e-7,
    relations={"printed": "==", "corrected": "=="},
    script="alg2",
)
ITSELF = Hypothesis(
    "c_u = cbar for n = 1", sets={"c_u": lambda c_u, cbar, n: cbar if n == 1 else c_u}
)
REPAIRS = Limit("one sample is its own mean; two repairs are subtracted", (ITSELF,), _repairs)
CHECKS = (
    Check("hf.alg2", check, measure, (LINE,), {"literal": REPAIRS}).measured_by(
        "recollection", "repaired_vector", relation="=="
    ),
)
