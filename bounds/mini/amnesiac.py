"""Amnesiac unlearning, a baseline of mini: how many batches hold no forgotten sample."""

import numpy as np

from bounds import Hypothesis, Plot, Statement
from bounds.forms import Array
from bounds.mini.symbols import B, n, u

statement = Statement(
    "mini.base.amn",
    "Amnesiac Unlearning (Section 5.1)",
    "claim",
    words="Amnesiac Unlearning takes back every step whose batch held an unlearned sample.",
    quote="we perform amnesiac Unlearning directly to obtain the unlearning model",
    left=r"P(\mathbb{B}_l\cap\mathbb{D}_U=\emptyset)",
    symbols=(n, u, B),
    requires=(Hypothesis("u <= n", lambda u, n: u <= n), Hypothesis("n >= B", lambda n, B: n >= B)),
    plot=Plot(
        "B",
        tuple(float(b) for b in (1, 2, 4, 8, 16, 32, 64, 128, 256)),
        {"n": 60000, "u": 3000},
        log_x=True,
    ),
    quantity="probability of an untouched batch",
    correction="At 5-15% and B >= 128 the baseline is the random start: its accuracy is chance "
    "(1/2 on HIGGS), never far below.",
)
statement.interpreted_as(
    "literal", "random batches of B distinct samples: the share that is left untouched"
)
statement.interpreted_as(
    "start",
    "every batch holds an unlearned sample: the result is w_0",
    {"tight": "<="},
    stance="component",
)
statement.interpreted_as(
    "steps",
    "the result is w_T less the steps whose batch was hit",
    {"tight": "<="},
    stance="component",
)


@statement.form("corrected", tex=r"(1-|\mathbb{D}_U|/n)^B")
def corrected(xp, n, u, B):
    """At most this share of random batches is left untouched; the rest Amnesiac takes back.

    Note: an upper bound; equality for batches drawn with replacement
    Proof: (n - u - i)/(n - i) <= (n - u)/n
    """
    return (1 - u / n) ** B


@statement.form("tight", tex=r"\binom{n-|\mathbb{D}_U|}{B}\Big/\binom nB")
def tight(xp, n, u, B):
    """The probability that a random batch of B distinct samples has no forgotten one.

    Note: batches of distinct samples; where it is nearly 0, Amnesiac returns w_0
    Proof (literal): hypergeometric law at 0
    Proof (start): the steps telescope back to w_0
    Proof (steps): each hit step is subtracted by definition
    """
    return xp.binomial(n - u, B) / xp.binomial(n, B)


@np.vectorize
def _untouched(n: float, u: float, B: float) -> float:
    few, many = sorted((u, B))
    if many > n - few:
        return 0.0
    return float(np.exp(np.log1p(-many / (n - np.arange(few))).sum()))


@tight.numeric
def _(n: Array, u: Array, B: Array) -> Array:
    """By the logarithms of the factors: binomials leave the floats."""
    return np.asarray(_untouched(n, u, B))
