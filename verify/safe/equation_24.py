"""Equation (24) of safe: exact for Gaussian classes, a plug-in for others."""

from statistics import NormalDist

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.tables import Table, three_features


def measure(
    z: float,
    nty: float,
    n0y: float,
    nt: float,
    n0: float,
    mean_t: float,
    var_t: float,
    mean_0: float,
    var_0: float,
) -> float:
    """The ratio of p(y) p(z|y) in rounds t and 0, for Gaussian classes."""
    now = nty / nt * NormalDist(mean_t, var_t**0.5).pdf(z)
    return now / (n0y / n0 * NormalDist(mean_0, var_0**0.5).pdf(z))


def check(ctx: Context) -> Findings:
    """Quotients of densities for Gaussian classes, and the plug-in on counted features."""
    yield ctx.declare("literal", "printed", "unspecified", "a plug-in whose error is not stated")
    rng = ctx.rng()
    count = ctx.pick(300, 5000)
    n0 = rng.integers(20, 1000, count)
    n0y = rng.integers(5, n0 - 10)
    nty = rng.integers(1, n0y + 1)
    inputs = {"nty": nty, "n0y": n0y, "nt": nty + rng.integers(1, n0 - n0y + 1), "n0": n0}
    inputs |= dict(zip(("z", "mean_t", "mean_0"), rng.normal(size=(3, count)), strict=True))
    inputs |= {name: np.exp(rng.uniform(-1, 1, count)) for name in ("var_t", "var_0")}
    each = [{name: float(x[i]) for name, x in inputs.items()} for i in range(count)]
    exact = [measure(**row) for row in each]
    yield ctx.compare("gaussian", "printed", exact, inputs, "Gaussian classes", tolerance=1e-10)
    still = inputs | {"nty": n0y, "nt": n0, "mean_t": inputs["mean_0"], "var_t": inputs["var_0"]}
    yield ctx.compare("gaussian", "printed", 1.0, still, "nothing is deleted")
    at = "features -1, 0, 1, two classes; some of (0, A) leave"
    for N, m in ((3, 1), (100, 50), (30, 20)):
        table = three_features(N, m)
        plugged = {"nty": 3 * N - m, "n0y": 3 * N, "nt": 6 * N - m, "n0": 6 * N, "z": 0.0}
        plugged |= {"mean_t": 0.0, "var_t": 2 * N / (3 * N - m), "mean_0": 0.0, "var_0": 2 / 3}
        lhs = float(table.label(0) * table.conditional(1, 0))
        yield ctx.compare("counted", "printed", lhs, plugged, at, script="eq24")


def check_target(ctx: Context) -> Findings:
    """Targets over the classes of counted laws, constants added to logits and to log q."""
    rng, at = ctx.rng(), "counted laws; constants added to the logits and to all log q"
    for _ in range(ctx.pick(30, 500)):
        table = Table.random(rng, 3, int(rng.integers(2, 5)))
        for x in range(3):
            lists = table.lists(x, 0, "prior")
            factors = np.multiply(lists["labels"], lists["conditionals"])
            if factors.all():
                inputs = {"logits0": np.log(lists["prior"]), "log_factors": np.log(factors)}
                inputs = {name: value + rng.normal() for name, value in inputs.items()}
                lhs = float(table.posterior(x, 0))
                yield ctx.compare("literal", "corrected", lhs, inputs, at, tolerance=1e-11)
    table = three_features(3, 1)
    own = float(np.log(float(table.label(0) * table.conditional(1, 0))))
    lhs = float(table.posterior(1, 0))
    inputs = {"logits0": [0, 0], "log_factors": [own, own]}
    at = "the factor of the sample's own label for both classes"
    yield ctx.compare("literal", "corrected", lhs, inputs, at, relation="==", role="control")


CHECKS = (Check("safe.eq24", check, measure), Check("safe.eq24.target", check_target))
