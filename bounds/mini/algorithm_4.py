"""Algorithm 4 of mini for one pair (s, y): the quadratic form of the L-BFGS matrix."""

import numpy as np

from bounds import Hypothesis, Statement, Symbol

move = Symbol("move", "parameter difference s", "s", kind="list", typical=(1, 6), unit="parameter")
bend = Symbol(
    "bend", "gradient difference y", "y", kind="list", typical=(1, 6), unit="loss/parameter"
)
along = Symbol("along", "vector u", "u", kind="list", typical=(-3, 3), unit="parameter")

statement = Statement(
    "mini.alg4",
    "Algorithm 4",
    "algorithm",
    words="The compact form, by a Cholesky factor J and two triangular solves, gives the "
    "L-BFGS approximation of the summed Hessian times u.",
    left=r"u^T\bar H u",
    symbols=(move, bend, along),
    requires=(
        Hypothesis(
            "move, bend and along of one length",
            lambda move, bend, along: len(move) == len(bend) == len(along),
        ),
        Hypothesis(
            "move . bend > 0", lambda move, bend: len(move) == len(bend) and np.dot(move, bend) > 0
        ),
    ),
    quantity="u^T B u",
    correction="J J^T = sigma S^T S + L D^{-1} L^T; D^{-1/2} beside L; blocks -D, L^T, L. "
    "I - eta B contracts only for eta (m + 1) L < 2.",
)
statement.interpreted_as(
    "literal", "pairs of one strictly convex loss; sigma = s.y/(s.s) of the last pair"
)
statement.interpreted_as("secant", "B s = y for the last pair", stance="component")
statement.interpreted_as(
    "eigenvalues",
    "0 < lambda(B) <= (m + 1) L for m pairs of L-smooth convex quadratics",
    stance="component",
)


def _dot(xp, a, b):
    return xp.over(lambda i, x, y: x * y, a, b)


def _sum(xp, move, bend, along, sign):
    """sigma (|u|^2 - (s.u)^2/|s|^2) + sign (y.u)^2/(s.y) with sigma = s.y/|s|^2."""
    secant, square = _dot(xp, move, bend), _dot(xp, move, move)
    flat = _dot(xp, along, along) - _dot(xp, move, along) ** 2 / square
    return secant / square * flat + sign * _dot(xp, bend, along) ** 2 / secant


@statement.form(
    "printed",
    tex=r"p=\begin{bmatrix}-D^{\frac12}&-D^{\frac12}L^T\\\mathbf 0&J^T\end{bmatrix}^{-1}"
    r"\begin{bmatrix}-D^{\frac12}&\mathbf 0\\-D^{\frac12}L^T&J^T\end{bmatrix}^{-1}"
    r"\begin{bmatrix}\Delta G^T\mathbf u\\\sigma\Delta W^T\mathbf u\end{bmatrix},\ "
    r"JJ^T=\sigma\Delta W^T\Delta W+LDL^T,\ "
    r"\bar H\mathbf u=\sigma\mathbf u-[\Delta G\ \sigma\Delta W]p",
)
def printed(xp, move, bend, along):
    """u^T B u of the printed product for one pair.

    False. sigma = s.y/(s.s) is used: the printed denominator w^T w names no difference.

    Note: for one pair B_exact - 2 y y^T/(s.y), so that B s = -y; sigma over |s|^2
    Fails (literal): JJᵀ has D for D⁻¹, and the triangular blocks have wrong signs, powers and
        transposes. For one pair it gives B - 2yyᵀ/(sᵀy) in place of the L-BFGS matrix B: uᵀBu is
        {bound}, not {measured}.
    Fails (secant): L-BFGS makes B·s = y for the last pair. With one pair the product as printed
        makes B·s = -y, on a line the negative of the curvature; with several pairs the equation
        fails as well.
    Fails (eigenvalues): For convex losses the L-BFGS matrix is positive definite. The product as
        printed has an eigenvalue of {measured} with m = {m} pairs in dimension {p}, so that I - ηB
        expands.
    Source: mini, Algorithm 4
    """
    return _sum(xp, move, bend, along, -1)


@statement.form(
    "corrected",
    tex=r"B u=\sigma u-[Y\ \sigma S]\begin{bmatrix}-D&L^T\\L&\sigma S^TS\end{bmatrix}^{-1}"
    r"\begin{bmatrix}Y^Tu\\\sigma S^Tu\end{bmatrix},\ JJ^T=\sigma S^TS+LD^{-1}L^T",
)
def corrected(xp, move, bend, along):
    """u^T B u of the direct BFGS matrix from sigma I by one pair.

    Note: Byrd, Nocedal and Schnabel 1994, Theorem 2.3; B s = y for the last pair
    Proof (literal): Byrd, Nocedal and Schnabel 1994, Theorem 2.3 and (2.26)
    Proof (secant): the last rank-two update
    Proof (eigenvalues): sigma <= L; an update adds y y^T/(s.y), |y|^2 <= L s.y, less a positive
        semidefinite matrix
    """
    return _sum(xp, move, bend, along, 1)
