"""Corollary 1 of olu: what is left of a deleted loss in online gradient descent."""

from functools import lru_cache

import numpy as np

from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule, transport
from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.olu.series import power, shift
from bounds.olu.symbols import L, beta, convexity_order, eta, mu

index = Symbol("u", "round of the deleted loss", "u", low=1, kind="integer")
short = Hypothesis("u >= 1/2 + beta/mu", lambda u, beta, mu: u >= (0.5 + beta / mu) * (1 - 1e-12))
time = Symbol("tau", "time of its deletion", r"\tau", low=1, kind="integer")

convex = Statement(
    "olu.cor1a",
    "Corollary 1 (convex)",
    "inequality",
    words="For convex, beta-smooth losses and eta <= 2/beta, Algorithm 1 with gamma = 1 is an "
    "(alpha, alpha eps)-OLU.",
    left=r"\|w_\tau-w'_\tau\|,\quad\eta_t\le2/\beta",
    symbols=(eta, L),
    plot=Plot("eta", tuple(np.linspace(0.05, 2, 30).tolist()), {"L": 1.0}, log_y=False),
    quantity="distance of the runs with and without f_u",
    correction="Project after the noise; sigma_i^2 = (2i - 1) eta^2 L^2/(2 eps) is enough.",
)
convex.interpreted_as("literal", "line 6 of Algorithm 1 as it stands: noise after the projection")
convex.interpreted_as("projected", "the projection follows the noise, as (12) has it")


@convex.form("printed", tex=r"\gamma^{\tau-u}\Delta_{u}=\eta_{u}L,\quad\gamma=1")
def kept(xp, eta, L):
    """Leaving out one step of size eta moves the iterate by at most this value ever after.

    Holds when the later steps are <= 2/beta.

    Note: attained by linear losses, at every tau
    Proof (projected): Theorem 1 (repaired) with Lemma D (repaired): factor 1
    Fails (literal): With the noise after the projection, as in line 6, an iterate outside K takes a
        longer step than the ηL that the noise is made for: D_α is {measured} where αε = {bound}. It
        holds once the projection comes last.
    Source: olu, Corollary 1 (first half) with (C3)
    """
    return eta * L


strongly_convex = Statement(
    "olu.cor1b",
    "Corollary 1 (strongly convex)",
    "inequality",
    words="For mu-strongly convex, beta-smooth losses and eta <= 1/(beta + mu), Algorithm 1 "
    "with gamma = (beta/mu - 1)/(beta/mu + 1) is an (alpha, alpha eps)-OLU.",
    left=r"\|w_\tau-w'_\tau\|,\quad\eta_t=\frac{1}{\mu t}",
    symbols=(mu, beta, L, index, time),
    requires=(convexity_order, Hypothesis("u <= tau - 1", lambda u, tau: u <= tau - 1)),
    plot=Plot("tau", tuple(range(5, 41)), {"mu": 1.0, "beta": 3.0, "L": 1.0, "u": 4}),
    quantity="distance of the runs with and without f_u",
    correction="prod_{u < t < tau} (1 - eta_t mu) in place of gamma^(tau - u): for "
    "eta_t = 1/(mu t) the shift is L/(mu (tau - 1)), whatever u is.",
)
strongly_convex.interpreted_as("literal", "the same eta <= 1/(beta + mu) at every step")
strongly_convex.interpreted_as(
    "steps", "eta_t = 1/(mu t) and u >= 1/2 + beta/mu, as in Theorem 2", where=(short,)
)
# The corollary asks for eta <= 1/(beta + mu), which the first of these steps exceed.
strongly_convex.interpreted_as(
    "early", "eta_t = 1/(mu t) and any u: the first steps may expand", stance="amended"
)


@strongly_convex.form(
    "printed", tex=r"\gamma^{\tau-u}\frac{L}{\mu u},\quad\gamma=\frac{\beta/\mu-1}{\beta/\mu+1}"
)
def exponential(xp, mu, beta, L, u, tau):
    """Leaving out the step on f_u moves the iterate at tau by at most this value.

    It is false: the factor of a step eta <= 2/(beta + mu) is 1 - eta mu, which at eta = 1/(mu t) is
    1 - 1/t.

    Note: gamma belongs to eta = 2/(beta + mu), which the corollary excludes
    Fails (literal): γ is the factor of the step 2/(β + μ), which η ≤ 1/(β + μ) excludes; the factor
        there is 1 - ημ, which is larger. At μ = {mu}, β = {beta}, η = {eta}, u = {u}, τ = {tau} the
        noise gives D_α = {measured} where αε = {bound}.
    Fails (steps): Steps 1/(μt) contract by 1 - 1/t: the effect of f_u at τ is L/(μ(τ - 1)), which
        falls like 1/τ and not like γ^(τ-u). At μ = {mu}, β = {beta}, u = {u}, τ = {tau} the runs
        are {measured} apart, and line 5 counts {bound}.
    Fails (early): Before t = 1 + β/μ steps 1/(μt) are longer than the corollary allows, and the
        first may even expand; later ones contract by 1 - 1/t only. At u = {u}, τ = {tau} the runs
        are {measured} apart, and γ^(τ-u) L/(μu) = {bound}.
    Source: olu, Corollary 1 (second half) in line 5 of Algorithm 1
    """
    return power(xp, mu, beta, tau - u) * L / (mu * u)


@lru_cache(maxsize=2**12)  # runs on data ask for a few pairs of rounds again and again
def _shift(mu: float, beta: float, L: float, u: float, tau: float) -> float:
    descent = OnlineDescent(float(mu), float(beta), float(L), inverse_time(float(mu)))
    request = DeletionSchedule(np.array(int(u)), np.array(int(tau)))
    return float(transport(descent, request).shifts[0])


_shifts = np.vectorize(_shift, otypes=[float])


@strongly_convex.form(
    "corrected",
    tex=r"\frac{L}{\mu u}\prod_{u<t<\tau}\max\Big(1-\frac1t,\Big|1-\frac{\beta}{\mu t}\Big|\Big)"
    r",\quad\Big[=\frac{L}{\mu(\tau-1)}\text{ if }u+1\ge\tfrac12+\tfrac{\beta}{2\mu}\Big]",
)
def polynomial(xp, mu, beta, L, u, tau):
    """Leaving out the step on f_u moves the iterate at tau by at most this value.

    The factor of a step is max(|1 - eta mu|, |1 - eta beta|).

    Note: attained by quadratics; the same for every u once the steps are short
    Proof (literal): the factor of a step eta <= 2/(beta + mu) is 1 - eta mu
    Proof (steps): Lemma D for every step; the product telescopes to u/(tau - 1)
    Proof (early): Lemma D for every step
    Equality: quadratics of curvature mu (and of curvature beta while 1 - beta/(mu t) < 1/t - 1)
    """
    return shift(xp, mu, beta, L, u, tau)


@polynomial.numeric
def _(mu: Array, beta: Array, L: Array, u: Array, tau: Array) -> Array:
    """Long runs: sums of logarithms."""
    return np.asarray(_shifts(mu, beta, L, u, tau))
