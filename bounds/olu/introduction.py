"""The introduction of olu: regret O(log T + k^2 d) for strongly convex losses."""

from bounds import Plot, Statement
from bounds.olu.symbols import L, T, d, epsilon, k, mu
from bounds.olu.theorem_2 import LOUD

statement = Statement(
    "olu.intro",
    "Section 1",
    "asymptotic",
    words="For strongly convex losses passive and active unlearning have expected regret "
    "O(log T + k^2 d).",
    left=r"\mathbb{E}[\mathrm{Regret}_T]",
    symbols=(T, k, d, epsilon, L, mu),
    growth={
        "T": "log(T)",
        "k": {"printed": "k**2", "corrected": "k"},
        "d": "d",
        "epsilon": {"printed": "free", "corrected": "a constant"},
    },
    plot=Plot(
        "T",
        (1100, 1500, 2000, 3000, 5000),
        {key: LOUD[key] for key in ("d", "epsilon", "L", "mu")} | {"k": 1},
        log_x=True,
    ),
    quantity="expected regret, one deletion at 1001",
    correction="O(log T + k + d k/eps): linear in k, and not for one constant of all eps.",
)
statement.interpreted_as(
    "literal",
    "one constant for all eps (printed: L^2/mu), noise that unlearns; the paper says 'roughly', "
    "and gives the 1/eps in Theorem 2",
    stance="out_of_context",
)
statement.interpreted_as(
    "slope",
    "powers of k at fixed eps: of the noise and of the comparators, printed 2, "
    "corrected 1, for deletions as early and as dense as can be (to 2 %, many deletions)",
    apart="powers of k are compared, not values",
)


@statement.form("printed", tex=r"O(\log T+k^2d)", reads={"O(x)": r"\frac{L^2}{\mu}x"})
def printed(xp, T, k, d, L, mu):
    """The announced order, in units of L^2/mu.

    Note: evaluated with the constant L^2/mu; eps is dropped
    Proof (slope): from the corrected form
    Fails (literal): 1/ε is left out: with noise that unlearns at ε = {epsilon} one deletion has
        expected regret {measured}, against (L²/μ)(log T + k²d) = {bound}, and no constant serves
        every ε. The paper says 'roughly'.
    Source: olu, Section 1
    """
    return L**2 / mu * (xp.log(T) + k**2 * d)


@statement.form(
    "corrected", tex=r"\frac{L^2}{\mu}\left(\frac{1+\log T}{2}+k+\frac{dk}{2\varepsilon}\right)"
)
def corrected(xp, T, k, d, epsilon, L, mu):
    """At least the expected regret with the least noise that unlearns, k <= T deletions.

    Note: linear in k; Theorem 2 repaired
    Proof (literal): Theorem 2, corrected, term by term
    Proof (slope): sum (2i-1)/(tau_i - 1) <= 2k; sum (1 - tau_i/T) <= k
    """
    return L**2 / mu * ((1 + xp.log(T)) / 2 + k + d * k / (2 * epsilon))
