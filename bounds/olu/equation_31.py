"""(31)-(32) of olu: part A of the regret when the comparator moves."""

import numpy as np

from bounds import Hypothesis, Statement, Symbol
from bounds.olu.regret_symbols import in_domain, path
from bounds.olu.symbols import D, eta

eta_tau = Symbol(
    "eta_tau",
    "step sizes at the deletions",
    r"\eta_{\tau_i}",
    low=0,
    low_open=True,
    kind="list",
    typical=(8, 20),
    unit="parameter^2/loss",
)

statement = Statement(
    "olu.eq31",
    "(31), (32)",
    "inequality",
    words="Summed over all blocks, (|z_t-z_i*|^2 - |z_{t+1}-z_i*|^2)/(2 eta_t) is at most "
    "D^2/(2 eta_T).",
    left=r"\sum_{i=0}^k\sum_{t}\frac{\|z_t-z_i^\star\|^2-\|z_{t+1}-z_i^\star\|^2}{2\eta_t}",
    reads={r"\eta_T": r"\eta"},
    symbols=(D, eta, path, eta_tau),
    requires=(
        Hypothesis(
            "one step size for each deletion",
            lambda eta_tau, path: np.shape(eta_tau) == np.shape(path),
        ),
        in_domain,
    ),
    aliases=("olu.eq32",),
    quantity="telescoping sum over all blocks",
    correction="Add D sum_i |z_i* - z_{i-1}*|/eta_{tau_i}, the path length of the comparators.",
)
statement.interpreted_as(
    "literal", "positions and comparators in K, steps that do not increase, z_i* for tau_i < t"
)
statement.interpreted_as(
    "fixed", "one comparator: nothing is deleted", {"printed": "<="}, stance="amended"
)


@statement.form("printed", tex=r"\frac{D^2}{2\eta_T}")
def printed(xp, D, eta):
    """The sum is claimed to be at most this value, eta = eta_T, steps not increasing.

    False when z_i* changes: each change adds up to D |z_i* - z_{i-1}*|/eta_{tau_i}.

    Note: telescopes only when the comparator stays
    Proof (fixed): the sum telescopes by parts, as 1/eta_t does not fall
    Fails (literal): The sum telescopes only while the comparator stays. After each move by D the
        squared distance can fall from D² to 0 again: with two moves the sum is {measured}, and
        D²/(2η_T) = {bound}.
    Source: olu, (31) and the display after (32)
    """
    return D**2 / (2 * eta)


@statement.form(
    "corrected",
    tex=r"\frac{D^2}{2\eta_T}+D\sum_{i=1}^k\frac{\|z_i^\star-z_{i-1}^\star\|}{\eta_{\tau_i}}",
)
def corrected(xp, D, eta, path, eta_tau):
    """The sum is at most this value for steps that do not increase; z_i* serves tau_i < t.

    Note: path length of the comparators (Zinkevich)
    Proof: |w-v|^2 - |w-v'|^2 = <v'-v, 2w-v-v'> <= 2D |v'-v|
    """
    return D**2 / (2 * eta) + D * xp.over(lambda i, p, e: p / e, path, eta_tau)
