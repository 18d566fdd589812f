"""phi_t of safe's Theorem 2: the variance of the perturbation, printed and as it must be."""

import numpy as np

from accounting.curves.gaussian import mu_gdp
from bounds import Hypothesis, Plot, Statement
from bounds.forms import Array
from bounds.safe.symbols import W, delta, epsilon, gamma

statement = Statement(
    "safe.phi",
    "Theorem 2, perturbation variance",
    "inequality",
    words="The variance phi_t = W sqrt(2 ln(1.25/delta))/epsilon makes any two models of norm "
    "at most W (epsilon, delta)-indistinguishable.",
    left=r"\text{least variance of a coordinate of }b_t",
    symbols=(W, epsilon, delta, gamma),
    plot=Plot(
        "epsilon",
        tuple(np.geomspace(0.05, 20, 40).tolist()),
        {"W": 1.0, "delta": 1e-5, "gamma": 0.0},
        log_x=True,
    ),
    quantity="least variance of a coordinate",
    correction="phi_t = ((2W + gamma)/mu*)^2, mu* the Gaussian-DP parameter of (epsilon, delta). "
    "Squaring alone does not repair it: two models of norm W are up to 2W apart, not W.",
)
statement.interpreted_as(
    "literal",
    "epsilon < 1, as the theorem it cites asks; the reference carries the same noise",
    where=(Hypothesis("epsilon < 1", lambda epsilon: epsilon < 1),),
)
statement.interpreted_as(
    "deviation",
    "epsilon < 1; phi_t is the standard deviation, as in the theorem it cites",
    {"printed": "<="},
)
statement.interpreted_as("large", "any epsilon > 0")


def classical(xp, epsilon, delta):
    """sqrt(2 ln(1.25/delta))/epsilon, the deviation that Dwork and Roth ask for sensitivity 1."""
    return xp.sqrt(2 * xp.log(xp.rational(5, 4) / delta)) / epsilon


@statement.form("printed", tex=r"\phi_t=\frac{W\sqrt{2\ln(1.25/\delta)}}{\epsilon}")
def printed(xp, W, epsilon, delta):
    """This variance makes every round (epsilon, delta)-unlearned, says safe.

    Wrong unit, and two points of the W-ball are up to 2W apart.

    Note: a standard deviation in the place of a variance, for points W apart
    Fails (literal): φ_t is the Gaussian mechanism's standard deviation, not squared, in the place
        of a variance, so that it is too small for large W or small ε: at W = {W}, ε = {epsilon} a
        variance of {measured} is needed, and φ_t is {bound}.
    Fails (deviation): As a standard deviation φ_t would serve models W apart; two models of norm W
        may be 2W apart. At W = {W}, ε = {epsilon} a deviation of {measured} is needed, and φ_t is
        {bound}.
    Fails (large): ε is not bounded, while the theorem that is cited asks for ε < 1, and a deviation
        stands for a variance. At W = {W}, ε = {epsilon} models at opposite ends need a variance of
        {measured}; φ_t is {bound}.
    Source: safe, Theorem 2
    """
    return W * classical(xp, epsilon, delta)


@statement.form(
    "corrected", tex=r"\phi_t=\Big(\frac{(2W+\gamma)\sqrt{2\ln(1.25/\delta)}}{\epsilon}\Big)^2"
)
def corrected(xp, W, epsilon, delta, gamma=0):
    """This variance suffices for epsilon < 1 and a reference with the same noise.

    |w_0 - gamma g - w_t*| <= 2W + gamma for |w_0|, |w_t*| <= W and a unit vector g. At delta = 1e-5
    it fails from epsilon = 8.42 on.

    Note: epsilon < 1 (Dwork and Roth 2014, Theorem A.1)
    Proof (literal): Dwork and Roth 2014, Theorem A.1
    Fails (large): The classical formula is proved for ε < 1 and fails from ε = 8.42 on at δ = 10⁻⁵:
        at ε = {epsilon} a variance of {measured} is needed, {ratio} times this one.
    """
    return ((2 * W + gamma) * classical(xp, epsilon, delta)) ** 2


@statement.form(
    "tight",
    tex=r"\phi_t=\Big(\frac{2W+\gamma}{\mu^*(\epsilon,\delta)}\Big)^2,\quad"
    r"\Phi(\tfrac{\mu^*}{2}-\tfrac{\epsilon}{\mu^*})-e^\epsilon"
    r"\Phi(-\tfrac{\mu^*}{2}-\tfrac{\epsilon}{\mu^*})=\delta",
)
def tight(xp, W, epsilon, delta, gamma=0):
    """This variance suffices, and no smaller one does for all points of the W-ball.

    The reference carries the same noise.

    Note: exact for points of the W-ball and any epsilon
    Proof: Balle and Wang 2018: delta of a Gaussian pair falls with sigma; 2W + gamma is attained
    Equality: w_0 - gamma g and w_t* at opposite ends
    """
    return ((2 * W + gamma) / xp.mu_star(epsilon, delta)) ** 2


@tight.numeric
def _(W: Array, epsilon: Array, delta: Array, gamma: Array | float = 0.0) -> Array:
    """A few roundings above, so that it certifies."""
    return np.asarray(((2 * W + gamma) / mu_gdp(epsilon, delta)) ** 2 * (1 + 2e-15))
