"""Algorithm 1 of hf, Stage I: the norm of a clipped gradient."""

import numpy as np

from bounds import Edit, Plot, Statement, Symbol

g = Symbol("g", "norm of the gradient", r"\|\mathbf g\|", low=0, unit="loss/parameter")
C = Symbol("C", "clipping threshold", "C", low=0, low_open=True, unit="loss/parameter")

statement = Statement(
    "hf.alg1.clip",
    "Algorithm 1, Stage I",
    "algorithm",
    words="The clipped gradient g max(1, C/|g|) has norm at most C, and (9) to (41) hold with "
    "that C.",
    left=r"\|\bar{\mathbf g}\|",
    symbols=(g, C),
    aliases=("hf.alg1-clip",),
    plot=Plot("g", tuple(0.1 * k for k in range(1, 31)), {"C": 1.0}, log_y=False),
    quantity="norm of a descent step over eta",
    correction="g min(1, C/|g|), per sample; certify only if the clip never acts, or differentiate "
    "the clipped field.",
)
statement.interpreted_as(
    "literal",
    "the clipped gradient has norm at most C",
    edits={"printed": Edit("min for max", r"\max", r"\min")},
)
statement.interpreted_as(
    "batch",
    "with min on the batch mean: the approximator's error is at most (41)",
    {"corrected": "<="},
    stance="amended",
)


@statement.form("printed", tex=r"\|\mathbf{g}\|\times\max\Big(1,\frac{C}{\|\mathbf{g}\|}\Big)")
def printed(xp, g, C):
    """The clipped gradient has this norm, meant to be at most C.

    It is false: the norm is max(|g|, C).

    Note: at least C, always; undefined at a stationary point
    Fails (literal): max is written for min: the rule leaves long gradients as they are and
        lengthens short ones to C. With C = 1 a gradient of norm 5 keeps it and one of 0.01 gets
        norm 1, so that Lemma 4.1 does not apply.
    Source: hf, Algorithm 1, Stage I (and Algorithm 2)
    """
    return g * xp.maximum(1, C / g)


@printed.numeric
def _(g, C):
    """The same where C/g leaves the floats."""
    return np.where(g > 0, np.maximum(g, C), np.nan)


@statement.form("corrected", tex=r"\|\mathbf{g}\|\times\min\Big(1,\frac{C}{\|\mathbf{g}\|}\Big)")
def corrected(xp, g, C):
    """The clipped gradient has this norm, at most C.

    Note: min for max
    Proof (literal): |g| min(1, C/|g|) = min(|g|, C)
    Fails (batch): The clip of a batch mean is not seen by the approximator, which has the Hessians
        and gradients of the losses before the clip. On two steep linear losses both runs make the
        same step and a is off by {measured}; (41) allows {bound}.
    """
    return xp.minimum(g, C)
