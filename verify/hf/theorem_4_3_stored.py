"""Theorem 4.3 of hf after the run, and what a sum of leave-one-out vectors is worth."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bounds.hf.certificates import error_aposteriori, gap_of_sum
from bounds.hf.drift import drift_smooth
from verify.checks import Check, Context, Findings
from verify.hf.line_problems import LineProblems, LineRuns, certain, random_problems
from verify.hf.theorem_4_3 import (
    OPTIONS,
    compare_bent,
    compare_logistic,
    compare_random,
    compare_resting,
)

Curve = Callable[[float], float]


def check_stored(ctx: Context) -> Findings:
    def certificate(problems: LineProblems, runs: LineRuns) -> Any:
        return error_aposteriori(*problems.schedule, np.abs(runs.kept[:, :-1]), *problems.curvature)

    rng = ctx.rng()
    yield from compare_random(ctx, rng, "tight", "kept", certificate)
    yield from compare_bent(ctx, rng, "tight", stored=True)
    yield from compare_logistic(ctx, rng, "tight", "kept", stored=True)


def check_sum(ctx: Context) -> Findings:
    """Errors against the bound from stored norms: random, resting and logistic losses."""

    def certificate(problems: LineProblems, runs: LineRuns) -> Any:
        norms = np.abs(runs.batch[:, :-1])
        return error_aposteriori(*problems.schedule, norms, *problems.curvature, "batch")

    rng = ctx.rng()
    yield from compare_random(ctx, rng, "tight", "batch", certificate)
    yield from compare_resting(ctx, rng, "tight", stored=True)
    yield from compare_logistic(ctx, rng, "tight", "batch", stored=True)


def two_visits() -> tuple[float, float]:
    """(A^U, sum of A^u) for n = 3, U = {0, 1}, l = (w - c)^2/2, eta = 1/2, T = 2."""
    eta, centres = 0.5, (1.0, 2.0, -1.0)

    def approximator(gone: tuple[int, ...]) -> float:
        w = A = 0.0
        for _ in range(2):
            A -= eta / 3 * ((3 - len(gone)) * A - sum(w - centres[u] for u in gone))
            w -= eta / 3 * sum(w - c for c in centres)
        return A

    return approximator((0, 1)), approximator((0,)) + approximator((1,))


def kinked() -> tuple[float, float, np.ndarray]:
    """Gap, C and |A^u_t| of the problem that separates A^u from the drift; see thm3_1_gap_drift."""
    width = 0.02

    def g_r(w: float) -> float:
        s = min(max(w + 1, 0), width)
        return -1 + (w + 1) / 2 + s * s / (4 * width) + max(w + 1 - width, 0) / 2

    gradient: dict[str, Curve] = {"u": lambda w: 1 + w / 2, "r": g_r, "x": lambda w: w}
    hessian: dict[str, Curve] = {"u": lambda w: 0.5, "x": lambda w: 1.0}
    hessian["r"] = lambda w: 0.5 + min(max((w + 1) / width, 0), 1) / 2

    def approximator(gone: str) -> list[float]:
        w, A = 0.0, [0.0]
        for i in "urux":
            A.append(A[-1] + gradient[i](w) if i in gone else (1 - hessian[i](w)) * A[-1])
            w -= gradient[i](w)
        return A

    largest, v = 1.0, 0.0
    for i in "urux":
        largest = max(largest, abs(gradient["u"](v)))
        v -= 0 if i == "u" else gradient[i](v)
    parts = np.array([approximator("u"), approximator("x")])
    return abs(approximator("ux")[-1] - parts[:, -1].sum()), largest, np.abs(parts[:, :-1])


def check_gap(ctx: Context) -> Findings:
    """Sum of single vectors minus the set's, against what their norms allow.

    Three quadratics, random losses on a line, and a kink that defeats the drift.
    """
    rng = ctx.rng()
    whole, single = two_visits()
    apart = abs(whole - single)
    at = "three quadratics, two visits: eta^2 |c_1 + c_2|/9"
    three = {"n": 3, "m": 2, "eta": 0.5, "T": 2}
    options = {"script": "thm3_1_gap_not_additive"}
    yield ctx.compare("literal", "printed", apart, three, at, bound=0.0, **options)
    about = "random losses on a line, sets of any size"
    for kind in OPTIONS:
        for _ in range(ctx.pick(3, 30)):
            problems = random_problems(rng, 200, **kind)
            runs, low, high = problems.run(), problems.lam, problems.M
            gaps = certain(np.abs(runs.kept - runs.each.sum(axis=1)), runs)
            present = problems.hits.transpose(0, 2, 1).astype(float)
            # One line a sample: its own visits, in batches of the same size.
            each = np.repeat(runs.C_learned[:, None], present.shape[1], axis=1)
            steps = problems.steps[:, None]
            sizes = problems.sizes[:, None]
            own = drift_smooth(steps, present, sizes, each, low[:, None], high[:, None], "r")
            for interpretation, norms in (("stored", np.abs(runs.each)), ("learned", own)):
                bound = gap_of_sum(*problems.schedule, present, norms[:, :, :-1], low, high)
                yield ctx.compare(
                    interpretation, "corrected", gaps, {}, about, bound=bound, tight=bound
                )
    apart, C, norms = kinked()
    four = [1.0] * 4
    present = np.array([[1.0, 0, 1, 0], [0, 0, 0, 1]])
    inputs = {"eta": 1.0, "lam": 0.5, "M": 1.0, "C": C}
    at = "batches u, r, u, x of one sample; U = {u, x}"
    for interpretation, branch, script in (
        ("stored", None, None),
        ("learned", "r", None),
        ("drift", "min", "thm3_1_gap_drift"),
    ):
        if branch:
            norms = drift_smooth([four], present, [four], C, 0.5, 1.0, branch)[:, :-1]
        bound = gap_of_sum(four, present.sum(axis=0), four, present, norms, 0.5, 1.0)[-1]
        yield ctx.compare(
            interpretation, "corrected", apart, inputs, at, bound=bound, tight=bound, script=script
        )


def stored_gap(known: Mapping[str, Any]) -> float:
    """The gap from the norms of the rows' vectors, step by step."""
    names = ("steps", "missing", "sizes", "present", "row_norms", "lam", "M")
    return float(gap_of_sum(*(known[name] for name in names))[-1])


CHECKS = (
    Check("hf.thm4.3.stored", check_stored)
    .measured_by(
        "recollection", "kept_error", where=("no clip", "smooth curvature", "steps at most 2/M")
    )
    .beside("logcosh loss of 1 and -1, most rows"),
    Check("hf.thm4.3.sum", check_sum).measured_by(
        "recollection", "batch_error", where=("no clip", "smooth curvature", "steps at most 2/M")
    ),
    Check("hf.thm3.1.gap", check_gap)
    .measured_by(
        "recollection",
        "additivity_gap",
        interpretations=("literal",),
        where=("no clip",),
        sides={"printed": 0.0},
    )
    .measured_by(
        "recollection",
        "additivity_gap",
        interpretations=("stored",),
        where=("no clip",),
        sides={"corrected": stored_gap},
    ),
)
