"""The introduction of olu: regret O(log T + k^2 d) for strongly convex losses."""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.olu.symbols import L, T, d, epsilon, k, mu
from bounds.olu.theorem_2 import LOUD
from bounds.readings import Reading
from bounds.statements import Plot, Statement

statement = Statement(
    "olu.intro",
    "Section 1",
    "asymptotic",
    words="For strongly convex losses passive and active unlearning have expected regret "
    "O(log T + k^2 d).",
    left=r"\mathbb{E}[\mathrm{Regret}_T]",
    symbols=(T, k, d, epsilon, L, mu),
    readings=(
        Reading(
            "literal",
            "one constant for all eps (printed: L^2/mu), noise that unlearns",
            {"printed": "<=", "corrected": "<="},
            proofs={"corrected": "Theorem 2, corrected, term by term"},
        ),
        Reading(
            "slope",
            "powers of k at fixed eps: of the noise and of the comparators, printed 2, "
            "corrected 1, for deletions as early and as dense as can be (to 2 %, many deletions)",
            {"printed": "<=", "corrected": "<="},
            proofs={
                "printed": "from the corrected form",
                "corrected": "sum (2i-1)/(tau_i - 1) <= 2k; sum (1 - tau_i/T) <= k",
            },
        ),
    ),
    plot=Plot(
        "T",
        (1100, 1500, 2000, 3000, 5000),
        {key: LOUD[key] for key in ("d", "epsilon", "L", "mu")} | {"k": 1},
        log_x=True,
    ),
    quantity="expected regret, one deletion at 1001",
    correction="O(log T + k + d k/eps).",
)


@statement.form(
    "printed",
    tex=r"O(\log T+k^2d)",
    note="evaluated with the constant L^2/mu; eps is dropped",
    reads={"O(x)": r"\frac{L^2}{\mu}x"},
)
def printed(T: Array, k: Array, d: Array, L: Array, mu: Array) -> Array:
    """The announced order, in units of L^2/mu. Source: olu Section 1."""
    return L**2 / mu * (np.log(T) + k**2 * d)


printed.expr = lambda sp, T, k, d, L, mu: L**2 / mu * (sp.log(T) + k**2 * d)


@statement.form(
    "corrected",
    tex=r"\frac{L^2}{\mu}\left(\frac{1+\log T}{2}+k+\frac{dk}{2\varepsilon}\right)",
    note="linear in k; Theorem 2 repaired",
)
def corrected(T: Array, k: Array, d: Array, epsilon: Array, L: Array, mu: Array) -> Array:
    """At least the expected regret with the least noise that unlearns, k <= T deletions."""
    return L**2 / mu * ((1 + np.log(T)) / 2 + k + d * k / (2 * epsilon))


@corrected.expression
def _(sp: Any, T: Any, k: Any, d: Any, epsilon: Any, L: Any, mu: Any) -> Any:
    return L**2 / mu * ((1 + sp.log(T)) / 2 + k + d * k / (2 * epsilon))
