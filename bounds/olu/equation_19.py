"""(19) of olu, printed again as (57): what a comparator that moves with the deletions costs."""

from bounds import Plot, Statement
from bounds.olu.noise_terms import enough
from bounds.olu.series import moving
from bounds.olu.symbols import L, T, mu, tau, within_rounds

statement = Statement(
    "olu.eq19",
    "(19), (57)",
    "inequality",
    words="Regret against the comparators z_i* of eq 5 differs from regret against z_0* by "
    "at most k (k + 1) L^2/mu.",
    left=r"\big|\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\emptyset,\mathcal{T})]"
    r"-\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]\big|",
    symbols=(T, L, mu, tau),
    requires=(enough, within_rounds),
    aliases=("olu.eq57",),
    plot=Plot(
        "T", (200, 300, 500, 1000, 2000), {"L": 1.0, "mu": 1.0, "tau": [95, 98, 100]}, log_x=True
    ),
    quantity="difference of the two regrets",
    correction="(L^2/(mu T)) sum_i (T - tau_i) <= k L^2/mu; z_i* belongs to (tau_i, tau_{i+1}].",
)
statement.interpreted_as(
    "literal", "windows (tau_i, tau_{i+1}] as in eq 5, L-Lipschitz on a domain that holds all z_i*"
)


@statement.form("printed", tex=r"\frac{(1+k)kL^2}{\mu}")
def printed(xp, L, mu, tau):
    """At least the difference of the two regrets. Loose by about k.

    Note: every window taken as long as T, and Lemma 5's factor 2
    Proof: from the corrected form
    Source: olu, (19)
    """
    k = xp.count(tau)
    return k * (k + 1) * L**2 / mu


@statement.form("corrected", tex=r"\frac{L^2}{\mu T}\sum_{i=1}^k(T-\tau_i)\le\frac{kL^2}{\mu}")
def corrected(xp, T, L, mu, tau):
    """At least the difference of the regrets: i L/(mu T) a round after the i-th deletion.

    Note: sum_i i (tau_{i+1} - tau_i) = sum_i (T - tau_i), and Lemma 5 without its 2
    Proof: Lemma 5 with constant 1; sum i (tau_{i+1} - tau_i) = sum (T - tau_i)
    """
    return L**2 / mu * moving(xp, T, tau)
