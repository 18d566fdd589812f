"""(7) and (8) of olu: what each request pays, and what all of it costs."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.symbols import alpha, different, gamma, i, omega, tau, u

sensitivity = Symbol(
    "Delta",
    "sensitivity of each deleted round, Delta_{u_1}..Delta_{u_k}",
    r"\Delta_{u[i]}",
    low=0,
    kind="list",
    unit="parameter",
)
payments = Symbol(
    "a",
    "shift paid at each request, carried on to the last one",
    "a_j",
    low=0,
    kind="list",
    unit="parameter",
)
noises = Symbol(
    "sigma",
    "noise of each request, carried on to the last one",
    r"\sigma_j",
    low=0,
    low_open=True,
    kind="list",
    unit="parameter",
)
time = Symbol("t", "round", "t", low=1, kind="integer")

allocation = Statement(
    "olu.eq7",
    "(7)",
    "equality",
    words="With a_{tau_i} = gamma^{tau_i - u_i} Delta_{u_i}, and 0 elsewhere, e_t >= 0 for "
    "all t and e_{tau_i} = 0 at every request.",
    left="a_t",
    symbols=(time, gamma, sensitivity, u, tau),
    requires=(
        Hypothesis(
            "u_i <= tau_i, one for each time and sensitivity",
            lambda u, tau, Delta: (
                np.shape(u) == np.shape(tau) == np.shape(Delta) and np.all(u <= tau)
            ),
        ),
        different,
    ),
    plot=Plot(
        "t",
        tuple(range(1, 21)),
        {"gamma": 0.8, "Delta": [1.0, 2.0, 1.5], "u": [2, 4, 9], "tau": [6, 12, 18]},
        log_y=False,
    ),
    quantity="shift paid at round t",
    correction="Remove u_1..u_i for request i; f'_t is missing for t in U, not in T.",
)
allocation.interpreted_as(
    "literal",
    "request i is compared with the run without u_1..u_i, as in Definition 2",
    {"printed": ">="},
)
allocation.interpreted_as("all", "every request is compared with the run without u_1..u_k")


@allocation.form(
    "printed",
    tex=r"a_{t}=\begin{cases}\gamma^{\tau[i]-u[i]}\Delta_{u[i]}&\text{if }t=\tau[i],"
    r"i\in\{1,\ldots,k\}\\ 0&\text{otherwise}\end{cases}",
)
def paid(xp, t, gamma, Delta, u, tau):
    """The shift that is paid at round t: all that is left of the losses deleted then.

    Leaves e_{tau_i} = 0 in the comparison that removes u_1..u_i (Definition 2); against the run
    without all of u_1..u_k, shifts of later requests are still there.

    Note: exactly what has arrived of f_{u_i}, in convention A
    Proof (literal): e_t = sum of gamma^{t - u_j} Delta_{u_j} over u_j <= t < tau_j
    Fails (all): The proof's second run skips all of u_1..u_k, not u_1..u_i as Definition 2 asks. At
        the first request the losses that are deleted later are then still there: e_t = {measured}
        at t = {t}, not 0.
    Source: olu, (7)
    """
    here = lambda i, s, v, at: xp.where(xp.equal(t, at), gamma ** (at - v) * s, 0)  # noqa: E731
    return xp.over(here, Delta, u, tau)


cost = Statement(
    "olu.eq8",
    "(8)",
    "inequality",
    words="D_alpha(X_{tau_i} || X'_{tau_i}) <= sum_{j <= i} alpha a_j^2/(2 sigma_j^2).",
    left=r"D_\alpha(X_{\tau[i]}\,\|\,X'_{\tau[i]})",
    symbols=(alpha, payments, noises),
    requires=(Hypothesis("one a for each sigma", lambda a, sigma: np.shape(a) == np.shape(sigma)),),
    plot=Plot(
        "alpha", tuple(np.linspace(1.05, 8, 30).tolist()), {"a": [1.0, 1.0], "sigma": [1.0, 2.0]}
    ),
    quantity="D_alpha at the last request, linear losses",
    correction="Let the noises pay together: alpha (sum a)^2/(2 sum sigma^2).",
)
cost.interpreted_as(
    "literal", "any schedule; a_j and sigma_j carried on to the last request", {"printed": "<="}
)
cost.interpreted_as("before", "every u_j < tau_1", stance="amended")


@cost.form(
    "printed",
    tex=r"D_{\alpha}\left({X_{\tau[i]}\|X_{\tau[i]}^{\prime}}\right)\leq"
    r"\sum_{j=1}^{i}\frac{\alpha\left({a_{\tau[j]}^{2}}\right)}{2\sigma_j^{2}}",
    reads={r"a_{\tau[j]}": "a_j"},
)
def paid_alone(xp, alpha, a, sigma):
    """D_alpha at the last request is at most this value.

    Note: each request pays for its own shift
    Proof: Lemma 3 with (7), Lemma A
    Equality: linear chains with a_j/sigma_j^2 constant
    Source: olu, (8a)
    """
    return alpha / 2 * xp.over(lambda j, x, s: (x / s) ** 2, a, sigma)


@cost.form("tight", tex=r"\frac{\alpha}{2}\frac{(\sum_j a_j)^2}{\sum_j\sigma_j^2}")
def paid_together(xp, alpha, a, sigma):
    """D_alpha at the last request is at most this value when every u_i < tau_1.

    Note: the best allocation when every u_i < tau_1; attained by linear maps
    Proof: Lemma 3 with payments in proportion to the noise variances
    Equality: linear maps, whatever the u_i
    """
    shifts, variances = xp.over(lambda j, x: x, a), xp.over(lambda j, s: s**2, sigma)
    return alpha / 2 * shifts**2 / variances


series = Statement(
    "olu.eq8c",
    "(8c)",
    "inequality",
    words="sum_{j <= i} j^-omega <= omega/(omega - 1).",
    left=r"\sum_{j=1}^{i}j^{-\omega}",
    symbols=(i, omega),
    plot=Plot("omega", tuple(np.linspace(1.05, 4, 40).tolist()), {"i": 1000}),
    quantity="sum of j^-omega",
    correction="zeta(omega) in place of omega/(omega - 1).",
)
series.interpreted_as("literal", "omega > 1")


@series.form(
    "printed",
    tex=r"\sum_{j=1}^{i}\frac{1}{j^{\omega}}\leq1+\int_{1}^{\infty}\frac{1}{x^{\omega}}dx"
    r"=\frac{\omega}{\omega-1}",
)
def integral(xp, omega):
    """The sum is at most this value, for every i.

    Note: never attained
    Proof: the integral of x^-omega
    Source: olu, step (c) of (8)
    """
    return omega / (omega - 1)


@series.form("tight", tex=r"\zeta(\omega)")
def limit(xp, omega):
    """The sum is below this value, which it tends to; 7 % below the printed one at 1.2.

    Note: the limit of the sum
    Proof: the partial sums grow to zeta(omega)
    """
    return xp.zeta(omega)
