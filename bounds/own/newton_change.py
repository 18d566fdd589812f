"""What one Newton step of certified removal does to the law of the objective's noise b.

The unlearned model is what retraining makes of T(b) = b - r(b), r(b) the gradient that the step
leaves: its law follows from that of b by the change of variables T.  Objective and removal are
those of `bounds.guo.removal_residual`, with <b, w> added.
"""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol, Written
from bounds.guo.removal_residual import SHARP, C, gam, lam, m, n

B = Symbol("B", "bound on |b|", "B", low=0, unit="loss/parameter")
_SYMBOLS = (gam, m, C, lam, n, B)
_REQUIRES = (Hypothesis("m < n", lambda m, n: m < n),)
_READING = "|x| <= 1, convex l with |l'| <= C, l'' gam-Lipschitz, |b| <= B, any dimension"
_UNIT = {"u": r"\frac{\gamma m(2C+B/(n-m))}{\lambda^2n}"}
_PLOT = Plot(
    "lam",
    tuple(np.geomspace(0.05, 3, 20).tolist()),
    {"gam": SHARP, "m": 2, "C": 1.0, "n": 20, "B": 1.0},
    log_x=True,
)


def bend(xp, gam, m, C, lam, n, B):
    """u = gam D/lam, D = m (2 C + B/(n - m))/(lam n) the longest Newton step."""
    return gam * m * (2 * C + B / (n - m)) / (lam**2 * n)


change = Statement(
    "own.newton.change",
    "Certified removal: change of variables",
    "inequality",
    words="The derivative of the gradient that one Newton step leaves, as a function of the "
    "objective's noise b, has trace norm at most u (1 + k/n + u k/n), k = n - m.",
    left=r"\|r'(b)\|_1",
    symbols=_SYMBOLS,
    requires=_REQUIRES,
    reads=_UNIT,
    plot=_PLOT,
    quantity="trace norm of the derivative",
)
change.interpreted_as("literal", _READING)


@change.form("tight", tex=r"u\Big(1+\frac{n-m}{n}(1+u)\Big)", written=Written("newton_change.md"))
def stretch(xp, gam, m, C, lam, n, B):
    """The trace norm of r'(b) is at most this while |b| <= B; below 1, T is injective there.

    Note: attained in the limit on a line, by kept slopes whose second derivative has a kink
    Proof: T' = (1 + A H^-1)(1 - M H_n^-1), the trace norm of each factor
    """
    u = bend(xp, gam, m, C, lam, n, B)
    return u * (1 + (n - m) / n * (1 + u))


volume = Statement(
    "own.newton.volume",
    "Certified removal: volumes",
    "inequality",
    words="The change of variables by one Newton step changes logarithms of densities by at most "
    "-log(1 - u) - log(1 - u k/n), k = n - m.",
    left=r"|\log|\det T'(b)||",
    symbols=_SYMBOLS,
    requires=_REQUIRES,
    reads=_UNIT,
    plot=_PLOT,
    quantity="change of the logarithm of a density",
)
volume.interpreted_as("literal", _READING)


@volume.form(
    "tight",
    tex=r"\begin{cases}-\log(1-u)-\log\big(1-\frac{n-m}{n}u\big)&u<1\\\infty&u\ge1\end{cases}",
    written=Written("newton_change.md"),
)
def log_volume(xp, gam, m, C, lam, n, B):
    """|log|det T'(b)|| is at most this while |b| <= B; inf where u >= 1.

    Note: near it for small u; what `noise newton-removal` counts
    Proof: two determinants, each within (1 - its trace norm) and its inverse
    """
    u = bend(xp, gam, m, C, lam, n, B)
    return xp.where(u < 1, lambda: -xp.log1p(-u) - xp.log1p(-(n - m) / n * u), xp.inf)
