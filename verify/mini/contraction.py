"""The "key finding" of mini: spectra of H(l), and batches on which it does not contract."""

import math

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(eta: float, mu: float, L: float) -> float:
    """|I - eta A| for a kept sample with curvatures mu and L."""
    H = np.eye(2) - eta * np.diag([mu, L])
    return float(np.abs(np.linalg.eigvalsh(H)).max())


def measure_half(eta: float, mu: float, L: float) -> float:
    """Steps that halve a distance, counted on (a/2) w^2; log-linear between two steps."""
    factor = max(abs(1 - eta * mu), abs(1 - eta * L))
    before, distance, steps = 1.0, 1.0, 0
    while distance > 0.5:
        before = distance
        distance = distance * factor
        steps = steps + 1
    return steps - 1 + math.log(before / 0.5) / math.log(before / distance)


def check(ctx: Context) -> Findings:
    """Norms of H(l) at extreme curvatures and for means of random Hessians."""
    rng = ctx.rng()
    label = "curvatures mu and L"
    equal = {"relation": "=="}
    for inputs in case_table(
        "eta mu L", (0.9, 0.2, 2), (0.5, 0.1, 2.1), (0.01, 0.005, 0.25), (1, 0.2, 2.1)
    ):
        norm = measure(**inputs)
        yield ctx.compare("literal", "corrected", norm, inputs, label, **equal)
        if ctx.claim.interpretation("small").admits(inputs):
            yield from ctx.compare_forms("small", norm, inputs, label, **equal)
    label, script = "1 - eta L = -1.1", "eig_expansion"
    yield ctx.compare("literal", "printed", norm, inputs, label, script=script)
    inputs = {"eta": 0.1, "mu": 1.0, "L": 2.0}
    label = "every kept curvature is 3/2"
    yield ctx.compare("equal", "printed", 0.85, inputs, label, script="eig_between", **equal)
    trials, p = ctx.pick(1000, 10_000), 3
    low = np.exp(rng.uniform(-3, 0, trials))
    high = low * np.exp(rng.uniform(0, 3, trials))
    Q = np.linalg.qr(rng.normal(size=(trials, 2, p, p)))[0]
    spectra = rng.uniform(low[:, None, None, None], high[:, None, None, None], (trials, 2, 1, p))
    A = ((Q * spectra) @ Q.swapaxes(2, 3)).mean(axis=1)
    for forms, interpretation, most in (
        (("corrected",), "literal", 3 / high),
        (("printed", "corrected"), "small", 2 / (high + low)),
    ):
        steps = rng.uniform(0.01, 1, trials) * most
        values = np.linalg.eigvalsh(np.eye(p) - steps[:, None, None] * A)
        norms = np.abs(values).max(axis=1)
        arguments = {"eta": steps, "mu": low, "L": high}
        for form in forms:
            yield ctx.compare(
                interpretation, form, norms, arguments, "mean of two random Hessians in [mu, L]"
            )
    inputs = {"eta": 1.0, "mu": 0.5, "L": 0.5}
    label = "batches of one, each flat in one direction"
    yield ctx.compare("objective", "corrected", 1.0, inputs, label, script="eig_objective")


COUNTED = Instances(
    "1-D quadratics, counted",
    case_table(
        "eta mu L", (0.01, 0.005, 0.25), (0.01, 0.01, 0.26), (1, 0.05, 1.05), (1.9, 0.05, 1)
    ),
    draws=(20, 100),
    within={"eta": (0.01, 20), "mu": (0.01, 1), "L": (0.01, 7)},
    relations={"tight": "=="},
)
CHECKS = (
    Check("mini.eig", evidence=check, exact_side=measure),
    Check("mini.eig.half", exact_side=measure_half, at=(COUNTED,)),
)
