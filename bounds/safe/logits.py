"""Symbols and functions of the forgetting term: logits of a softmax model, factors of its target.

Laws over the classes are given by logits, so that every list is admissible; f_c = softmax_c.
"""

from bounds import Hypothesis, Symbol

logits = Symbol(
    "logits",
    "logits of f(x; w), one for every class",
    r"\log f(\mathbf{x};w)",
    kind="list",
    typical=(-3, 3),
    unit="1",
)
logits0 = Symbol(
    "logits0",
    "logits of f(x; w_0), one for every class",
    r"\log f(\mathbf{x};w_0)",
    kind="list",
    typical=(-2, 3),
    unit="1",
)
log_factors = Symbol(
    "log_factors",
    "log q^(c)(x), one for every class",
    r"\log q_t^{(c)}(\mathbf{x})",
    kind="list",
    typical=(-4, 2),
    unit="1",
)
slopes = Symbol(
    "slopes",
    "derivatives of the logits at w_0 along one direction of w",
    r"\partial_w\log f(\mathbf{x};w_0)",
    kind="list",
    typical=(-5, 4),
    unit="1/parameter",
)
of_initial = Hypothesis(
    "one entry for every class", lambda logits0, log_factors: len(logits0) == len(log_factors)
)
of_model = Hypothesis(
    "one entry for every class", lambda logits, logits0: len(logits) == len(logits0)
)
of_slopes = Hypothesis(
    "one entry for every class", lambda logits0, slopes: len(logits0) == len(slopes)
)


def log_sum(xp, *logits):
    """log sum_c e^{l_c}: the logits less it are log-probabilities; l is the sum of the lists."""
    return xp.log_sum_exp(lambda _, *row: sum(row), *logits)
