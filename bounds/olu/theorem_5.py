"""Theorem 5 of olu: expected regret with a constant step size."""

from bounds import Plot, Statement
from bounds.olu.regret_symbols import P
from bounds.olu.symbols import D, L, T, d, epsilon, k, kappa

statement = Statement(
    "olu.thm5",
    "Theorem 5",
    "inequality",
    words="There is a constant step size for which the expected regret is at most "
    "L (D + k^1.1 sqrt(d/eps)) sqrt(2T) + 2 L^2 k^2/kappa.",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]",
    symbols=(T, k, d, epsilon, L, D, kappa, P),
    plot=Plot(
        "epsilon",
        (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2),
        {"T": 100, "k": 1, "d": 1, "L": 1.0, "D": 1e4, "kappa": 2e-4, "P": 0.0, "tau": 50},
        log_x=True,
    ),
    quantity="expected regret on f_t = L (D - z) with the proof's step",
    correction="L sqrt(D (D + 2P)) sqrt(T + d k^2/(2 eps)).",
)
statement.interpreted_as(
    "literal",
    "some constant step size; quadratic growth of the prefixes at tau_1..tau_k",
    {"printed": "<="},
)
statement.interpreted_as(
    "every",
    "some constant step size; quadratic growth at T as well, for the comparator after tau_k",
    {"printed": "<="},
)
statement.interpreted_as("proof", "the step size of the proof, one comparator", {"printed": "<="})
statement.interpreted_as(
    "path",
    "eta* = sqrt(D (D + 2P))/(L sqrt(T + d k^2/(2 eps))) <= 2/beta, least noise",
    {"corrected": "<="},
    stance="amended",
)


@statement.form(
    "printed",
    tex=r"L\left(D+k^{1.1}\sqrt{\nicefrac{d}{\varepsilon}}\right)\sqrt{2T}+\frac{2L^2k^2}{\kappa}",
)
def printed(xp, T, k, d, epsilon, L, D, kappa):
    """Some constant step size is claimed to have at most this expected regret.

    False for every step size under the paper's hypotheses, and for the proof's step size even with
    one comparator; see `corrected`.

    Note: adds a length to a number; no constant step size attains it on alternating losses
    Fails (literal): Where deletions move the comparator no constant step will do: on blocks of one
        slope, ended by pairs of opposite slopes and a deletion, the best step tried has regret
        {measured}, above {bound} (k = {k}, T = {T}).
    Fails (every): Quadratic growth of the whole sum does not help either: long blocks of one slope,
        closed by shorter ones, cost every constant step more, the best one tried {measured} against
        {bound} (k = {k}, T = {T}).
    Fails (proof): The proof multiplies the k noise terms by T, so that its step is far too short:
        on f_t = D - z with D = {D}, ε = {epsilon} it has expected regret {measured}, above {bound}.
    Source: olu, Theorem 5
    """
    noise = k ** xp.rational(11, 10) * xp.sqrt(d / epsilon)
    return L * (D + noise) * xp.sqrt(2 * T) + 2 * L**2 * k**2 / kappa


@statement.form(
    "corrected",
    tex=r"L\sqrt{D(D+2P)}\sqrt{T+\frac{dk^2}{2\varepsilon}},\quad"
    r"\eta^\star=\frac{\sqrt{D(D+2P)}}{L\sqrt{T+dk^2/(2\varepsilon)}}",
)
def corrected(xp, T, k, d, epsilon, L, D, P):
    """The expected regret with eta* is at most this value (and at most L D T in any case).

    Least noise sigma_i^2 = (2i - 1) eta^2 L^2/(2 epsilon), before the projection; P is the path
    length of the comparators. The value is D^2/(2 eta) + D P/eta + eta L^2 (T + d k^2/(2
    epsilon))/2 at its least.

    Note: least noise; the k noise terms are not multiplied by T; needs eta* <= 2/beta
    Proof: (31) with the path; k noise terms, not kT
    """
    return L * xp.sqrt(D * (D + 2 * P)) * xp.sqrt(T + d * k**2 / (2 * epsilon))
