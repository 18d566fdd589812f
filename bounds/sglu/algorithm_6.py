"""Algorithms 6 to 8 of sglu: how many epochs each of a sequence of requests gets."""

from typing import Any

import numpy as np

from accounting.noisy_sgd.constants import NoisySGD
from bounds import Plot, Statement
from bounds.forms import Array
from bounds.sglu.requests import gaussian, last_step, mironov, planned, whole_run
from bounds.sglu.sequence_plans import least_epochs_each
from bounds.sglu.series import stationary
from bounds.sglu.symbols import (
    J,
    M,
    R,
    S,
    b,
    contractive,
    delta,
    eta,
    m_positive,
    sigma,
    target_each,
)

MOST = 10**4  # requests, planned one after the other

# A run in which the printed accountant spends too few epochs.
RUN: dict[str, Any] = {
    "epsilon": 1.0,
    "delta": 1e-5,
    "sigma": 9.7031,
    "eta": 1.0,
    "m": 0.01,
    "M": 1.0,
    "b": 100,
    "J": 1,
    "R": 1e6,
}

statement = Statement(
    "sglu.alg6",
    "Algorithms 6-8",
    "algorithm",
    words="The epochs returned for each request of a sequence keep every published model "
    "within (epsilon, delta) of retraining.",
    left=r"\sum_{s\le S}K_s",
    symbols=(target_each, delta, sigma, S.upto(MOST), eta, m_positive, M, b, J, R),
    requires=(contractive,),
    aliases=("sglu.alg7", "sglu.alg8", "sglu.alg6-8"),
    plot=Plot("S", tuple(float(s) for s in (1, 2, 5, 10, 20, 50, 100)), RUN, log_y=False),
    quantity="total epochs for S requests",
    correction="Update Z after every request, and test before increasing K.",
)
statement.interpreted_as(
    "literal", "S requests in a row, each replacing one point, epochs by the algorithm"
)


def epochs(
    accountant: str,
    S: int,
    epsilon: float,
    delta: float,
    sigma: float,
    eta: float,
    m: float,
    M: float,
    b: float,
    J: float,
    R: float,
) -> Array:
    """K_1..K_S when each request runs the least K for the distance that it starts from.

    `accountant` is "printed" (Corollary 3.8 with Proposition K.2) or "exact"; the distance
    accumulates as Theorem 3.11 says: Z^{(s+1)} = min(c^{K_s J} Z^{(s)} + Z, 2R).
    """
    # Only c = 1 - eta m and q = 2 eta M/b enter; any smoothness in [m, 1/eta] admits the step.
    setting = NoisySGD(int(b * J), int(b), max(1 / eta, m), m, M, step_size=eta, radius=R)
    plan = least_epochs_each(accountant, setting, sigma, S, epsilon, delta)
    return np.asarray(plan, dtype=np.float64)


@statement.form(
    "printed",
    tex=r"K\leftarrow K+1\ \text{until}\ \min_\alpha\Big[\frac{\alpha Z^2c^{2Kn/b}}"
    r"{2\eta\sigma^2}+\frac{\log(1/\delta)}{\alpha-1}\Big]\le\hat\epsilon;\ \text{return } K",
)
def printed(xp, epsilon, delta, sigma, S, eta, m, M, b, J, R):
    """Total epochs that the printed loops spend on S requests: S times (least K, plus one).

    The guarantee they claim is false for S >= 2.

    Note: Z is never updated between requests, and K is returned one too large
    Fails: Z stays what it was for one request, though distances add up by Theorem 3.11. With the
        epochs that it returns, request {S} on quadratics is at ε = {measured}, for a target of
        {epsilon}.
    Source: sglu, Algorithms 6, 7 and 8
    """
    Z = xp.minimum(stationary(xp, eta, m, M, b, J), 2 * R)
    least = last_step(xp, mironov(xp, epsilon, delta, sigma, eta), eta, m, J)
    return S * (1 + least(Z))


@statement.form(
    "corrected",
    tex=r"K_s=\min\{K\ge1:\epsilon(Z^{(s)},K)\le\hat\epsilon\},\quad "
    r"Z^{(s+1)}=\min(c^{K_sn/b}Z^{(s)}+Z,2R)",
    reads={
        r"\epsilon(Z,K)": r"\min_{\alpha>1}(\frac{\alpha Z^2c^{2KJ}}{2\eta\sigma^2}+\frac{\log(1/"
        r"\delta)}{\alpha-1})"
    },
)
def corrected(xp, epsilon, delta, sigma, S, eta, m, M, b, J, R):
    """Total epochs that suffice by Corollary 3.8, Theorem 3.11 and Proposition K.2.

    Note: the paper's own accounting with Theorem 3.11's update
    Proof: Corollary 3.8 with the distance of Theorem 3.11
    """
    least = last_step(xp, mironov(xp, epsilon, delta, sigma, eta), eta, m, J)
    Z = stationary(xp, eta, m, M, b, J)
    return planned(xp, xp.total, S, least, Z, 2 * R, eta, m, J)


@statement.form(
    "tight",
    tex=r"K_s=\min\{K\ge1: Z^{(s)}c^{KJ}\le\mu^*\sqrt{2\eta}\,\sigma/\sqrt{1-c^2}\}\ "
    r"\text{while }Z^{(s)}\le2R,\quad "
    r"Z^{(s+1)}=c^{K_sJ}Z^{(s)}+Z",
)
def tight(xp, epsilon, delta, sigma, S, eta, m, M, b, J, R):
    """Total epochs that suffice by the exact Gaussian accounting of the whole trajectory.

    Note: exact accounting; one epoch less at any request breaks the target on quadratics
    Proof: exact Gaussian accounting of the whole trajectory
    """
    least = whole_run(xp, gaussian(xp, epsilon, delta, sigma, eta), 2 * R, eta, m, J)
    Z = stationary(xp, eta, m, M, b, J)
    return planned(xp, xp.total, S, least, Z, xp.inf, eta, m, J)
