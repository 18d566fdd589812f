"""(4)-(5) of hf: retraining in the same slots, compared with training on what is left."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(eta: float, b: float, m: float, g: float) -> float:
    """One step of retraining on b linear losses g w of which m are forgotten."""
    from simulators.trajectory.generic import FunctionModel
    from simulators.trajectory.training import Training

    n = int(b)
    model = FunctionModel(lambda w, x, y: w[0] * x[0], np.full((n, 1), g), np.zeros(n), 1)
    training = Training((np.arange(n),), np.array([eta]), np.zeros(1))
    return -float(training.run(model, range(int(m))).last[0])


def check(ctx: Context) -> Findings:
    """Retraining in the same slots, against training on the kept samples with scaled steps."""
    from simulators.trajectory.training import Training
    from verify.hf.quadratic_problems import QuadraticModel, departure, equal, problems

    rng = ctx.rng(2)
    for interpretation, least, most in (("literal", 1, 1), ("sets", 2, 4)):
        pairs = []
        for problem in problems(rng, ctx.pick(40, 400), forgotten=least, most=most):
            kept_rows = np.setdiff1d(np.arange(problem.model.size), problem.forget)
            smaller = QuadraticModel(
                problem.model.H[kept_rows].cpu(), problem.model.c[kept_rows].cpu()
            )
            # What is left of every batch, and which share of it that is.
            slots = [rows[np.isin(rows, kept_rows)] for rows in problem.training.batches]
            sizes = zip(slots, problem.training.batches, strict=True)
            share = np.array([len(s) / len(r) for s, r in sizes])
            # Alone, the kept samples skip the empty batches and scale the steps of the others.
            batches = tuple(np.searchsorted(kept_rows, s) for s in slots if len(s))
            steps = (problem.training.steps * share)[share > 0]
            alone = Training(batches, steps, problem.training.start)
            retrained = problem.training.run(problem.model, problem.forget).last
            pairs.append(departure(alone.run(smaller).last, retrained))
        at = "training on the kept samples, steps scaled"
        yield equal(ctx, interpretation, "corrected", pairs, at, tolerance=1e-12)


def _step(*values: tuple[float, ...], interpretation: str, script: str | None = None) -> Instances:
    """One step on batches of b samples of which m are forgotten."""
    inputs = case_table("eta b m g", *((0.3, b, m, -1.5) for b, m in values))
    return Instances(
        "one step on linear losses", inputs, interpretations=(interpretation,), script=script
    )


ONE = _step((1, 1), (4, 1), (64, 1), interpretation="literal")
SETS = _step((4, 2), (40, 7), (3, 3), interpretation="sets", script="eq4_5")
CHECKS = (Check("hf.eq4_5", check, measure, (ONE, SETS)),)
