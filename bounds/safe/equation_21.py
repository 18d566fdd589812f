"""Equation (21) of safe: standardised features, and what standardising anew does to a ratio."""

import numpy as np

from bounds import Plot, Statement, Symbol

x = Symbol("x", "projected feature V^T x", r"\mathbf{V}^{\top}\mathbf{x}", unit="feature")
mean_t = Symbol("mean_t", "mean of the class in D_t", r"\boldsymbol{\mu}_t^{(y)}", unit="feature")
var_t = Symbol(
    "var_t",
    "variance of the class in D_t",
    r"\boldsymbol{\Sigma}_t^{(y)}",
    low=0,
    low_open=True,
    unit="feature^2",
)
mean_0 = Symbol("mean_0", "mean of the class in D_0", r"\boldsymbol{\mu}_0^{(y)}", unit="feature")
var_0 = Symbol(
    "var_0",
    "variance of the class in D_0",
    r"\boldsymbol{\Sigma}_0^{(y)}",
    low=0,
    low_open=True,
    unit="feature^2",
)

mean = Symbol("mean", "mean of the features", r"\boldsymbol{\mu}", unit="feature")
var = Symbol(
    "var",
    "variance of the features",
    r"\boldsymbol{\Sigma}",
    low=0,
    low_open=True,
    unit="feature^2",
)

feature = Statement(
    "safe.eq21",
    "Equation (21)",
    "definition",
    words="z = Sigma^{-1/2}(V^T x - mu) with the mean and covariance, at step t, of the points "
    "in D_t with label y.",
    left=r"\mathbf{z}",
    symbols=(x, mean, var),
    correction="Standardise once with D_0 (any frozen affine map gives the same ratios) and update "
    "the moments of z by (22) and the corrected (23).",
)
feature.interpreted_as(
    "literal", "mean and variance of class y at step t; both densities of eq (24) take the same z"
)
feature.interpreted_as("frozen", "mean and variance of D_0, once for all rounds", stance="amended")
_CLASS = {"mean_t": 0.0, "var_t": 1.0, "mean_0": 0.0, "var_0": 2 / 3}
ratio = Statement(
    "safe.eq21.ratio",
    "Equation (21) inside equation (24)",
    "equality",
    words="The quotient of densities in eq (24) may be taken at z, standardised per class and "
    "round.",
    left=r"\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}",
    symbols=(x, mean_t, var_t, mean_0, var_0),
    plot=Plot("x", tuple(np.linspace(-2, 2, 21).tolist()), _CLASS),
    quantity="quotient of the two Gaussian densities",
    correction="Keep one z for both densities, or the factor |Sigma_0|^{1/2}/|Sigma_t|^{1/2}.",
)
ratio.interpreted_as("literal", "z of round t in the numerator, z of round 0 in the denominator")


@feature.form(
    "printed",
    tex=r"\boldsymbol{\Sigma}^{-1/2}\left(\mathbf{V}^{\top}\mathbf{x}-\boldsymbol{\mu}\right)",
)
def standardised(xp, x, mean, var):
    """The standardised feature equals this value; one coordinate, so Sigma is a variance.

    Note: one feature; a fixed affine map, such as D_0's, keeps every density ratio
    Fails (literal): Mean and covariance of each round and label give the same x another z in each
        of them: at x = {x} it is {bound} before a deletion and {measured} after it. So no single z
        can stand in both densities of (24).
    Source: safe, eq (21), with mean and variance "for data points in D_t with label y": then the
        same x has another z in every round and class, and no single z can enter eq (24)
    """
    return (x - mean) / xp.sqrt(var)


@ratio.form(
    "printed",
    tex=r"\mathcal{N}(\mathbf{z}_t\mid\mathbf{0},\mathbf{I})/"
    r"\mathcal{N}(\mathbf{z}_0\mid\mathbf{0},\mathbf{I}),\quad "
    r"\mathbf{z}_s=(\boldsymbol{\Sigma}_s^{(y)})^{-1/2}"
    r"(\mathbf{V}^{\top}\mathbf{x}-\boldsymbol{\mu}_s^{(y)})",
)
def restandardised(xp, x, mean_t, var_t, mean_0, var_0):
    """Eq (24)'s quotient of densities when eq (21) is applied per class and round.

    It is false: off by sqrt(var_t/var_0). With one z for both densities instead, the quotient is 1
    whatever was deleted.

    Note: each density at its own z: the Jacobian of the two maps is lost
    Fails: Standardised anew in each round, the two densities stand at different points and the
        factor |Σ₀|^½/|Σ_t|^½ between their scales is lost: at x = {x} the quotient is {measured},
        and comes out as {bound}.
    Source: safe, eqs (21), (24), read literally
    """
    return xp.exp(_exponent(x, mean_t, var_t, mean_0, var_0))


@ratio.form(
    "corrected",
    tex=r"\mathcal{N}(\mathbf{V}^{\top}\mathbf{x}\mid\boldsymbol{\mu}_t^{(y)},"
    r"\boldsymbol{\Sigma}_t^{(y)})/\mathcal{N}(\mathbf{V}^{\top}\mathbf{x}\mid"
    r"\boldsymbol{\mu}_0^{(y)},\boldsymbol{\Sigma}_0^{(y)})",
)
def frozen(xp, x, mean_t, var_t, mean_0, var_0):
    """The quotient of the two Gaussian densities at x equals this value, in any frozen coordinate.

    Note: the same in every frozen affine coordinate z = A(V^T x - c)
    Proof: an affine map multiplies both densities by the same Jacobian
    Source: safe, eqs (21), (24), with one affine map for all rounds and classes
    """
    exponent = _exponent(x, mean_t, var_t, mean_0, var_0)
    return xp.exp(exponent + xp.log(var_0 / var_t) / 2)


def _exponent(x, mean_t, var_t, mean_0, var_0):
    return ((x - mean_0) ** 2 / var_0 - (x - mean_t) ** 2 / var_t) / 2
