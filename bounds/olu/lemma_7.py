"""Lemma 7 of olu (Orabona): sums of a decreasing function of partial sums."""

from bounds import Plot, Statement, Symbol

a0 = Symbol("a0", "first term", "a_0", low=0, unit="loss^2/parameter^2")
a = Symbol(
    "a", "terms a_1..a_T", "a_t", low=0, kind="list", typical=(1, 9), unit="loss^2/parameter^2"
)

statement = Statement(
    "olu.lem7",
    "Lemma 7",
    "inequality",
    words="For a_0, a_t >= 0 and f nonincreasing, sum_t a_t f(a_0 + a_1 + ... + a_t) is at "
    "most the integral of f from a_0 to the sum of all.",
    left=r"\sum_{t=1}^T a_tf\Big(a_0+\sum_{i=1}^ta_i\Big),\quad f(x)=x^{-1/2}",
    reads={"T": r"\sum_t1"},
    symbols=(a0, a),
    plot=Plot("a0", (0, 0.5, 1, 2, 4, 8), {"a": [1.0, 2.0, 0.5, 1.0]}, log_y=False),
    quantity="sum of a_t/sqrt(partial sum)",
)
statement.interpreted_as(
    "literal", "a_t >= 0 (the paper says it of a_0 only), f >= 0 nonincreasing"
)


@statement.form("printed", tex=r"\int_{a_0}^{\sum_{t=0}^Ta_t}f(x)dx")
def printed(xp, a0, a):
    """The sum is at most this value, here for f(x) = x^(-1/2).

    Note: for f(x) = x^(-1/2), as the paper uses it: 2 (sqrt(s_T) - sqrt(a_0))
    Proof: f is least at the right end of each interval
    Equality: approached by many small terms
    Source: olu, Lemma 7, which forgets to say a_t >= 0
    """
    total = xp.over(lambda t, x: x, a)
    # 2 (sqrt(a0 + total) - sqrt(a0)) without cancellation
    return xp.where(total > 0, lambda: 2 * total / (xp.sqrt(a0 + total) + xp.sqrt(a0)), 0)
