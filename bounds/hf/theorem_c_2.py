"""Theorem C.2 of hf: no unlearning can delete more than a share of the samples."""

from bounds import Plot, Statement, Symbol
from bounds.hf.symbols import delta, epsilon, gamma, n

share = Symbol(
    "c", "the constant, strictly less than 1", "c", low=0, high=1, high_open=True, unit="1"
)

statement = Statement(
    "hf.thmc2",
    "Theorem C.2 (62)",
    "inequality",
    words="There are a loss and a distribution for which every (eps, delta)-unlearning pair "
    "has capacity at most cn, c < 1.",
    left=r"m^{A,M}_{\epsilon,\delta,\gamma}(d,n)",
    symbols=(n, share),
    aliases=("hf.thmC2", "hf.eq62"),
    plot=Plot("n", (10.0, 100.0, 1000.0), {"c": 0.9}, log_x=True),
    quantity="capacity",
    correction="For every algorithm there is a distribution; gamma must be fixed (.01).",
)
statement.interpreted_as("literal", "the distribution before the algorithm")


@statement.form("printed", tex=r"cn")
def printed(xp, n, c):
    """The capacity of any (eps, delta)-unlearning pair is at most this value.

    It is false: for a given distribution the constant algorithm w*(D) has capacity n.

    Note: one distribution for all algorithms
    Fails: As ordered, the distribution is fixed before the algorithm. The algorithm that always
        answers w*, the minimiser for it, never depends on the data: its capacity is all n = {n},
        not cn = {bound}.
    Source: hf, Theorem C.2 (62), quoted from Sekhari et al. 2021 with the quantifiers exchanged
    """
    return c * n


constant = Statement(
    "hf.thmc2.constant",
    "Theorem C.2, the constant",
    "inequality",
    words="For the mean of signs a pair with excess at most gamma on data that are all +1 "
    "survives the deletion of all -1 only if their share is at most c.",
    left=r"\text{largest share of deletions that a pair can survive}",
    symbols=(epsilon, delta, gamma.measured("1")),
    plot=Plot(
        "gamma",
        (0.001, 0.002, 0.005, 0.01, 0.02, 0.05),
        {"epsilon": 1.0, "delta": 0.005},
        log_x=True,
    ),
    quantity="largest share of -1 that some pair of laws survives",
    correction=".262844 at (1, .005, .01), and .187763 by the shorter proof.",
)
constant.interpreted_as("literal", "l = (w - z)^2/2 on [-1, 1], both inequalities of (6)")
constant.interpreted_as("one_sided", "only the first inequality of (6)")


@constant.form(
    "corrected",
    tex=r"\min_t\tfrac12\Big(t+\sqrt{2\gamma/(1-\delta-2e^\epsilon\gamma/t^2)}\Big)"
    r"=\sqrt{\tfrac\gamma2}\,\frac{(1+e^{\epsilon/3})^{3/2}}{\sqrt{1-\delta}}",
)
def corrected(xp, epsilon, delta, gamma):
    """From this share of -1 on, deleting all of them costs more than gamma.

    Any (eps, delta)-unlearning pair with excess at most gamma for data that are all +1 has at most
    this capacity (times n, as n grows) when P(z = -1) is larger. The minimum over t is Hoelder's
    inequality with exponents 3 and 3/2.

    Note: mean of signs on [-1, 1]; Markov's inequality; .262844 at (1, .005, .01)
    Proof (literal): Markov's inequality for the reference, (6) for the event w <= 1 - t
    Proof (one_sided): Markov's inequality; only the first part of (6) is used
    """
    sums = (1 + xp.exp(epsilon / 3)) ** xp.rational(3, 2)
    return xp.sqrt(gamma / 2 / (1 - delta)) * sums


@constant.form("tight", tex=r"\sqrt{\tfrac\gamma2}\,\frac{1+e^{\epsilon/2}}{\sqrt{1-\delta}}")
def tight(xp, epsilon, delta, gamma):
    """From this share of -1 on, deleting all of them costs more than gamma.

    The unlearned law is at least P_1 <= e^eps Q of mass 1 - delta, with Q the reference. In L2(P_1)
    w is within sqrt(2 e^eps gamma) of 1, so at least 2c sqrt(1 - delta) less that from 1 - 2c, and
    sqrt(2 gamma) is allowed.

    Note: Minkowski's inequality for Markov's: .187763; attained by one direction of (6)
    Proof (literal): Minkowski's inequality in L2 of the part of the law below e^eps Q
    Proof (one_sided): Minkowski's inequality in L2; attained by two atoms each
    """
    return xp.sqrt(gamma / 2 / (1 - delta)) * (1 + xp.exp(epsilon / 2))
