"""What olu states without a formula: (44) and what goes with it."""

from bounds import Edit, Statement

eq44 = Statement(
    "olu.eq44",
    "(44)",
    "definition",
    words="z_{t+1} = P[z_t - eta_t grad f_t(z_t)], and at t + 1 = tau_i the unlearner's output "
    "on losses 1..t with noise.",
    correction="z_{i,0}* below leaves out f_{u_j}, j = 1..i (printed f_{u_i} each time).",
)
eq44.interpreted_as(
    "literal",
    "z_{t+1} is made from f_t with eta_t = 1/(mu t): the mean of t points",
    {"printed": "=="},
)

eq46 = Statement(
    "olu.eq46",
    "(46)",
    "inequality",
    quantity="regret",
    words="The regret is at most A, over the rounds strictly between requests, plus "
    "sum_{i<=k} L |z_{tau_i} - z*|.",
    correction="B over i = 1..k+1, so that it has the round T, with L |z_T - z*|.",
)
eq46.interpreted_as(
    "literal",
    "tau_{k+1} = T",
    {"printed": "<=", "corrected": "<="},
    proofs={"corrected": "the round T lies in neither sum: strong convexity, Lipschitz"},
    edits={
        "printed": Edit(
            "the sum in B should run to k + 1: the round T is missing", "sum_{i<=k}", "sum_{i<=k+1}"
        )
    },
    fails={
        "printed": "Round T is in neither sum: A ends at τ_(k+1) - 1 = T - 1, and B has i ≤ k "
        "only. On a running mean the regret is {measured}, and the right side "
        "{bound}.",
    },
)
