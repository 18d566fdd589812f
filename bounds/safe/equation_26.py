"""Equation (26) of safe: the gradient of the forgetting term at w_0, of one forgotten sample."""

from bounds import Statement
from bounds.safe.logits import log_factors, log_sum, logits0, of_initial, of_slopes, slopes
from bounds.safe.symbols import lam

statement = Statement(
    "safe.eq26",
    "Equation (26)",
    "equality",
    words="SAFE follows the gradient of eq (25) at w_0.",
    left=r"\nabla_w\widetilde{R}_t^{\text{fg}}(w)\big|_{w=w_0}",
    symbols=(lam, logits0, log_factors, slopes),
    requires=(of_initial, of_slopes),
    correction="-(lambda/M_t) sum_x sum_c grad f_c(x; w_0) log q^(c)(x).",
)
statement.interpreted_as(
    "literal", "q of the sample's own label multiplies f(x; w_0); the gradient is to move the model"
)
statement.interpreted_as("classes", "a factor for every class; the closed form")


@statement.form("printed", tex=r"\nabla_w\widetilde{R}_t^{\text{fg}}(w)\big|_{w=w_0}")
def printed(xp, lam, logits0, log_factors, slopes):
    """The derivative of eq (25) at w_0 along one direction equals this value.

    It is -lam times the covariance, under f(x; w_0), of the logits' derivatives and log q: the
    normaliser drops out, and so does any factor common to all classes. Zero identically where q is
    the factor of the sample's own label.

    Note: in closed form -(lambda/M) sum_x sum_c grad f_c(x; w_0) log q^(c)(x); for logits Wx, row j
        is f_j(-log q_j + sum_c f_c log q_c) x^T
    Proof (classes): sum_c grad f_c = 0: only log q^(c) is left, and no normaliser
    Fails (literal): With q of the sample's own label, one factor for all labels, the gradient at w₀
        is 0 for every model and every deletion: its terms are the derivatives of f over the labels,
        which sum to 0. Nothing is forgotten.
    Source: safe, eq (26)
    """
    whole = log_sum(xp, logits0)

    def mean(value, *lists):
        return xp.over(lambda _, a, *row: xp.exp(a - whole) * value(*row), logits0, *lists)

    slope, log_q = mean(lambda s: s, slopes), mean(lambda q: q, log_factors)
    return -lam * mean(lambda s, q: (s - slope) * (q - log_q), slopes, log_factors)
