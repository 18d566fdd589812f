"""Theorem 4.3 of hf: (15) fails by units and by time; explicit constants hold and are attained."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from bounds.hf.certificates import error_apriori
from bounds.hf.drift import drift_smooth
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.hf.fixed_order import fixed_order
from verify.hf.lemma_4_1_smooth import arguments, resting
from verify.hf.line_problems import (
    LineProblems,
    LineRuns,
    Rng,
    certain,
    quadratics,
    random_problems,
    two_points,
)

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"waves": 0.0}, {"convex": True}, {"waves": 5.0})


def bent(rng: Rng) -> tuple[float, dict[str, Any]]:
    """Exact error of T = 2: a linear loss forgotten, then one whose Hessian grows from lam to M.

    Returns the error of either approximator (they agree) and the arguments of the forms.
    """
    eta, second, C = (float(x) for x in rng.uniform(0.1, 2, 3))
    lam = float(rng.normal())
    Lam = float(rng.exponential() + 0.05)
    spread = float(rng.exponential() + 0.05)
    d = eta * C  # w_1 = 0, v_1 = d
    until = min(d, spread / Lam)
    gradient = lam * d + Lam * until**2 / 2 + spread * (d - until)
    error = abs(second * (gradient - lam * d))
    M = lam + spread
    if M <= 0:
        lam, M = lam - M + 0.1, 0.1
    inputs = {"steps": [eta, second], "missing": [1.0, 0.0], "sizes": [1.0, 1.0], "C": C}
    return error, {**inputs, "lam": lam, "M": lam + spread, "Lam": Lam}


def compare_bent(ctx: Context, rng: Rng, form: str, stored: bool = False) -> Findings:
    """`bent` attains the leave-one-out forms, with the norms on the way in place of C if stored."""
    at = "equality: a Hessian that grows from lam to M"
    for _ in range(ctx.pick(100, 1000)):
        error, inputs = bent(rng)
        if stored:
            inputs["norms"] = [0.0, inputs["steps"][0] * inputs.pop("C")]
        yield ctx.compare("literal", form, error, inputs, at, relation="==")


def compare_resting(ctx: Context, rng: Rng, form: str, stored: bool = False) -> Findings:
    """The same of `resting`, for the paper's approximator."""
    at = "equality: one curvature, retrained from its optimum"
    for _ in range(ctx.pick(60, 600)):
        problem, inputs = resting(rng)
        runs, inputs["Lam"] = problem.run(), 0.0
        error = float(runs.error("batch")[0, -1])
        error = error if error > 1e-13 * inputs["C"] else 0.0
        if stored:
            inputs["norms"] = np.abs(runs.batch[0, :-1]).tolist()
            del inputs["C"]
        yield ctx.compare("literal", form, error, inputs, at, relation="==", tolerance=1e-8)


def compare_random(
    ctx: Context, rng: Rng, form: str, hessian: str, certificate: Callable[..., Any]
) -> Findings:
    """Random problems against `certificate(problems, runs)`, which bounds every step."""
    at = "random losses on a line, sets of any size, shuffled batches"
    for options in OPTIONS:
        for _ in range(ctx.pick(4, 40)):
            problems = random_problems(rng, 300, **options)
            runs = problems.run()
            errors = certain(runs.error(hessian), runs)
            bound = certificate(problems, runs)
            yield ctx.compare(
                "literal", form, errors, {"problems": 300}, at, bound=bound, tight=bound
            )


def compare_logistic(
    ctx: Context, rng: Rng, form: str, hessian: str, stored: bool = False
) -> Findings:
    """Logistic regression in several dimensions against the same form."""
    from verify.hf.logistic_runs import logistic_run

    at = "logistic regression with a ridge, 2 to 5 dimensions"
    for _ in range(ctx.pick(6, 60)):
        run = logistic_run(rng)
        inputs: dict[str, Any] = dict(zip(("lam", "M", "Lam"), run.constants, strict=True))
        inputs |= dict(zip(("steps", "missing", "sizes"), run.schedule, strict=True))
        inputs |= {"norms": run.norms[hessian]} if stored else {"C": run.C}
        yield ctx.compare("literal", form, run.errors[hessian], inputs, at)


def measure(
    steps: Sequence[float],
    missing: Sequence[float],
    sizes: Sequence[float],
    C: float,
    lam: float,
    M: float,
    Lam: float,
) -> float:
    """Exact error of the paper's approximator: one curvature M, kept losses at their optimum.

    Both runs start there, and retraining stays; losses of the forgotten samples have one optimum,
    as far off as |grad| <= C on both trajectories lets it be. Everything is linear in that. These
    losses are in the class of every lam <= M and Lam >= 0.
    """
    if not (lam <= M and Lam >= 0):
        raise ValueError(f"lam must be <= M and Lam >= 0, got {lam}, {M} and {Lam}")
    most = int(max(sizes))
    batches = [
        (*range(int(m)), *range(most, most + int(b - m)))
        for m, b in zip(missing, sizes, strict=True)
    ]
    centres = (1.0,) * most + (0.0,) * most
    problem = quadratics(
        (M,) * (2 * most), centres, np.asarray(steps), batches=batches, gone=range(most)
    )
    runs = problem.run()
    attainment = float(runs.C[0])
    return float(runs.error("batch")[0, -1]) * C / attainment if attainment > 0 else 0.0


def check_main(ctx: Context) -> Findings:
    """Errors of the paper's approximator against (15) with growing K, and against form (B).

    Quadratics in turn, random losses on a line, logistic losses, and two that attain it.
    """
    rng = ctx.rng()
    names = "eta C q rho E B K"
    for a, K in ((1e3, 1.0), (1e6, 1e3)):
        error = two_points(0.5 / a, 0.5, 2, a).error("batch")[0, -1]
        (inputs,) = case_table(names, (0.5 / a, 2 * a, 0.5, 0.75, 1, 1, K))
        at = f"curvature {a:g}, K = {K:g}"
        yield ctx.compare("number", "printed", error, inputs, at, script="thm4_3_units")
    for T, K in ((20, 1.0), (200, 1e30)):
        error = two_points(0.9, 0.5, T).error("batch")[0, -1]
        (inputs,) = case_table(names, (0.9, 2, 0.5, 1 - 0.9, T - 1, 1, K))
        at = f"two quadratics, T = {T}, K = {K:g}"
        yield ctx.compare("literal", "printed", error, inputs, at, script="thm4_3_time")
    for _ in range(ctx.pick(8, 80)):
        problems, constants = fixed_order(rng, 200)
        runs = problems.run()
        growth = np.maximum(1, constants["rho"]) ** (constants["B"] - 1)
        K = (1 - constants["q"]) * growth / (constants["eta"] * constants["b"])
        error = certain(runs.error("batch"), runs)[:, -1]
        inputs = {**constants, "C": runs.C, "K": K}
        at = "random losses on a line, the same order in every epoch"
        yield ctx.compare("supremum", "printed", error, inputs, at)

    def certificate(problems: LineProblems, runs: LineRuns) -> Any:
        return error_apriori(*problems.schedule, runs.C, *problems.curvature, "batch")

    yield from compare_random(ctx, rng, "corrected", "batch", certificate)
    yield from compare_resting(ctx, rng, "corrected")
    yield from compare_bent(ctx, rng, "corrected")
    yield from compare_logistic(ctx, rng, "corrected", "batch")
    # Forgotten twice in a row: the paper's Hessian of the whole batch costs eta_1 M eta_0 C.
    problem = quadratics((2.0, 1.0), (-0.5, 0.0), np.array([0.1, 0.3]), 0.0, ((0,), (0,)))
    inputs = arguments(problem, C=1, lam=1, M=2, Lam=0)
    error = problem.run().error("batch")[0, -1]
    at = "equality: a batch of the sample alone"
    yield ctx.compare("literal", "corrected", error, inputs, at, relation="==")


def check_kept(ctx: Context) -> Findings:
    """Errors of the leave-one-out approximator: random losses, logistic ones, quadratics."""

    def certificate(problems: LineProblems, runs: LineRuns) -> Any:
        return error_apriori(*problems.schedule, runs.C, *problems.curvature)

    rng = ctx.rng()
    yield from compare_random(ctx, rng, "tight", "kept", certificate)
    yield from compare_bent(ctx, rng, "tight")
    yield from compare_logistic(ctx, rng, "tight", "kept")
    runs = random_problems(rng, 300, waves=0.0).run()
    errors = certain(runs.error("kept"), runs)
    at = "quadratics: exact for every set"
    yield ctx.compare("literal", "tight", errors, {"problems": 300}, at, bound=0.0, tight=0.0)
    errors = certain(runs.error("batch"), runs)
    at = "the Hessian of the whole batch is not exact on quadratics"
    yield ctx.compare("literal", "tight", errors, {"problems": 300}, at, bound=0.0, role="control")


RESTING = Instances(
    "equality: one curvature, retrained from its optimum",
    case_table(
        "steps missing sizes C lam M Lam",
        ([0.4, 0.3, 0.5], [1, 0, 2], [2, 3, 2], 1, 1, 1, 0),
        ([0.1, 0.3], [1, 1], [1, 4], 2, 2, 2, 0),
        ([0.5, 0.25, 0.1, 0.5], [0, 2, 0, 1], [4, 3, 1, 1], 0.5, 1.5, 1.5, 0),
    ),
    interpretations=("literal",),
    forms=("corrected",),
    relations={"corrected": "=="},
)


def path(inputs: Mapping[str, Any]) -> float:
    """The farthest that the two trajectories may be apart, whose difference the exact side
    takes."""
    names = ("steps", "missing", "sizes", "C", "lam", "M")
    return float(drift_smooth(*(inputs[name] for name in names)).max())


ROUNDING = {"literal": Limit("differences of trajectories that are rounded", size=path)}
CHECKS = (
    Check(
        "hf.thm4.3", check_main, measure, (RESTING,), ROUNDING, pictures="verify.hf.pictures:errors"
    )
    .measured_by(
        "recollection",
        "batch_error",
        interpretations=("literal",),
        forms=("corrected",),
        where=("no clip", "smooth curvature", "steps at most 2/M"),
    )
    .measured_by(
        "recollection",
        "batch_error",
        symbols={"rho": "rho_0", "K": 1},
        interpretations=("literal",),
        forms=("printed",),
        where=("no clip", "whole batches", "shrinking steps", "strong convexity"),
    )
    .measured_by(
        "recollection",
        "batch_error",
        symbols={"rho": "rho_max", "K": "K_one"},
        interpretations=("supremum",),
        where=("no clip", "whole batches", "shrinking steps", "one row", "steps at most 2/M"),
    ),
    Check(
        "hf.thm4.3.kept",
        check_kept,
        far=("attained by a cubic against a linear loss, and no loss of rows is a cubic"),
    ).measured_by(
        "recollection", "kept_error", where=("no clip", "smooth curvature", "steps at most 2/M")
    ),
)
