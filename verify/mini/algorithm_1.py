"""Algorithm 1 of mini: on quadratics its sum must restart the last k steps; it does not."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from bounds.mini.last_steps import counted_from_one, counted_once, counter_reset, horner
from verify.checks import Check, Context, Findings
from verify.mini.small_runs import line, random_run


def measure(h: float, k: float, g: float) -> float:
    """w after the last k steps on the kept samples, minus w_T, on a line of quadratics; h < 1."""
    run, deletions = line(h, int(k), g)
    return float(run.rewound(deletions, int(k))[0] - run.path()[-1][0])


def check(ctx: Context) -> Findings:
    """The last k steps again on quadratics on a line, against what both loops add."""
    options = {"relation": "==", "tolerance": 1e-8}
    label, script = "quadratics on a line, the last k steps again", "alg1"
    for h, k in product((0.0, 0.3, 0.9, 0.99995), (2, 3, 4, 10, 40)):
        inputs = {"h": h, "k": k, "g": 1.5}
        exact = measure(**inputs)
        yield ctx.compare("counter", "printed", exact, inputs, label, script=script, **options)
        yield ctx.compare("counter", "corrected", exact, inputs, label, **options)
    yield from _unequal_steps(ctx)
    yield from _planes(ctx)


def _unequal_steps(ctx: Context) -> Findings:
    """H and G of their own in every step: products and pairings have an order."""
    rng = ctx.rng()
    transcript = "lines 9 to 21, counter and all"
    for _ in range(ctx.pick(20, 300)):
        run, deletions = random_run(rng, p=1)
        for interpretation, form, total in (
            ("counter", "printed", counted_once),
            ("counter", "corrected", horner),
            ("one", "printed", counted_from_one),
            ("literal", "printed", counter_reset),
        ):
            k = int(rng.integers(2, 4) if interpretation == "literal" else rng.integers(2, 10))
            exact = float(run.rewound(deletions, k)[0] - run.path()[-1][0])
            H, G = (np.array(part).ravel() for part in run.pieces(deletions, k))
            bound = total(H, G)
            at = {"k": k}
            script = None
            if form == "printed":
                again = line_19(
                    H, G, reset=interpretation == "literal", one=interpretation == "one"
                )
                script = "alg1"
                yield ctx.transcribed(interpretation, form, bound, again, at, transcript)
            options = {"bound": bound, "tight": exact, "relation": "==", "tolerance": 1e-8}
            label = "random quadratics on a line"
            yield ctx.compare(interpretation, form, exact, at, label, script=script, **options)


def line_19(H: Sequence[Any], G: Sequence[Any], *, reset: bool, one: bool) -> float:
    """Lines 9 to 21 with their counter n; `reset` in every step, `one`: Delta G counted from 1."""
    products = {0: 1.0}
    n = 0
    for contraction in H:
        n = 0 if reset else n
        products[n + 1] = contraction * products[n]
        n += 1
    k = len(G) - 1
    rest = [products[r] * G[r + 1 - one] for r in range(1, k - 1)]
    return float(sum(rest) + G[k - 1 - one])


def _planes(ctx: Context) -> Findings:
    """The simulators in three dimensions: the corrected sum, and the printed one as a control."""
    from simulators.trajectory.mini import mini, printed_algorithm_1

    rng = ctx.rng(1)
    label = "quadratics whose Hessians do not commute, restarted at w_{T-k}"
    for _ in range(ctx.pick(6, 60)):
        run, deletions = random_run(rng)
        k, subject = int(rng.integers(2, 12)), run.subject()
        exact = run.rewound(deletions, k)
        at = {"k": k, "p": 3}
        options = {"tight": exact, "relation": "==", "tolerance": 1e-8}
        point = mini(*subject, deletions, k)
        yield ctx.compare("counter", "corrected", exact, at, label, bound=point, **options)
        options |= {"bound": printed_algorithm_1(*subject, deletions, k), "script": "alg1"}
        yield ctx.compare("counter", "printed", exact, at, label, **options)


CHECKS = (
    Check("mini.alg1", evidence=check, exact_side=measure).measured_by(
        "mini",
        "restarted_move",
        interpretations=("counter",),
        where=("no clip", "something is kept", "quadratic losses"),
        sides={"printed": "printed_1", "corrected": "corrected"},
        relation="==",
    ),
)
