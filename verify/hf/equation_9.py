"""(9) of hf: the leave-one-out recursion is exact on quadratics, the printed one is not."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(
    eta: float,
    h: float,
    n: float,
    m: float,
    T: float,
    cbar: float,
    c_U: float,
    w0: float,
    q: float = 1,
) -> float:
    """Retrained minus learned iterate on n quadratics, by running both in exact arithmetic."""
    learned_weight = retrained = Fraction(w0)
    whole = int(n) * Fraction(cbar)
    kept_count = int(n) - int(m)
    kept_sum = whole - int(m) * Fraction(c_U)
    move = Fraction(eta) * Fraction(h) / int(n)
    for _ in range(int(T)):
        learned_weight -= move * (int(n) * learned_weight - whole)
        retrained -= move * (kept_count * retrained - kept_sum)
        move *= Fraction(q)
    return float(retrained - learned_weight)


def measure_limit(n: float, m: float) -> float:
    """Relative error of the recursion with the whole batch's Hessian once both runs stand still."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import difference, full_batch, line

    size, deletions = int(n), int(m)
    T = int(np.ceil(40 * size / (size - deletions)))
    model, training = full_batch(np.ones(size), line(size, deletions, 0.3, 1.1), 2.0, 0.9, T)
    forget = np.arange(deletions)
    exact = difference(model, training, forget)
    statistic = differences(model, training, [forget], Recursion("batch")).vectors[0]
    return float(abs(exact - statistic)[0] / abs(exact)[0])


def error_recursion(problem) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Delta_{t+1} = (I - (eta/b) H_B) Delta_t + (eta/b) H_{B and U} D_t, from 0."""
    learned_path = problem.training.run(problem.model).points
    D = problem.training.run(problem.model, problem.forget).points - learned_path
    error = np.zeros(problem.model.parameters)
    for t, batch in enumerate(problem.training.batches):
        rate = float(problem.training.steps[t]) / len(batch)
        H = problem.model.H.cpu().numpy()
        whole, removed_hessian = (
            H[r].sum(axis=0) for r in (batch, batch[np.isin(batch, problem.forget)])
        )
        error = error - rate * whole @ error + rate * removed_hessian @ D[t]
    return error


def check(ctx: Context) -> Findings:
    """Both recursions against both runs on random quadratics, retrained in two ways.

    The printed one plus its own error recursion is exact again.
    """
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import departure, difference, equal, problems

    rng = ctx.rng(1)
    forms = {"printed": "batch", "corrected": "kept"}
    pairs: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for problem in problems(rng, ctx.pick(40, 1000), forgotten=1, most=3):
        run = (problem.model, problem.training)
        sets = [problem.forget]
        lost = 1e-15 * float(np.abs(problem.training.run(problem.model).points).max())
        for interpretation, scaling in (("literal", "linear"), ("mean", "mean")):
            exact = difference(*run, problem.forget, scaling)
            vectors = {
                form: differences(*run, sets, Recursion(hessian, scaling)).vectors[0]
                for form, hessian in forms.items()
            }
            for form, vector in vectors.items():
                pairs.setdefault((interpretation, form), []).append(departure(vector, exact, lost))
            if interpretation == "literal":
                repaired = vectors["printed"] + error_recursion(problem)
                pairs.setdefault(("error", "corrected"), []).append(departure(repaired, exact))
                wrong = differences(*run, sets, Recursion("kept", "mean")).vectors[0]
                pairs.setdefault(("control", "corrected"), []).append(departure(wrong, exact))
    texts = {
        "literal": "random batches, decays, sets and signs of the Hessians",
        "mean": "the same, retrained by the mean over what is kept",
        "error": "(9) plus its exact error recursion",
        "control": "the recursion that belongs to the other retraining",
    }
    for (what, form), values in pairs.items():
        interpretation = "mean" if what == "mean" else "literal"
        role = "control" if what == "control" else "bound"
        script = "eq9_mean" if (what, form) == ("mean", "printed") else None
        options = {"tolerance": 1e-12, "role": role, "script": script}
        yield equal(ctx, interpretation, form, values, texts[what], **options)


LINE = Instances(
    "equal Hessians on a line",
    case_table(
        "eta h n m T cbar c_U w0 q",
        *((0.5, 1, 2, 1, T, 0, 1, 0, 1) for T in (2, 5, 60)),
        *((1.0, 1, 2, 1, T, 0, 1, 0, 0.5) for T in (2, 5, 60)),
        *((0.1, 1, 1, 1, T, 0, 0, 1, 1) for T in (2, 10, 200)),
    ),
    draws=(30, 300),
    within={"eta": (0.05, 1), "h": (-2, 3), "n": (2, 8), "m": (1, 8), "T": (2, 25), "q": (0.9, 1)},
    interpretations=("literal",),
    tolerance=1e-8,
    script="eq9",
)
REST = Instances(
    "both runs at rest", case_table("n m", (2, 1), (10, 1), (10, 3), (20, 10), (10, 9), (50, 5))
)
CHECKS = (
    Check("hf.eq9", check, measure, (LINE,)),
    Check("hf.eq9.limit", exact_side=measure_limit, at=(REST,)),
)
