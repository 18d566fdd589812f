"""(6) and (13) of mini: the wrong sign, on exact quadratics and with averaged Hessians."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.mini.problems import batch_lists, line_quadratics, log_cosh, touched


def check(ctx: Context) -> Findings:
    """Differences after one batch: quadratics in rationals, log cosh with averaged Hessians."""
    rng = ctx.rng()
    for trial in range(2 * ctx.pick(20, 200)):
        exact = trial < ctx.pick(20, 200)
        problem = (line_quadratics if exact else log_cosh)(rng, 5)
        path, other = problem.learn(), problem.retrain()
        for t in touched(problem)[-1:]:
            w, Dw = path[t - 1], other[t - 1] - path[t - 1]
            inputs = {"Dw": float(Dw), "eta": float(problem.eta), **batch_lists(problem, t, w)}
            options = {"relation": "==", "script": "eq6" if exact else "eq6_log_cosh"}
            interpretation, label = "quadratic", "quadratics in rational numbers"
            if exact and other[t] == path[t]:  # rounding of the forms has no relative size there
                continue
            factor = problem.factor(t, w, 1) if exact else 1.0
            if not exact:
                interpretation, label = "literal", "log cosh losses, averaged Hessian"
                slopes = [
                    problem.gradient(j, w + Dw) - problem.gradient(j, w) for j in problem.kept(t)
                ]
                factor = 1 - problem.eta * (np.mean(slopes) / Dw if Dw else 0.0)
            inputs["H"], shift = float(factor), float(other[t] - path[t])
            yield from ctx.compare_forms(interpretation, shift, inputs, label, **options)


BOTH = {"printed": "printed", "corrected": "corrected"}
KEPT = ("no clip", "something is kept")
CHECKS = (
    Check("mini.eq6", evidence=check)
    .measured_by(
        "mini", "exact_step", interpretations=("literal",), where=KEPT, sides=BOTH, relation="=="
    )
    .measured_by(
        "mini",
        "exact_step",
        interpretations=("quadratic",),
        where=(*KEPT, "quadratic losses"),
        sides=BOTH,
        relation="==",
    ),
)
