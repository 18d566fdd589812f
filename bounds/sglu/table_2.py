"""Table 2 of sglu: burn-in epochs, and the distance from stationarity that they leave."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.sglu.settings import BURN_IN, RADIUS, step_and_convexity
from bounds.sglu.symbols import R, T, b

__all__ = ["BURN_IN", "statement"]

n = Symbol("n", "data points (m = 1e-6 n, eta = 1/(1/4 + m))", "n", low=1, kind="integer")

statement = Statement(
    "sglu.sec4.t",
    "Burn-in epochs (Section 4, Table 2)",
    "claim",
    words="Learning for T = 10, 20, 50, 1000 epochs at b = 32, 128, 512, n ensures convergence.",
    left=r"W_\infty(\nu_{T|\mathcal B},\nu_{\mathcal D|\mathcal B})",
    symbols=(n, b, T, R),
    aliases=("sglu.sec4.T", "sglu.table2"),
    plot=Plot("T", (0, 100, 200, 400, 600, 800, 1000), {"n": 9728, "b": 9728, "R": RADIUS}),
    quantity="distance from stationarity",
    correction="The authors' runs use other burn-ins than Table 2; both are long enough.",
)
statement.interpreted_as(
    "literal",
    "R = 100; convergence: privacy after one unlearning epoch is that of T = infinity to "
    "one part in 10^9",
)
statement.interpreted_as(
    "distance",
    "two starts 2R apart, projection inactive",
    stance="component",
    where=(
        Hypothesis("whole batches: b divides n", sets={"n": lambda n, b: b * max(1, round(n / b))}),
    ),
)


@statement.form("printed", tex=r"2R\,(1-\eta m)^{Tn/b}")
def printed(xp, n, b, T, R):
    """After T epochs the law is within this W-infinity distance of the stationary one.

    Note: line 6 of Algorithm 5 and Theorem 3.2; attained when the projection is inactive
    Proof (literal): Lemma 3.6: at most 2R c^{Tn/b} <= 3.6e-14 is left
    Proof (distance): on quadratics the distance shrinks by c at every step, exactly
    Equality: two starts 2R apart on quadratics
    Source: sglu, Theorem 3.2's term 2R c^{TJ} with the constants of Appendix K
    """
    eta, m = step_and_convexity(xp, n)
    return 2 * R * xp.decay(eta * m, T * n / b)
