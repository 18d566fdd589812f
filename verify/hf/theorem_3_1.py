"""Theorem 3.1 of hf: additivity and exactness exclude each other."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.hf.equation_9 import measure
from verify.hf.equation_11_13 import smooth_problems


def measure_limit(n: float, m: float) -> float:
    """Relative error of the sum of single differences once all runs stand still."""
    from verify.hf.quadratic_problems import difference, full_batch, line

    size, deletions = int(n), int(m)
    T = int(np.ceil(40 * size / (size - deletions)))
    model, training = full_batch(np.ones(size), line(size, deletions, 0.3, 1.1), 2.0, 0.9, T)
    whole = difference(model, training, np.arange(deletions))
    apart = sum(difference(model, training, np.array([u])) for u in range(deletions))
    return float(np.abs(whole - apart)[0] / np.abs(whole)[0])


def gap(problem, singles: np.ndarray) -> np.ndarray:  # type: ignore[no-untyped-def]
    """G_T by its recursion from the paths of the single differences, shape (m, T + 1, p)."""
    vector = np.zeros(problem.model.parameters)
    H = problem.model.H.cpu().numpy()
    for t, batch in enumerate(problem.training.batches):
        rate = float(problem.training.steps[t]) / len(batch)
        deletions = batch[np.isin(batch, problem.forget)]
        kept_hessian = H[np.setdiff1d(batch, deletions)].sum(axis=0)
        arriving = sum(
            H[deletions[deletions != u]].sum(axis=0) @ singles[j, t]
            for j, u in enumerate(problem.forget)
        )
        vector = vector - rate * kept_hessian @ vector + rate * arriving
    return vector


def check(ctx: Context) -> Findings:
    """Sums of single vectors against the vector of the set and against both runs.

    Random quadratics, smooth losses, and three quadratics in two steps.
    """
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import departure, difference, equal, full_batch, problems

    pairs: dict[str, list[tuple[float, float]]] = {}
    for problem in problems(ctx.rng(1), ctx.pick(30, 800), forgotten=2, most=4):
        run = (problem.model, problem.training)
        sets = [problem.forget, *([u] for u in problem.forget)]
        for hessian in ("batch", "kept"):
            whole, *single = differences(*run, sets, Recursion(hessian)).vectors
            pairs.setdefault(hessian, []).append(departure(np.sum(single, axis=0), whole))
        learned_path = problem.training.run(problem.model).points
        paths = np.array([problem.training.run(problem.model, [u]).points for u in problem.forget])
        summed = np.sum(single, axis=0) + gap(problem, paths - learned_path)
        pairs.setdefault("gap", []).append(departure(summed, difference(*run, problem.forget)))
    texts = {
        "batch": ("literal", "printed", "random quadratic problems, sets of 2 to 4"),
        "kept": ("kept", "printed", "random quadratic problems, sets of 2 to 4"),
        "gap": ("kept", "corrected", "sum plus the recursion of its gap, against both runs"),
    }
    for name, (interpretation, form, text) in texts.items():
        script = "thm3_1" if name == "kept" else None
        yield equal(ctx, interpretation, form, pairs[name], text, script=script)
    yield from _smooth(ctx)
    for inputs, c in zip(THREE, ((1.0, 2.0, -1.0), (0.2, 3.0, 5.0)), strict=True):
        eta, at = inputs["eta"], "gap -(eta^2/9)(c_1 + c_2)"
        model, training = full_batch(np.ones(3), np.array(c), 0.0, eta, 2)
        both, one, two = (difference(model, training, np.array(s))[0] for s in ([0, 1], [0], [1]))
        yield from ctx.compare_forms("kept", both, inputs, "three quadratics, two steps")
        interaction = both - one - two
        bound = -(eta**2) / 9 * (c[0] + c[1])
        yield ctx.compare("kept", "corrected", interaction, {}, at, bound=bound, tight=np.nan)


def _smooth(ctx: Context) -> Findings:
    """Additivity of (11) beyond quadratics; the exact kind does not add up there either."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import departure, equal

    pairs = []
    for model, training, sample, _ in smooth_problems(ctx, ctx.pick(4, 40)):
        other = (sample + 1) % model.size
        sets = [[sample, other], [sample], [other]]
        whole, one, two = differences(model, training, sets, Recursion("batch")).vectors
        pairs.append(departure(one + two, whole))
    yield equal(ctx, "literal", "printed", pairs, "logistic and network losses", tolerance=1e-12)


THREE = case_table(
    "eta h n m T cbar c_U w0",
    (0.5, 1, 3, 2, 2, (1.0 + 2.0 - 1.0) / 3, 1.5, 0),
    (0.3, 1, 3, 2, 2, (0.2 + 3.0 + 5.0) / 3, 1.6, 0),
)
LINE = Instances(
    "equal Hessians on a line",
    draws=(15, 200),
    within={"eta": (0.05, 1), "h": (-2, 3), "n": (3, 8), "m": (2, 7), "T": (2, 25)},
    interpretations=("kept",),
    forms=("corrected",),
    tolerance=1e-8,
)
REST = Instances("all runs at rest", case_table("n m", (10, 3), (20, 10), (3, 2), (10, 9)))
CHECKS = (
    Check("hf.thm3.1", check, measure, (LINE,)),
    Check("hf.thm3.1.limit", exact_side=measure_limit, at=(REST,)),
)
