"""Theorem 1 of safe: how far the surrogate risk is from the risk, printed and corrected.

e_c(x) = log(q_c f_c(x; w_0)) - log f_c(x; w_t*) is the error of the target's logarithm, class by
class.
"""

from bounds import Statement, Symbol
from bounds.safe.symbols import lam

classes = Symbol("classes", "number of classes", "C", low=2, kind="integer")
M = Symbol("M", "samples that have left so far", r"\sum_i|F_i|", low=1, kind="integer")
kept = Symbol("kept", "samples kept", "|D_t|", low=1, kind="integer")
LEFT = r"|\widetilde{R}_t(w)-R_t(w)|"

e = Symbol(
    "e",
    "errors e_c of the target's logarithm at a sample",
    "e_c",
    kind="list",
    typical=(-3, 3),
    unit="1",
)

statement = Statement(
    "safe.thm1",
    "Theorem 1",
    "inequality",
    words="If p_0(y|x) = f(x; w_0), then |R~_t(w) - R_t(w)| <= C sum_i |F_i|/|D_t|^{3/2} for "
    "every w, C the number of classes.",
    left=LEFT,
    symbols=(classes, M, kept, lam, e),
    quantity="error of the surrogate risk",
    correction="|R~_t - R_t| <= lambda times the mean over forgotten samples of max_c e_c - "
    "min_c e_c. For random deletions e is of order sqrt(M_t/(n_0 n_t)); there is no factor "
    "M_t/|D_t|.",
)
statement.interpreted_as(
    "literal", "f(.; w_0) = p_0 and f(.; w_t*) = p_t, normalised target, Gaussian fits"
)
statement.interpreted_as(
    "raw", "the target of (25) as printed, without its normaliser", {"printed": "<="}
)


@statement.form(
    "printed", tex=r"C\cdot\sum_{i=1}^{t}|F_i|/|D_t|^{3/2}", reads={r"\sum_{i=1}^{t}|F_i|": "M"}
)
def printed(xp, classes, M, kept):
    """The surrogate risk is within this value of the risk for every w, says safe.

    It is false: see `safe.thm1.table`.

    Note: without lambda
    Fails (literal): The error does not fall as the bound does, and λ is not in it. On real data,
        {M} rows of one label removed and {kept} kept, the risks differ by {measured} at λ = {lam},
        {ratio} times the bound.
    Fails (raw): With the target of (25) as it stands the risks differ by the missing normaliser as
        well: with {M} removed and {kept} kept by {measured} at λ = {lam}, {ratio} times the bound.
    Source: safe, Theorem 1; C is the number of classes
    """
    return classes * M / kept ** xp.rational(3, 2)


@statement.form("corrected", tex=r"\lambda\big(\max_ce_c-\min_ce_c\big)")
def corrected(xp, lam, e):
    """KL(f || t) and KL(f || f*), times lam, differ by at most this value, whatever f is.

    t is the normalised target. Of several samples the mean of these values bounds |R~ - R|.

    Note: the mean over the forgotten samples; attained as f -> argmin, f* -> argmax of e
    Proof: KL(f||t) - KL(f||f*) = log Z - sum f_c e_c, both terms in [min e, max e]
    """
    return lam * (
        xp.greatest(lambda c: e[c], 1, xp.count(e)) - xp.least(lambda c: e[c], 1, xp.count(e))
    )
