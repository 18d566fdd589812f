"""Equation (81) of sglu: the full-batch bound in the shape of the Langevin one."""

from bounds import Plot, Statement
from bounds.sglu import equation_79
from bounds.sglu.equation_79 import _SMALL, _STATIONARY
from bounds.sglu.symbols import K, M, alpha, contractive, eta, m_positive, n, sigma

statement = Statement(
    "sglu.eq81",
    "Equation (81)",
    "inequality",
    words="With the full batch the bound is below exp(-2 K eta m) times the Langevin "
    "initial factor times 1/(2 m eta).",
    left=r"d_\alpha(\rho_K, \nu_{\mathcal D'})",
    symbols=(alpha, eta, m_positive, M, sigma, n, K),
    requires=(contractive,),
    plot=Plot("K", tuple(map(float, range(0, 31))), {**_SMALL, "eta": 0.2, "n": 6}),
    quantity="Rényi difference to retraining",
    correction="The initial factor is (2 - eta m)/4 <= 1/2, not 1/(2 m eta): the text's "
    "comparison with Langevin unlearning is reversed.",
)
statement.interpreted_as("literal", _STATIONARY + ", full batch")


@statement.form(
    "printed", tex=r"\exp(-2K\eta m)\frac{4\alpha M^2}{m\sigma^2n^2}\times\frac{1}{2m\eta}"
)
def printed(xp, alpha, eta, m, M, sigma, n, K):
    """d_alpha after K full-batch epochs from the stationary law is below this value.

    Loose by at least 2/(eta m (2 - eta m)).

    Note: its initial factor 1/(2 m eta) is an artefact: the exact one is (2 - eta m)/4
    Proof: (80) with b = n and 1 - x < exp(-x)
    Source: sglu, (81)
    """
    return xp.exp(-2 * K * eta * m) * 2 * alpha / eta * (M / (m * sigma * n)) ** 2


@statement.form("tight", tex=r"\frac{\alpha M^2(2-\eta m)}{m\sigma^2n^2}c^{2K}")
def tight(xp, alpha, eta, m, M, sigma, n, K):
    """The exact worst case of (79), for one replaced point.

    Note: exact: attained by quadratics with the projection inactive
    Proof: Theorem X: adjacent noise of learning and unlearning together
    """
    return equation_79.tight.formula(xp, alpha, K, 1, M, m, sigma, n, eta)
