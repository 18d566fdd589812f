"""Theorem 3.11 of sglu: how the distance to retraining accumulates over sequential requests."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import J, R, Z, c

K_s = Symbol("K_s", "unlearning epochs of request s", "K_s", low=0, kind="integer")
Z_s = Symbol("Z_s", "distance bound at request s", "Z^{(s)}", low=0, unit="parameter")

statement = Statement(
    "sglu.thm3.11",
    "Theorem 3.11",
    "recursion",
    words="Over sequential requests the distance to the next stationary law obeys "
    "Z^{(s+1)} = min(c^{K_s n/b} Z^{(s)} + Z, 2R), from Z^{(1)} = Z.",
    left=r"W_\infty(\bar\nu_{\mathcal D_{s}|\mathcal B}, \nu_{\mathcal D_{s+1}|\mathcal B})",
    reads={r"Z_{\mathcal B}^{(s)}": "Z_s"},
    symbols=(c, J, K_s, Z_s, Z, R),
    plot=Plot(
        "K_s",
        tuple(map(float, range(0, 11))),
        {"c": 0.9, "J": 4, "Z_s": 2, "Z": 0.5, "R": 10},
        log_y=False,
    ),
    quantity="distance to the next stationary law",
)
statement.interpreted_as(
    "literal", "the first law is stationary; request s runs K_s epochs on its data set"
)


@statement.form(
    "printed",
    tex=r"Z_{\mathcal B}^{(s+1)}=\min(c^{K_s n/b}Z_{\mathcal B}^{(s)}+Z_{\mathcal B},\,2R)",
)
def printed(xp, c, J, K_s, Z_s, Z, R):
    """W-infinity between the published law and the next stationary law is at most this value.

    Note: attained by quadratics whose every request moves its point from M to -M
    Proof: triangle inequality, Lemma 3.6 and Lemma 3.5
    Source: sglu, Theorem 3.11
    """
    return xp.minimum(c ** (K_s * J) * Z_s + Z, 2 * R)


@statement.form("tight", tex=r"\min(c^{K_sJ}Z^{(s)}+Z,\,2R)")
def tight(xp, c, J, K_s, Z_s, Z, R):
    """W-infinity between the published law and the next stationary law is at most this value.

    Note: the printed recursion is attained
    Proof: equality on quadratics whose every request moves its point by 2M
    """
    return printed.formula(xp, c, J, K_s, Z_s, Z, R)
