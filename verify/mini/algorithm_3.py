"""Algorithm 3 of mini: the devices recover a window of Hessians that lies one step too early."""

from fractions import Fraction

import numpy as np

from bounds.mini.last_steps import early_window, horner
from verify.checks import Check, Context, Findings
from verify.mini.small_runs import random_run


def check(ctx: Context) -> Findings:
    """Horner's rule on both windows of Hessians, against restarts: rationals, a line, space."""
    from simulators.trajectory.mini import mini, printed_algorithm_3

    rng = ctx.rng()
    scripts = {"printed": "alg3", "corrected": None}
    # Fractions: the recursion term by term, every product written out.
    H = [Fraction(k, 10) for k in (9, 8, 7, 6)]
    G = [Fraction(k) for k in (1, 2, 3, 4)]
    exact = float(G[3] + H[3] * G[2] + H[3] * H[2] * G[1])
    inputs = {"H": [float(h) for h in H], "G": [float(g) for g in G]}
    label = "rational numbers"
    for form, script in scripts.items():
        options = {"relation": "==", "script": script}
        yield ctx.compare("literal", form, exact, inputs, f"four steps in {label}", **options)
    for trial in range(ctx.pick(31, 460)):
        flat = trial < ctx.pick(25, 400)
        run, deletions = random_run(rng, p=1 if flat else 3)
        k = int(rng.integers(2, 11 if flat else 12))
        point, subject = run.rewound(deletions, k), run.subject()
        if flat:
            pieces = [np.array(part).ravel().tolist() for part in run.pieces(deletions, k)]
            point = point[0] - run.path()[-1][0]
            sums = (early_window(*pieces), horner(*pieces))
            label = "random quadratics on a line"
        else:
            label = "quadratics whose Hessians do not commute, restarted at w_{T-k}"
            sums = printed_algorithm_3(*subject, deletions, k), mini(*subject, deletions, k)
        for (form, script), bound in zip(scripts.items(), sums, strict=True):
            options = {"tight": point, "relation": "==", "tolerance": 1e-8, "script": script}
            yield ctx.compare("literal", form, point, {"k": k}, label, bound=bound, **options)


CHECKS = (
    Check("mini.alg3", evidence=check).measured_by(
        "mini",
        "restarted_move",
        where=("no clip", "something is kept", "quadratic losses"),
        sides={"printed": "printed_3", "corrected": "corrected"},
        relation="==",
    ),
)
