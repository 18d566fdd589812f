"""Symbols of the regret bounds for convex losses (olu Theorems 3 to 5 and their proofs)."""

import numpy as np

from bounds import Hypothesis, Symbol

path = Symbol(
    "path",
    "distances |z_i* - z_{i-1}*| of successive comparators, one for each deletion",
    r"\|z_i^\star-z_{i-1}^\star\|",
    low=0,
    kind="list",
    typical=(0, 3),
    unit="parameter",
)
P = Symbol(
    "P", "path length of the comparators, sum of |z_i* - z_{i-1}*|", "P", low=0, unit="parameter"
)
F = Symbol("F", "loss of the comparators, sum of f_t(z_i*)", r"F^\star", low=0, unit="loss")
p_tau = Symbol(
    "p_tau",
    "sums of squared gradients p(tau_i) at each deletion",
    r"p(\tau_i)",
    low=0,
    low_open=True,
    kind="list",
    increasing=True,
    typical=(8, 20),
    unit="loss^2/parameter^2",
)
p_u = Symbol(
    "p_u",
    "sums of squared gradients p(u_i) at each deleted round",
    r"p(u_i)",
    low=0,
    low_open=True,
    kind="list",
    typical=(3, 7),
    unit="loss^2/parameter^2",
)

short_steps = Hypothesis(
    "u_i >= beta^2 D^2/(4 L^2) (steps no longer than 2/beta)",
    lambda u, beta, D, L: np.min(u) >= beta**2 * D**2 / (4 * L**2) * (1 - 1e-12),
)
one_each = Hypothesis(
    "one distance for each deletion", lambda path, tau: np.shape(path) == np.shape(tau)
)
in_domain = Hypothesis("path <= D", lambda path, D: np.max(path) <= D * (1 + 1e-12))
sums_paired = Hypothesis(
    "p(u_i) <= p(tau_i), one for each time",
    lambda p_u, p_tau: (
        np.shape(p_u) == np.shape(p_tau) and np.all(np.asarray(p_u) <= np.asarray(p_tau))
    ),
)
