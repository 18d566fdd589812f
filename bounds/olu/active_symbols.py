"""Symbols that only the active unlearners of olu need (Algorithms 2 and 3, Theorem 6)."""

import numpy as np

from bounds import Hypothesis, Symbol

I1 = Symbol("I1", "gradient steps on all losses seen", r"\mathcal{I}_1", low=0, kind="integer")
I2 = Symbol("I2", "gradient steps on the losses kept", r"\mathcal{I}_2", low=0, kind="integer")
u_i = Symbol("u_i", "round of the deleted loss", "u_i", low=1, kind="integer")
tau_i = Symbol("tau_i", "time of the deletion", r"\tau_i", low=2, kind="integer")
m = Symbol("m", "losses seen when the request comes", "m", low=2, kind="integer")
M_H = Symbol("M_H", "Lipschitz constant of the Hessian", "M_H", low=0, unit="loss/parameter^3")
xi = Symbol("xi", "norm of the noise that was drawn", r"\|\xi_i\|", low=0, unit="parameter")

kept = Hypothesis("i < m (a loss is kept)", lambda i, m: i < m)
in_time = Hypothesis("u_i <= tau_i", lambda u_i, tau_i: u_i <= tau_i)
after_it = Hypothesis("i < tau_i (distinct losses)", lambda i, tau_i: i < tau_i)
contracting = Hypothesis(
    "u_i + 1 >= (1 + beta/mu)/2 (steps that contract)",
    lambda u_i, beta, mu: u_i + 1 >= (1 + beta / mu) / 2,
)
losses_left = Hypothesis(
    "tau_i >= i + 2 (a loss is kept at every request)",
    lambda tau: np.all(np.asarray(tau) >= np.arange(1, np.size(tau) + 1) + 2),
)
