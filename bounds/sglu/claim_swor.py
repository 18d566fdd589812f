"""The remark on sampling strategies of sglu: a fresh batch without replacement at every step."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu.series import learned_distance, precise_c
from bounds.sglu.symbols import M, b, contractive, eta, m
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.claim.swor",
    label="Sampling without replacement at each step (Section 3.2)",
    left=r"W_\infty(\nu, \nu')",
    symbols=(
        eta,
        m,
        M,
        b,
        Symbol("steps", "learning steps", "N", low=0, kind="integer", infinite=True),
    ),
    requires=(contractive,),
)


@formula.form(
    "printed",
    tex=r"\frac{1-c^{N}}{1-c}\frac{2\eta M}{b}\ \to\ \frac{1}{1-c}\frac{2\eta M}{b}",
    note="1/(1 - c) in place of 1/(1 - c^{n/b}): the modified point may be drawn at every step",
)
def printed(eta: Array, m: Array, M: Array, b: Array, steps: Array) -> Array:
    """W-infinity after this many steps with fresh batches is at most this value.

    Source: sglu, Section 3.2. Holds and is attained by quadratics, for random batches too.
    """
    one = np.asarray(1.0)
    return learned_distance(eta, m, M, b, one, steps, one * 0)


@printed.expression
def _(sp: Any, eta: Any, m: Any, M: Any, b: Any, steps: Any) -> Any:
    c = precise_c(sp, eta, m)
    return (steps if c == 1 else (1 - c**steps) / (1 - c)) * 2 * eta * M / b


@formula.form("tight", tex=r"q\sum_{i<N}c^i", note="the printed value is attained")
def tight(eta: Array, m: Array, M: Array, b: Array, steps: Array) -> Array:
    """The printed value itself: equality on quadratics."""
    one = np.asarray(1.0)
    return learned_distance(eta, m, M, b, one, steps, one * 0)


tight.expr = printed.expr
