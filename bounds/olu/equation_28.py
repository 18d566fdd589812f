"""(28) of olu: what moving comparators cost, in the proof of Theorem 3."""

from bounds import Statement
from bounds.olu.series import moving
from bounds.olu.symbols import L, T, kappa, tau, within_rounds

statement = Statement(
    "olu.eq28",
    "(28)",
    "inequality",
    words="Moving the comparators changes the expected regret by at most L^2 (k^2 + k)/kappa.",
    left=r"\left|\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\emptyset,\mathcal{T})]"
    r"-\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]\right|",
    symbols=(T, L, kappa, tau),
    requires=(within_rounds,),
    quantity="change of the expected regret",
    correction="2 L^2 sum_i (T - tau_i)/(kappa T) under quadratic growth kappa T of the whole sum.",
)
statement.interpreted_as(
    "literal",
    "quadratic growth kappa (tau_i - tau_{i-1}) of the prefixes at tau_i (Theorem 3)",
    {"printed": "<="},
)
statement.interpreted_as(
    "whole", "quadratic growth kappa T of sum_{t <= T} f_t", {"corrected": "<="}, stance="amended"
)


@statement.form("printed", tex=r"\frac{L^2(k^2+k)}{\kappa}")
def printed_28(xp, L, kappa, tau):
    """The cost of moving comparators is claimed to be at most this value.

    False under the hypothesis of Theorem 3, which is about the prefixes up to tau_i.

    Note: asks quadratic growth of sum_{t<=T} f_t in a different parameter for every block
    Fails (literal): Quadratic growth of prefixes says nothing of z_i*, which minimises the sum over
        all T rounds: on alternating linear losses every deletion moves it across K, and the two
        regrets differ by {measured}, not {bound}.
    Source: olu, (28)
    """
    k = xp.count(tau)
    return L**2 * (k**2 + k) / kappa


@statement.form("corrected", tex=r"\frac{2L^2}{\kappa T}\sum_{i=1}^k(T-\tau_i)")
def corrected_28(xp, T, L, kappa, tau):
    """The cost is at most this value if sum_{t<=T} f_t has quadratic growth kappa T.

    Lemma 6 gives |z_0* - z_i*| <= 2 i L/(kappa T). At most 2 k L^2/kappa.

    Note: when sum_{t<=T} f_t itself has quadratic growth with parameter kappa T
    Proof: Lemma 6, and sum_i i (tau_{i+1} - tau_i) = sum_i (T - tau_i)
    """
    return 2 * L**2 / kappa * moving(xp, T, tau)
