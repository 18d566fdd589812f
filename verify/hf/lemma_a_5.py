"""Lemma A.5 of hf: four independent counterexamples, and the recursion that is attained."""

from fractions import Fraction
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.evidence import Relation
from verify.hf.line_problems import LineProblems, quadratics


def contracted(T: float, step: Fraction, q: float, h: float, start: Fraction | float) -> float:
    """|v_T| of h w^2/2 from `start` with steps `step` q^t, in exact rationals."""
    v = Fraction(start)
    for _ in range(int(T)):
        v -= step * Fraction(h) * v
        step *= Fraction(q)
    return float(abs(v))


def measure(
    T: float, eta: float, q: float, lam: float, M: float, L: float, beta: float = 1, **_: float
) -> float:
    """|v_T - w| of lam w^2/2 from where its slope is L."""
    return contracted(T, Fraction(eta) * Fraction(beta), q, lam, Fraction(L) / Fraction(lam))


def measure_limit(eta: float, q: float, lam: float, beta: float = 1) -> float:
    """The product of all factors 1 - eta beta lam q^t that differ from 1, largest first."""
    a = eta * beta * lam
    factors = int(np.ceil(np.log(1e-20 * (1 - q)) / np.log(q))) + 1
    return float(np.prod(1 - a * q ** np.arange(factors)))


def minimiser(problems: LineProblems) -> np.ndarray:
    """argmin over the kept samples of every problem, by bisection."""
    low = np.full(len(problems.start), -1e3)
    high = np.full(len(problems.start), 1e3)
    for _ in range(100):
        w = (low + high) / 2
        up = (problems.gradients(w) * ~problems.gone).sum(axis=1) < 0
        low, high = np.where(up, w, low), np.where(up, high, w)
    return np.asarray((low + high) / 2)


def strongly_convex(rng: np.random.Generator, count: int) -> LineProblems:
    """Problems of n samples in random batches, Hessians of quadratics plus waves, all positive."""
    n, T = int(rng.integers(2, 6)), int(rng.integers(1, 9))
    wave = rng.exponential(size=(count, n)) * rng.integers(0, 2, (count, n))
    slope = wave + rng.uniform(0.05, 2, (count, n))
    member = rng.random((count, T, n)) < rng.uniform(0.3, 1)
    member[:, :, 0] |= ~member.any(axis=2)
    deletions = rng.random((count, n)) < 0.3
    deletions[:, -1] = False
    lam = (slope - wave).min(axis=1)
    M = (slope + wave).max(axis=1)
    steps = rng.uniform(0.02, 2, (count, T)) / (lam + M)[:, None]
    centre = 2 * rng.normal(size=(count, n))
    phase = rng.uniform(0, 6, (count, n))
    return LineProblems(
        slope, centre, wave, phase, member, steps, deletions, 3 * rng.normal(size=count)
    )


def lists(problems: LineProblems) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """(|v_T - w|, the inputs of `hf.lema5.run`) of every problem."""
    best = minimiser(problems)
    distances = np.abs(problems.run().retrained[:, -1] - best)
    at_best = problems.gradients(best)[:, None, :] * (problems.member & ~problems.gone[:, None, :])
    residuals = np.abs(at_best.sum(axis=2)) / np.maximum(problems.sizes - problems.missing, 1)
    table = {"steps": problems.steps, "missing": problems.missing, "sizes": problems.sizes}
    table |= {"lam": problems.lam, "M": problems.M, "residuals": residuals}
    table |= {"start": np.abs(problems.start - best)}
    return distances, [{name: x[i] for name, x in table.items()} for i in range(len(best))]


def check_lemma(ctx: Context) -> Findings:
    """Distances on quadratics of both extreme curvatures, and on batches that take turns."""
    for rng in ctx.draws(40, 400, block=1):
        lam = float(rng.uniform(0.05, 1))
        T = int(rng.integers(0, 12))
        M = lam + float(rng.exponential())
        eta = float(rng.uniform(0.05, 2)) / (lam + M)
        q = float(rng.uniform(0.3, 1))
        rho = max(abs(1 - eta * q**t * h) for t in range(max(T, 1)) for h in (lam, M))
        near = {"rho": rho, "T": T, "lam": lam, "M": M}
        for h in (lam, M):
            distance = contracted(T, Fraction(eta), q, h, 2 * M / lam)
            yield ctx.compare(
                "supremum", "printed", distance, near, "curvature lam or M, started 2M/lam away"
            )
    still = {"rho": 0.5, "eta": 0.5, "q": 1.0, "T": 5, "lam": 1.0, "M": 1.0, "L": 1.0}
    visited = tuple((t % 2,) for t in range(20))
    problem = quadratics((1.0, 1.0), (1.0, -1.0), np.full(20, 0.5), 0.0, visited, ())
    cycle = abs(float(problem.run().learned[0, -1]))
    turns = {**still, "T": 20, "residual": 1.0}
    yield from ctx.compare_forms(
        "sampled", cycle, turns, "(w -+ 1)^2/2 in turn", script="lema5_sampled"
    )
    distance = measure(**still) + 1 - 0.5**5
    pulled = {**still, "residual": 1.0}
    at = "w^2/2 for 5 steps on batches that all pull away from the minimiser"
    yield ctx.compare("sampled", "corrected", distance, pulled, at, relation="==")


def check_run(ctx: Context) -> Findings:
    """Distances of random strongly convex runs; batches that all pull one way attain the form."""
    for rng in ctx.draws(6, 40):
        distances, each = lists(strongly_convex(rng, ctx.pick(60, 200)))
        bound = np.array([float(ctx.claim("tight", **inputs)) for inputs in each])
        lower_bounds = np.maximum(distances - 1e-10, 0)
        yield ctx.compare(
            "literal", "tight", lower_bounds, {}, "quadratics plus waves", bound=bound, tight=bound
        )
    for _ in range(ctx.pick(20, 200)):
        T = int(rng.integers(1, 7))
        n = int(rng.integers(3, 6))
        h = float(rng.uniform(0.1, 2))
        # Sample 0 holds the minimiser back and is never visited; the others pull away from it.
        centres = (-float(n), *rng.uniform(1, 2, n - 1).tolist())
        sizes = rng.integers(1, n, T)
        visited = tuple(tuple(1 + rng.choice(n - 1, size=k, replace=False)) for k in sizes)
        problem = quadratics((h,) * n, centres, rng.uniform(0.05, 1 / h, T), 50.0, visited, (1,))
        distances, each = lists(problem)
        relation: Relation = "==" if problem.start[0] > 0 and _same_way(problem) else "<="
        at = "quadratics whose batches all pull the same way"
        yield ctx.compare("literal", "tight", distances[0], each[0], at, relation=relation)


def _same_way(problem: LineProblems) -> bool:
    """Whether every kept gradient of the batches points away from where v_0 - w points from."""
    best = minimiser(problem)
    kept_mask = problem.member & ~problem.gone[:, None, :]
    pulls = (problem.gradients(best)[:, None, :] * kept_mask).sum(axis=2)
    return bool((pulls <= 0).all() and (problem.steps.max() * problem.M <= 1).all())


def check_limit(ctx: Context) -> Findings:
    """The lower limit of the product at random arguments, and w^2/2, where it is above 0."""
    eta, lam, q, beta = ctx.rng(1).uniform([[0.05], [0.05], [0.02], [0]], 0.98, (4, 400))
    floor = 1 - eta * beta * lam / (1 - q)
    inputs = {"eta": eta, "q": q, "lam": lam, "beta": beta}
    yield ctx.compare("literal", "tight", floor, inputs, "the floor of the floor")
    vanishing = {"eta": 0.5, "q": 0.5, "lam": 1.0}
    limit_value = measure_limit(**vanishing)
    at = "w^2/2, eta = q = 1/2"
    yield ctx.compare("literal", "printed", limit_value, vanishing, at, script="lema5_limit_floor")


LEMMA = (
    Instances(
        "w^2/2 from 1, eta = q = 1/2",
        case_table("rho eta q T lam M L", *((0.5, 0.5, 0.5, T, 1, 1, 1) for T in (3, 10, 60))),
        interpretations=("literal",),
        script="lema5_decaying",
        relations={"corrected": "=="},
    ),
    Instances(
        "(lam/2) w^2 attains it",
        draws=(40, 400),
        within={"T": (0, 12), "eta": (0.02, 1), "q": (0.3, 1), "lam": (0.05, 1), "M": (0.05, 4)},
        interpretations=("literal", "retrained"),
        forms=("corrected",),
        relations={"corrected": "=="},
    ),
    Instances(
        "w^2/2 on [-3, 3] from 3",
        case_table("rho eta q T lam M L", (0.5, 0.5, 1, 5, 1, 1, 3)),
        interpretations=("units",),
        script="lema5_units",
        relations={"corrected": "=="},
    ),
    Instances(
        "w^2/2, n = 2, m = 1, eta = 1",
        case_table("rho eta q T lam M L beta", (0, 1, 1, 5, 1, 1, 1, 0.5)),
        interpretations=("retrained",),
        script="lema5_retrained",
        relations={"corrected": "=="},
    ),
)
LIMIT = Instances(
    "(lam/2) w^2, all factors",
    case_table(
        "eta q lam beta",
        (0.5, 0.5, 1, 1),
        (0.05, 0.995, 1e-6, 1),
        (0.2, 0.99, 0.5, 0.9),
        (1, 0.7, 1, 1),
        (0.9, 0.9999, 1e-3, 1),
        (1, 0.9, 0.9, 1),
        (0.8, 0.5, 0.9, 1),
    ),
    draws=(40, 400),
    within={"eta": (0.05, 1), "lam": (0.05, 1), "q": (0.02, 0.98)},
    forms=("tight",),
    tolerance=1e-8,
    relations={"tight": "=="},
)
WHOLE = ("no clip", "whole batches")
CHECKS = (
    Check("hf.lema5", check_lemma, measure, LEMMA)
    .measured_by(
        "recollection",
        "optimum_distance",
        symbols={"rho": "rho_0"},
        interpretations=("literal",),
        where=WHOLE,
    )
    .measured_by(
        "recollection",
        "optimum_distance",
        symbols={"rho": "rho_0"},
        interpretations=("units",),
        where=(*WHOLE, "one step size"),
    )
    .measured_by(
        "recollection",
        "kept_optimum_distance",
        symbols={"rho": "rho_0"},
        interpretations=("retrained",),
        where=(*WHOLE, "one step size"),
    ),
    Check("hf.lema5.run", check_run).measured_by(
        "recollection", "sampled_optimum_distance", where=("no clip",)
    ),
    Check("hf.lema5.limit", check_limit, measure_limit, (LIMIT,)).measured_by(
        "recollection",
        "left_share",
        symbols={"beta": 1},
        where=(*WHOLE, "equal Hessians", "steps that vanish"),
    ),
)
