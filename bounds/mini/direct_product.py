"""Appendix B of mini: whether L-BFGS as used there multiplies by the Hessian or by its inverse."""

from bounds import Plot, Statement, Symbol

a = Symbol("a", "curvature of the loss", "a", low=0, low_open=True, unit="loss/parameter^2")
u = Symbol("u", "vector that the approximation is applied to", r"\mathbf{u}", unit="parameter")

statement = Statement(
    "mini.text.inv",
    "Appendix B, inverse Hessian",
    "claim",
    words="L-BFGS utilizes its approximate inverse Hessian in Algorithm 4.",
    left=r"\bar H\mathbf{u}",
    symbols=(a, u),
    plot=Plot("a", (0.5, 1.0, 2.0, 4.0), {"u": 1}, log_y=False),
    quantity="product with u",
    correction="Algorithm 4 approximates the Hessian itself; the inverse form is the two-loop "
    "recursion.",
)
statement.interpreted_as(
    "literal", "the product that Algorithm 4 forms, with its compact matrix corrected"
)


@statement.form("printed", tex=r"\text{its approximate inverse Hessian}:\ a^{-1}\mathbf{u}")
def inverse(xp, a, u):
    """The product is one with the inverse Hessian, says mini; false.

    Note: what the inverse form of L-BFGS would give in one dimension
    Fails: The compact form of Algorithm 4, once its signs are right, approximates the Hessian
        itself, as (8) needs, and not its inverse: with curvature {a} it takes u = {u} to
        {measured}, and the inverse would take it to {bound}.
    Source: mini, Appendix B
    """
    return u / a


@statement.form("corrected", tex=r"\sigma\mathbf{u}-[\Delta G\ \ \sigma\Delta W]\,p=a\,\mathbf{u}")
def compact(xp, a, u):
    """The compact L-BFGS product is one with the Hessian itself: a u in one dimension.

    Note: the compact form of Algorithm 4, corrected, is the direct product
    Proof: Byrd, Nocedal and Schnabel 1994, Theorem 2.3: B_k, not its inverse; the last secant
        equation holds
    """
    return a * u
