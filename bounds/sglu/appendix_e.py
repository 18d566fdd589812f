"""Appendix E of sglu: the induction step of Theorem 3.11, (27)-(30)."""

from bounds import Edit, Statement, Symbol
from bounds.sglu.symbols import J, c

K_before = Symbol("K_before", "epochs of request s - 1", "K_{s-1}", low=0, kind="integer")
K_s = Symbol("K_s", "epochs of request s", "K_s", low=0, kind="integer")
Z_s = Symbol("Z_s", "distance before request s", r"Z^{(s)}", low=0, unit="parameter")
Z = Symbol("Z", "distance of adjacent stationary laws", "Z", low=0, unit="parameter")

statement = Statement(
    "sglu.appe",
    "(26)-(30)",
    "recursion",
    words="The distance before request s + 1 is at most c^{K_{s-1}n/b} Z^{(s)} + Z.",
    left=r"W_\infty(\bar\nu_{\mathcal D_s|\mathcal B}, \nu_{\mathcal D_{s+1}|\mathcal B})",
    reads={r"Z_{\mathcal{B}}^{(s)}": "Z_s"},
    symbols=(c, J, K_before, K_s, Z_s, Z),
    aliases=("sglu.appE", "sglu.eq26-30"),
    quantity="distance to the next stationary law",
    correction="K_s for K_{s-1} in (29) and (30).",
)
statement.interpreted_as(
    "literal",
    "the first law is stationary; request s runs K_s epochs on its data set",
    edits={"printed": Edit("K_{s-1} should read K_s, as in the theorem", "K_{s-1}", "K_{s}")},
)


@statement.form("printed", tex=r"c^{K_{s-1}n/b}Z_{\mathcal{B}}^{(s)}+Z_{\mathcal{B}}")
def printed(xp, c, J, K_before, Z_s, Z):
    """The right side of (30), with the epochs of the request before.

    Too small whenever K_{s-1} > K_s; the theorem has K_s.

    Note: the law published after request s has run K_s epochs on D_s, not K_{s-1}
    Fails: (29) and (30) contract by the epochs of the request before, K_(s−1) = {K_before}; the
        published model has run K_s = {K_s}, as Theorem 3.11 has it. The distance is {measured},
        more than the printed {bound}.
    Source: sglu, (29) and (30)
    """
    return c ** (K_before * J) * Z_s + Z


@statement.form("corrected", tex=r"c^{K_{s}n/b}Z_{\mathcal{B}}^{(s)}+Z_{\mathcal{B}}")
def corrected(xp, c, J, K_s, Z_s, Z):
    """The distance before request s + 1 is at most this value.

    Note: as in the statement of Theorem 3.11; attained by quadratics
    Proof: triangle inequality and Lemma 3.6; equality for quadratics
    """
    return c ** (K_s * J) * Z_s + Z
