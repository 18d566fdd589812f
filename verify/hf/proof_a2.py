"""(25)-(30) of hf: the recursion for two samples, as printed."""

import numpy as np

from verify.checks import Check, Context, Findings


def as_printed(problem) -> np.ndarray:  # type: ignore[no-untyped-def]
    """(27)-(28) with the printed step sizes: u_1 comes first in each epoch."""
    batches, steps = problem.training.batches, problem.training.steps
    epochs = sum(problem.forget[0] in rows for rows in batches)
    per_epoch = len(batches) // epochs
    vector = np.zeros(problem.model.parameters)
    for t, _, tangent in problem.training.walk(problem.model):
        if t == len(batches):
            break
        rows, first = batches[t], t - t % per_epoch
        vector = vector - float(steps[t]) / len(rows) * tangent.hessian().cpu().numpy() @ vector
        visits = [
            next(s for s in range(first, first + per_epoch) if u in batches[s])
            for u in problem.forget
        ]
        for u in problem.forget:
            if u in rows:
                weights = problem.model.tensor(rows == u)
                rate = float(steps[max(visits)]) / len(rows)
                vector = vector + rate * tangent.gradient(weights).cpu().numpy()
    return vector


def check(ctx: Context) -> Findings:
    """The recursion for two samples as printed and corrected, against the sum of two."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import departure, equal, problems

    names = {
        "step": ("literal", "printed", "proofa2_step"),
        "late": ("products", "printed", "proofa2_product"),
        "sum": ("literal", "corrected", None),
        "sum2": ("products", "corrected", None),
    }
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for problem in problems(ctx.rng(), ctx.pick(40, 800), forgotten=2):
        run = (problem.model, problem.training)
        sets = [problem.forget, *([u] for u in problem.forget)]
        whole, *single = differences(*run, sets, Recursion("batch")).vectors
        total = np.sum(single, axis=0)
        late = differences(*run, sets[:1], Recursion("batch", order="late")).vectors[0]
        for name, vector in (("step", as_printed(problem)), ("late", late), ("sum", whole)):
            pairs[name].append(departure(vector, total))
    pairs["sum2"] = pairs["sum"]
    at = "two samples in random quadratic problems"
    for name, (interpretation, form, script) in names.items():
        yield equal(ctx, interpretation, form, pairs[name], at, script=script)


CHECKS = (Check("hf.proofa2", check),)
