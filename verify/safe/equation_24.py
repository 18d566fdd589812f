"""Equation (24) of safe: exact for Gaussian classes, a plug-in for others."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.tables import Table, three_features

_COUNTS = {"nty": 90.0, "n0y": 100.0, "nt": 950.0, "n0": 1000.0}
EQ24 = Claim(
    id="safe.eq24",
    label="Equation (24)",
    kind="equality",
    statement="f(x; w_t*) is approximately q_t^(y)(x) f(x; w_0), normalised, q = (n_t(y)/n_0(y)) "
    "(|D_0|/|D_t|) N(z | mu_t, Sigma_t)/N(z | mu_0, Sigma_0).",
    readings=(
        Reading("literal", "no error is stated; q of the sample's own label", ("printed",)),
        Reading(
            "gaussian", "every class is Gaussian in the frozen coordinate z, before and after; "
            "q is the ratio of p(y) p(z|y)", ("printed",),
            proofs={"printed": "the definition of the two densities"},
            stance="repair",
        ),
        Reading(
            "counted", "q is the ratio of p(y) p(x|y), for the data of D_0 and D_t", ("printed",)
        ),
    ),
    natural=Natural(
        "z", tuple(np.linspace(-3, 3, 25).tolist()),
        {**_COUNTS, "mean_t": 0.1, "var_t": 0.9, "mean_0": 0.0, "var_0": 1.0},
    ),
    quantity="q of one class",
    correction="The target is q^(c)(x) f_c(x; w_0), normalised, with a factor for every class c; "
    "with the factor of the sample's own label for all classes it is f(x; w_0) itself.",
)  # fmt: skip
TARGET = Claim(
    id="safe.eq24.target",
    label="Equation (24), normalised over the classes",
    kind="equality",
    statement="f_c(x; w_t*) = q^(c)(x) f_c(x; w_0) / sum_c' q^(c')(x) f_c'(x; w_0).",
    readings=(
        Reading(
            "literal", "saturated models and exact factors q^(c) of every class", ("corrected",),
            proofs={"corrected": "eq (18) with the exact factor of every class"},
        ),
    ),
)  # fmt: skip
CLAIMS = (EQ24, TARGET)


def measure(
    z: float, nty: float, n0y: float, nt: float, n0: float,
    mean_t: float, var_t: float, mean_0: float, var_0: float,
) -> float:  # fmt: skip
    """The ratio of p(y) p(z|y) in rounds t and 0, for Gaussian classes."""
    now = nty / nt * NormalDist(mean_t, var_t**0.5).pdf(z)
    return now / (n0y / n0 * NormalDist(mean_0, var_0**0.5).pdf(z))


def check(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare("literal", "printed", "unspecified", "a plug-in whose error is not stated")
    rng = ctx.rng()
    count = ctx.pick(300, 5000)
    n0 = rng.integers(20, 1000, count)
    n0y = rng.integers(5, n0 - 10)
    nty = rng.integers(1, n0y + 1)
    inputs = {
        "z": rng.normal(size=count), "nty": nty, "n0y": n0y,
        "nt": nty + rng.integers(1, n0 - n0y + 1), "n0": n0,
        "mean_t": rng.normal(size=count), "var_t": np.exp(rng.uniform(-1, 1, count)),
        "mean_0": rng.normal(size=count), "var_0": np.exp(rng.uniform(-1, 1, count)),
    }  # fmt: skip
    exact = [measure(*map(float, row)) for row in zip(*inputs.values(), strict=True)]
    yield ctx.compare(
        "gaussian", "printed", exact, inputs, "Gaussian classes", relation="==", tolerance=1e-10
    )
    still = inputs | {"nty": n0y, "nt": n0, "mean_t": inputs["mean_0"], "var_t": inputs["var_0"]}
    yield ctx.compare("gaussian", "printed", 1.0, still, "nothing is deleted", relation="==")
    for N, m in ((3, 1), (100, 50), (30, 20)):
        table = three_features(N, m)
        plugged = {
            "z": 0.0, "nty": 3 * N - m, "n0y": 3 * N, "nt": 6 * N - m, "n0": 6 * N,
            "mean_t": 0.0, "var_t": 2 * N / (3 * N - m), "mean_0": 0.0, "var_0": 2 / 3,
        }  # fmt: skip
        yield ctx.compare(
            "counted", "printed", float(table.label(0) * table.conditional(1, 0)), plugged,
            "features -1, 0, 1, two classes; some of (0, A) leave", relation="==", script="eq24",
        )  # fmt: skip


def check_target(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 500)):
        table = Table.random(rng, 3, int(rng.integers(2, 5)))
        for x in range(3):
            lists = table.lists(x, 0, "prior")
            factors = np.multiply(lists["labels"], lists["conditionals"])
            if not factors.all():
                continue
            inputs = {
                "logits0": np.log(lists["prior"]) + rng.normal(),
                "log_factors": np.log(factors) + rng.normal(),
            }
            yield ctx.compare(
                "literal", "corrected", float(table.posterior(x, 0)), inputs,
                "counted laws; constants added to the logits and to all log q",
                relation="==", tolerance=1e-11,
            )  # fmt: skip
    table = three_features(3, 1)
    own = float(np.log(float(table.label(0) * table.conditional(1, 0))))
    inputs = {"logits0": [0.0, 0.0], "log_factors": [own, own]}
    yield ctx.compare(
        "literal", "corrected", float(table.posterior(1, 0)), inputs,
        "the factor of the sample's own label for both classes", relation="==", role="control",
    )  # fmt: skip


CHECKERS = {EQ24.id: check, TARGET.id: check_target}
MEASURES = {EQ24.id: measure}
