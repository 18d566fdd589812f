"""(14)-(17) of sglu: the Lipschitz constant of a gradient step."""

import numpy as np

from bounds import Hypothesis, Plot, Statement
from bounds.sglu.symbols import L, convexity_order, eta, m

statement = Statement(
    "sglu.eq14_17",
    "(14)-(17)",
    "inequality",
    words="Projection followed by a batch gradient step is (1 - eta m)-Lipschitz.",
    left=r"\mathrm{Lip}\Big(x\mapsto\Pi(x)-\frac\eta b\sum_i\nabla f(\Pi(x);\mathbf d_i)\Big)",
    symbols=(eta, m, L),
    requires=(convexity_order, Hypothesis("eta < 2 / L", lambda eta, L: eta * L < 2)),
    aliases=("sglu.eq14-17",),
    plot=Plot("eta", tuple(np.linspace(0.05, 1.95, 39).tolist()), {"m": 0.3, "L": 1}, log_y=False),
    quantity="largest stretch of a pair of points",
    correction="None is needed for eta <= 1/L; it holds up to eta <= 2/(L + m), and with "
    "max(|1 - eta m|, |1 - eta L|) for every eta < 2/L.",
)
statement.interpreted_as(
    "literal", "eta <= 1/L", where=(Hypothesis("eta <= 1/L", lambda eta, L: eta * L <= 1),)
)
statement.interpreted_as(
    "longer",
    "1/L < eta <= 2/(L + m)",
    stance="amended",
    where=(
        Hypothesis(
            "1/L < eta <= 2/(L + m)", lambda eta, L, m: (eta * L > 1) & (eta * L <= 2 - eta * m)
        ),
    ),
)
statement.interpreted_as(
    "beyond",
    "2/(L + m) < eta < 2/L",
    stance="amended",
    where=(Hypothesis("2/(L + m) < eta", lambda eta, L, m: eta * (L + m) > 2),),
)


@statement.form("printed", tex=r"1-\eta m")
def printed(xp, eta, m, L):
    """The step is a contraction with this factor while eta <= 2/(L + m).

    Note: stated for eta <= 1/L; true up to eta <= 2/(L + m)
    Proof (literal): Baillon-Haddad: the step's Jacobian lies in [1 - eta L, 1 - eta m]
    Proof (longer): |1 - eta L| <= 1 - eta m there
    Fails (beyond): The paper asks for η ≤ 1/L, where it holds. Beyond 2/(L + m) the steepest
        direction decides: at η = {eta}, m = {m}, L = {L} the Lipschitz constant is ηL − 1 =
        {measured}, while 1 − ηm is {bound}.
    Source: sglu, (14)-(17), for eta <= 1/L
    """
    return 1 - eta * m


@statement.form("tight", tex=r"\max(|1-\eta m|,|1-\eta L|)")
def tight(xp, eta, m, L):
    """The step is a contraction with this factor for every eta < 2/L.

    Note: every eta < 2/L; attained by quadratics with curvatures m and L
    Proof: Baillon-Haddad; equality on quadratics
    """
    return xp.maximum(abs(1 - eta * m), abs(1 - eta * L))
