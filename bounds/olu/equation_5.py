"""What olu states without a formula: Equation (5)."""

from bounds import Edit, Statement

statement = Statement(
    "olu.eq5",
    "Equation (5)",
    "definition",
    words="Regret_T = sum_{i=0}^k sum_{tau_i < t <= tau_{i+1}} [f_t(z_t) - f_t(z_i*)], z_i* = "
    "argmin of sum_t f_t - sum_{j=0}^i f_{u_j}, tau_0 = 0, tau_{k+1} = T.",
    correction="j from 1; the removed losses are f_{u_1}..f_{u_i}. The output at tau_i, already "
    "noised, is charged to z_{i-1}*: harmless.",
)
statement.interpreted_as(
    "literal",
    "u_1..u_k are the deleted rounds",
    {"printed": "==", "corrected": "=="},
    edits={
        "printed": Edit("the inner sum starts at j = 1 (there is no u_0)", "sum_{j=0}", "sum_{j=1}")
    },
    fails={
        "printed": "The inner sum starts at j = 0, but the deletions are numbered from 1 and "
        "there is no f_(u_0). z_0*, before any deletion, is to be the minimiser of "
        "all losses.",
    },
)
