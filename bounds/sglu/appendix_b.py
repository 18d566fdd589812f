"""Appendix B of sglu: how large M must be for strongly convex M-Lipschitz losses to exist."""

import numpy as np

from bounds import Plot, Statement
from bounds.sglu.symbols import R, m_positive

statement = Statement(
    "sglu.appb",
    "Appendix B (2)-(4)",
    "definition",
    words="Losses are L-smooth, m-strongly convex and M-Lipschitz for all x, y in R^d.",
    quote="We define smoothness, Lipschitzsness, and strong convexity as follows",
    left=r"\min\{M:\ \text{some } m\text{-strongly convex } M\text{-Lipschitz } f \text{ exists}\}",
    symbols=(m_positive, R),
    aliases=("sglu.appB",),
    plot=Plot("R", tuple(np.linspace(0.5, 5, 10).tolist()), {"m": 0.5}, log_y=False),
    quantity="least Lipschitz constant",
    correction="Assume gradient differences <= 2M (Remark 3.7), or M >= mR on C_R.",
)
statement.interpreted_as("literal", "all three on R^d with m > 0")
statement.interpreted_as(
    "mnist", "on C_R with the paper's MNIST constants m = .011264, R = 100, M = 1"
)
statement.interpreted_as("ball", "on C_R with M >= mR", {"corrected": ">="}, stance="amended")


@statement.form("corrected", tex=r"M\ge mR")
def corrected(xp, m, R):
    """The least Lipschitz constant of an m-strongly convex loss on the ball of radius R.

    Note: on C_R; on all of R^d (R = inf, as printed) no finite M will do
    Fails (literal): No loss is M-Lipschitz and m-strongly convex on all of ℝᵈ: with M = {M} and m =
        {m} the gradients at points {distance} apart must differ by {measured} at least, and can by
        {bound} at most.
    Fails (mnist): On a ball of radius R an m-strongly convex loss needs M ≥ mR. The MNIST constants
        m = {m}, R = {R} make that {measured}, more than M = {bound}: no loss has all of them.
    Equality: (m/2)|x|^2
    Source: sglu, (2)-(4): across a diameter, 2 m R <= |grad f(x) - grad f(-x)| <= 2M
    """
    return m * R
