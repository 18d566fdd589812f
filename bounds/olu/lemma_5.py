"""Lemma 5 of olu, with (20) and (21): how far the minimiser moves when losses are removed."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.symbols import L, T, mu

m = Symbol("m", "number of losses removed (the lemma's i - 1)", "m", low=0, kind="integer")
r = Symbol("r", "distance of the two minimisers", r"\|w^*-w_m^*\|", low=0, unit="parameter")
some_left = Hypothesis("m < T", lambda m, T: m < T)

statement = Statement(
    "olu.lem5",
    "Lemma 5",
    "inequality",
    words="Removing i - 1 of T losses moves the minimiser by at most 2 (i - 1) L/(mu T).",
    left=r"\|w^*-w^*_i\|,\quad m=i-1",
    symbols=(m, L, mu, T),
    requires=(some_left,),
    plot=Plot("m", (0, 1, 2, 3, 5, 8), {"L": 1.0, "mu": 1.0, "T": 20}, log_y=False),
    quantity="distance of the two minimisers",
    correction="m L/(mu T) for m removed; f_{u[j]} for f_{u[i]}.",
)
statement.interpreted_as("literal", "mu-strongly convex and L-Lipschitz on any convex domain")


@statement.form("printed", tex=r"\frac{2(i-1)L}{\mu T}", reads={"i-1": "m"})
def printed(xp, m, L, mu, T):
    """At least the distance of the minimisers with and without m losses.

    Note: (20) adds up function values from one side only
    Proof: (20) and (21) around F(w_i*) - F(w*)
    Source: olu, Lemma 5
    """
    return 2 * m * L / (mu * T)


@statement.form("corrected", tex=r"\frac{mL}{\mu T}")
def corrected(xp, m, L, mu, T):
    """At least the distance of the minimisers with and without m losses, on any convex domain.

    The two variational inequalities give mu T r^2 <= <grad sum of the removed, w_m* - w*> <= m L r.

    Note: attained by quadratics whose removed points lie L/mu from the mean of the others
    Proof: both variational inequalities; attained by quadratics
    """
    return m * L / (mu * T)


eq20 = Statement(
    "olu.eq20",
    "(20)",
    "inequality",
    words="F(w_i*) <= F(w*) + (i - 1) L |w* - w_i*|.",
    left=r"F(w_i^*)-F(w^*)",
    symbols=(m, L, mu, T, r),
    requires=(some_left,),
    quantity="F(w_i*) - F(w*)",
    correction="f_{u[j]} for f_{u[i]}.",
)
eq20.interpreted_as("literal", "as in Lemma 5")


@eq20.form("printed", tex=r"(i-1)L\|w^*-w_i^*\|", reads={"i-1": "m", r"\|w^*-w_i^*\|": "r"})
def printed_20(xp, m, L, r):
    """At least how much worse w_m* is on all losses.

    Note: the removed losses are f_{u[j]}
    Proof: w_i* minimises F_i; the removed losses are L-Lipschitz
    Source: olu, (20)
    """
    return m * L * r


@eq20.form("corrected", tex=r"mLr-\frac{(T-m)\mu r^2}{2}")
def corrected_20(xp, m, L, mu, T, r):
    """At least how much worse w_m* is on all losses; with (21) it gives 2 m L/(mu (2T - m)).

    Note: keeps the strong convexity of the losses that remain
    Proof: w_i* minimises F_i, which is (T - i + 1) mu-strongly convex
    """
    return m * L * r - (T - m) * mu * r**2 / 2


eq21 = Statement(
    "olu.eq21",
    "(21)",
    "inequality",
    words="F(w_i*) >= F(w*) + (T mu/2) |w_i* - w*|^2.",
    left=r"F(w_i^*)-F(w^*)",
    reads={r"\|w_i^*-w^*\|": "r"},
    symbols=(mu, T, r),
    plot=Plot("r", (0.0, 0.1, 0.3, 1.0), {"mu": 1.0, "T": 20}, log_y=False),
    quantity="F(w_i*) - F(w*)",
)
eq21.interpreted_as("literal", "as in Lemma 5", {"printed": ">="})


@eq21.form("printed", tex=r"\frac{T\mu}{2}\|w_i^*-w^*\|^2")
def printed_21(xp, mu, T, r):
    """At most how much worse w_m* is on all losses.

    Note: a lower bound; attained by quadratics
    Proof: F is T mu-strongly convex and w* minimises it
    Source: olu, (21)
    """
    return T * mu / 2 * r**2
