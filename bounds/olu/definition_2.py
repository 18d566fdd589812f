"""Section 2.2 of olu, "protected forever": the whole sequence of outputs after a deletion."""

import numpy as np

from bounds import Edit, Plot, Statement, Symbol
from bounds.olu.symbols import alpha

a = Symbol("a", "distance of the two runs at tau_j", "a_j", low=0, unit="parameter")
sigma = Symbol("sigma", "noise added at tau_j", r"\sigma_j", low=0, low_open=True, unit="parameter")

statement = Statement(
    "olu.def2.forever",
    'Section 2.2, "protected forever"',
    "claim",
    words="Once a point is deleted it remains protected forever.",
    quote="it nonetheless guarantees that once a point is deleted it remains protected forever",
    left=r"D_\alpha\big((z_t)_{t\ge\tau_j}\,\|\,(z'_t)_{t\ge\tau_j}\big)",
    symbols=(alpha, a, sigma),
    plot=Plot("sigma", tuple(np.geomspace(0.2, 5, 15).tolist()), {"alpha": 2.0, "a": 1.0}),
    quantity="D_alpha of all outputs after the deletion",
)
statement.interpreted_as("literal", "the outputs of each later window, one at a time")
statement.interpreted_as("joint", "all outputs from tau_j on, together; one point's removal")


@statement.form("tight", tex=r"\frac{\alpha a_j^2}{2\sigma_j^2}")
def tight(xp, alpha, a, sigma):
    """D_alpha of all outputs from tau_j on, with and without f_{u_j}, is at most this value.

    Note: one point's removal, all outputs from its deletion on; attained by linear losses
    Proof (literal): post-processing of z_{tau_j} by maps and noise of both runs
    Proof (joint): post-processing of z_{tau_j}; equality, as z_{tau_j} is an output
    Source: olu, Section 2.2 after Definition 2
    """
    return alpha * a**2 / (2 * sigma**2)


definition = Statement(
    "olu.def2",
    "Definition 2 (equation 4)",
    "definition",
    words="An (alpha, eps)-OLU keeps, for i = 1..k-1, its outputs from tau_i to tau_{i+1} - 1 "
    "within D_alpha <= eps of those of the run without f_{u_1}..f_{u_i}.",
    aliases=("olu.eq4",),
    correction="For i = 1..k and tau_i <= t < tau_{i+1}, with tau_{k+1} = T + 1 there, which (5) "
    "sets to T; sigma_1..sigma_i and tau_1..tau_i are public and the same in both runs.",
)
definition.interpreted_as(
    "literal",
    "whatever meets the definition leaks at most eps after a deletion",
    {"printed": "<=", "corrected": "=="},
    edits={"printed": Edit("k for k - 1, the last deletion", "i = 1..k-1", "i = 1..k")},
    fails={
        "printed": "With i = 1..k-1 the last deletion is not covered. At k = 1 nothing is asked "
        "at all: an algorithm without any noise qualifies, although D_α after its "
        "only deletion is {measured}.",
    },
)
definition.interpreted_as(
    "end",
    "i = 1..k with the tau_{k+1} = T of (5), so that the last window ends at T - 1",
    {"printed": "<="},
    stance="out_of_context",
    fails={
        "printed": "With τ_(k+1) = T, as (5) sets it, the last window ends at T - 1: the output "
        "at T may be the iterate without noise, so that D_α is {measured} there. The "
        "window needs τ_(k+1) = T + 1.",
    },
)
