"""(41) and (42) of hf: false with the paper's rho; with the right one true and no use."""

import math
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.hf.fixed_order import fixed_order
from verify.hf.line_problems import certain, quadratics, two_points


def measure(
    eta: float, C: float, q: float, rho: float, E: float, B: float, b: float, b_u: float, **U: float
) -> float:
    """Exact error with quadratics of curvature (1 - rho)/eta, retrained from their optimum.

    The m forgotten samples (one by default) pull with C at 0, where the others rest.
    """
    h = (1 - rho) / eta
    B = int(B)
    b = int(b)
    m = int(U.get("m", 1))
    centres = tuple(C / h if i < m else 0.0 for i in range(b))
    visited, T = range(b), int(E + 1) * B
    # Batches without forgotten samples are alike: one resting batch stands for all of them.
    batches = tuple(tuple(visited) if t % B == b_u else tuple(range(b, 2 * b)) for t in range(T))
    both = (*centres, *(0.0,) * b)
    steps = eta * q ** np.arange(T)
    problem = quadratics((h,) * (2 * b), both, steps, 0.0, batches, tuple(range(m)))
    return float(problem.run().error("batch")[0, -1])


def check_41(ctx: Context) -> Findings:
    """Errors of the paper's approximator on losses on a line, the same order in every epoch.

    Also the sum (40) term by term, all of n samples forgotten, and the paper's own runs.
    """
    rng = ctx.rng()
    for T in (9, 20):
        (inputs,) = case_table("eta C q rho E B b b_u", (0.9, 2, 0.5, 1 - 0.9, T - 1, 1, 2, 0))
        error = float(two_points(0.9, 0.5, T).error("batch")[0, -1])
        at = f"two quadratics, rho(eta_0) = .1, T = {T}"
        yield ctx.compare("literal", "printed", error, inputs, at, script="eq41_first_step")
        largest = {**inputs, "rho": 1 - 0.9 * 0.5 ** (T - 1)}
        yield ctx.compare("supremum", "printed", error, largest, "the same with max rho_t")
    for _ in range(ctx.pick(40, 400)):
        B = int(rng.integers(1, 5))
        numbers = rng.uniform([0.01, 0.01, 0.3, 0.1], [1, 3, 0.99, 1.3])
        whole = int(rng.integers(12)), B, int(rng.integers(1, 50)), int(rng.integers(B))
        (inputs,) = case_table("eta C q rho E B b b_u", (*numbers.tolist(), *whole))
        lhs = sums(**inputs)
        at = "(40) summed term by term is (41)"
        yield ctx.compare("supremum", "printed", lhs, inputs, at, relation="==")
    about = "random losses on a line, the same order in every epoch"
    for sets in (False, True):
        for _ in range(ctx.pick(8, 80)):
            problems, inputs = fixed_order(rng, 200, sets)
            runs = problems.run()
            inputs["C"] = runs.C
            errors = certain(runs.error("batch"), runs)[:, -1]
            if sets:
                yield ctx.compare("sets", "corrected", errors, inputs, about)
                continue
            yield ctx.compare("supremum", "printed", errors, inputs, about)
            drift = certain(runs.drift, runs)[:, -1]
            bound = _half(inputs)
            at = about + ": doing nothing has at most half of the third term"
            yield ctx.compare("supremum", "printed", drift, inputs, at, bound=bound, tight=math.nan)
    for a in (10.0, 100.0):
        n, T, q, eta = 20, 4, 0.9, 1 / (2 * a)
        problem = quadratics(
            (a,) * n, (0.0,) * n, eta * q ** np.arange(T), 1.0, gone=tuple(range(n))
        )
        rho = 1 - 0.5 * q ** (T - 1)
        names = "eta C q rho E B b b_u m"
        (inputs,) = case_table(names, (eta, a, q, rho, T - 1, 1, n, 0, n))
        error = problem.run().error("batch")[0, -1]
        at = f"all of n = 20 forgotten, l = {a:g} w^2/2"
        yield from ctx.compare_forms("sets", float(error), inputs, at, script="eq41_sets")
    at = "(41) exceeds S, which certifies doing nothing (a = 0), in the paper's own runs"
    for config in RUNS:
        for rho in (0.99, 0.995, 1.0):
            inputs = {**config, "rho": rho}
            bound = _half(inputs)
            options = {"role": "class", "script": "eq41_vacuous"}
            exceeds = ctx.claim("printed", **inputs)
            yield ctx.compare("informative", "printed", exceeds, inputs, at, bound=bound, **options)


def _half(inputs: dict[str, Any]) -> np.ndarray:
    """S = C sum_e (eta/b) q^t rho^{T-1-t} over the visits t = eB + b_u, summed directly."""
    B, b_u, E = (int(inputs[name]) for name in ("B", "b_u", "E"))
    t = b_u + B * np.arange(E + 1)
    rho, q = (np.asarray(inputs[name], dtype=float)[..., None] for name in ("rho", "q"))
    sums = np.sum(rho ** ((E + 1) * B - 1 - t) * q**t, axis=-1)
    return np.asarray(np.asarray(inputs["C"]) * inputs["eta"] / inputs["b"] * sums)


def sums(
    eta: float, C: float, q: float, rho: float, E: float, B: float, b: float, b_u: float
) -> float:
    """The two sums of the first line of (41), term by term."""
    T = int((E + 1) * B)
    k = np.arange(T)
    first = 2 * eta**2 * C / (1 - q) * np.sum(rho ** (T - 1 - k) * (q**k - q ** (2 * k)))
    t = b_u + B * np.arange(E + 1)
    return float(first + 2 * C * eta / b * np.sum(rho ** (T - 1 - t) * q**t))


# Logistic regression, CNN, FMNIST.
RUNS = case_table(
    "eta C q E B b b_u",
    (0.05, 10.0, 0.995, 49, 1, 1000, 0),
    (0.05, 10.0, 0.995, 19, 16, 64, 3),
    (0.5, 0.5, 0.995, 29, 16, 256, 5),
)
WITHIN = {"eta": (0.01, 1), "q": (0.3, 0.99), "rho": (0.1, 1.3), "E": (0, 12), "B": (1, 4)}
TERMS = Instances(
    "the sums, term by term",
    case_table("eta C q rho E B b b_u", (0.25, 1, 0.5, 0.75, 1, 1, 2, 0)),
    draws=(100, 1000),
    within={**WITHIN, "b": (1, 50)},
    script="eq42_factored",
)
RHO = Limit("rho of all steps, not of the first", searchable=False)
CHECKS = (
    Check(
        "hf.eq41",
        check_41,
        measure,
        limits={"supremum": RHO, "sets": RHO},
        far="its third term alone is twice the distance that doing nothing leaves",
    )
    .measured_by(
        "recollection",
        "batch_error",
        symbols={"rho": "rho_0"},
        interpretations=("literal",),
        where=("no clip", "whole batches", "shrinking steps", "one row"),
    )
    .measured_by(
        "recollection",
        "batch_error",
        symbols={"rho": "rho_max"},
        interpretations=("supremum",),
        where=("no clip", "whole batches", "shrinking steps", "one row", "steps at most 2/M"),
    )
    .measured_by(
        "recollection",
        "batch_error",
        symbols={"rho": "rho_max"},
        interpretations=("sets",),
        where=("no clip", "whole batches", "shrinking steps", "steps at most 2/M"),
    ),
    Check("hf.eq42", exact_side=sums, at=(TERMS,)),
)
