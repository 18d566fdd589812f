"""Equation (23) of safe: the variance of a class after a deletion, along one direction."""

from bounds import Plot, Statement
from bounds.safe.moments import (
    consistent,
    consistent_ml,
    gone_mean,
    gone_var,
    m,
    mean,
    n,
    one_stays,
    two_stay,
    var,
)

UNBIASED = "unbiased covariances (of one sample: 0), two samples stay"
statement = Statement(
    "safe.eq23",
    "Equation (23)",
    "equality",
    words="Sigma_t = ((n_t - 1)/(n_{t-1} - 1)) Sigma_{t-1} - Sigma~_t + [n_{t-1} m/(n_t "
    "(n_{t-1} - 1))] (mu_{t-1} - mu~_t)(mu_{t-1} - mu~_t)^T, m = n_{t-1} - n_t, per class.",
    left=r"\boldsymbol{\Sigma}_t^{(y)}",
    reads={"n_t(y)": "n_{t-1}(y)-m"},
    symbols=(n, m, var, gone_var, mean, gone_mean),
    requires=(two_stay, consistent),
    plot=Plot(
        "m",
        tuple(map(float, range(1, 19, 2))),
        {"n": 20.0, "var": 1.5, "gone_var": 1.0, "mean": 0.3, "gone_mean": 0.1},
        log_y=False,
    ),
    quantity="variance of what stays",
    correction="[(n_{t-1} - 1) Sigma_{t-1} - (m - 1) Sigma~_t - (n_{t-1} m/n_t) delta delta^T]"
    "/(n_t - 1); or keep counts and sums of z and z z^T.",
)
statement.interpreted_as("literal", UNBIASED)
maximum_likelihood = Statement(
    "safe.eq23.ml",
    "Equation (23) for covariances divided by n",
    "equality",
    words="Sigma_t = (n/n') Sigma_{t-1} - (m/n') Sigma~_t - (n m/n'^2) delta delta^T.",
    left=r"\boldsymbol{\Sigma}_t^{(y)}",
    reads={
        "n'": "n-m",
        r"\boldsymbol{\Sigma}": "var",
        r"\boldsymbol{\widetilde{\Sigma}}": "gone_var",
        r"\boldsymbol{\mu}": "mean",
        r"\boldsymbol{\widetilde{\mu}}": "gone_mean",
    },
    symbols=(n, m, var, gone_var, mean, gone_mean),
    requires=(one_stays, consistent_ml),
)
maximum_likelihood.interpreted_as("literal", "covariances divided by the count, one sample stays")
average = Statement(
    "safe.eq23.mean",
    "Equation (23) on average",
    "equality",
    words="Deleting a uniformly drawn set of m samples keeps the unbiased covariance on "
    "average; eq (23) as printed multiplies it by -(m-1)/(n-1).",
    left=r"\mathbb{E}\,\boldsymbol{\Sigma}_t^{(y)}",
    symbols=(n, m, var),
    requires=(two_stay,),
    plot=Plot("m", tuple(map(float, range(1, 7))), {"n": 8.0, "var": 1.5}, log_y=False),
    quantity="mean variance of what stays",
    correction="For every m >= 2 the printed covariance is negative definite on average.",
)
average.interpreted_as("literal", UNBIASED + ", the mean over all deletions of m of n samples")
average.interpreted_as(
    "formula",
    "the mean of what eq (23) gives, over the same deletions",
    {"printed": "=="},
    stance="component",
)


@statement.form(
    "printed",
    tex=r"\frac{n_t(y)-1}{n_{t-1}(y)-1}\cdot\boldsymbol{\Sigma}_{t-1}^{(y)}"
    r"-\boldsymbol{\widetilde{\Sigma}}_t^{(y)}+\frac{n_{t-1}(y)\cdot(n_{t-1}(y)-n_t(y))}"
    r"{n_t(y)\cdot(n_{t-1}(y)-1)}(\boldsymbol{\mu}_{t-1}^{(y)}-\boldsymbol{\widetilde{\mu}}_t^{(y)})"
    r"(\boldsymbol{\mu}_{t-1}^{(y)}-\boldsymbol{\widetilde{\mu}}_t^{(y)})^{\top}",
)
def printed(xp, n, m, var, gone_var, mean, gone_mean):
    """The unbiased variance of the n - m samples that stay equals this value, says safe.

    False; on average over deletions it is -(m-1)/(n-1) times the variance before (safe.eq23.mean),
    so a variance may come out negative.

    Note: the first ratio and the sign of the last term are inverted; two weights are wrong
    Fails: The first ratio and the sign of the last term are inverted, and Σ̃_t lacks its weight.
        With {m} of {n} points removed the variance along a line comes out as {bound} where it is
        {measured}.
    Source: safe, eq (23) and the display after it
    """
    last = n * m / ((n - m) * (n - 1)) * (mean - gone_mean) ** 2
    return (n - m - 1) / (n - 1) * var - gone_var + last


@statement.form(
    "corrected",
    tex=r"\frac{(n_{t-1}(y)-1)\boldsymbol{\Sigma}_{t-1}^{(y)}"
    r"-(m-1)\boldsymbol{\widetilde{\Sigma}}_t^{(y)}-\frac{n_{t-1}(y)\,m}{n_t(y)}"
    r"(\boldsymbol{\mu}_{t-1}^{(y)}-\boldsymbol{\widetilde{\mu}}_t^{(y)})"
    r"(\boldsymbol{\mu}_{t-1}^{(y)}-\boldsymbol{\widetilde{\mu}}_t^{(y)})^{\top}}{n_t(y)-1}",
)
def corrected(xp, n, m, var, gone_var, mean, gone_mean):
    """The unbiased variance of the n - m >= 2 samples that stay equals this value.

    The scatter about the mean splits: (n-1) var is that of what stays, plus that of what leaves,
    plus n m/(n-m) (mean - gone_mean)^2.

    Note: m = n_{t-1}(y) - n_t(y); unbiased covariances; sums of z and zz^T lose fewer digits
    Proof: the scatter about the mean splits between the two parts
    """
    remainder = (n - 1) * var - (m - 1) * gone_var - n * m / (n - m) * (mean - gone_mean) ** 2
    return remainder / (n - m - 1)


@maximum_likelihood.form(
    "tight",
    tex=r"\frac{n}{n'}\boldsymbol{\Sigma}-\frac{m}{n'}\boldsymbol{\widetilde{\Sigma}}"
    r"-\frac{n\,m}{n'^2}(\boldsymbol{\mu}-\boldsymbol{\widetilde{\mu}})"
    r"(\boldsymbol{\mu}-\boldsymbol{\widetilde{\mu}})^{\top}",
)
def biased(xp, n, m, var, gone_var, mean, gone_mean):
    """The variance (divided by the count) of what stays equals this value, all three so divided.

    Note: n' = n - m >= 1 samples stay
    Proof: the scatter about the mean splits between the two parts
    """
    rest_size = n - m
    return (
        n / rest_size * var
        - m / rest_size * gone_var
        - n * m / rest_size**2 * (mean - gone_mean) ** 2
    )


@average.form("printed", tex=r"-\frac{m-1}{n_{t-1}(y)-1}\boldsymbol{\Sigma}_{t-1}^{(y)}")
def shrunk(xp, n, m, var):
    """Eq (23) as printed has this average over all deletions of m of n samples.

    Note: what eq (23) gives on average over all deletions of m of the n samples
    Proof (formula): E gone_var = var, E (mean - gone_mean)^2 = (n-m)/(n m) var
    Fails (literal): Over all deletions of {m} of {n} points the variance stays at {measured} on
        average. By (23) its average is −(m − 1)/(n − 1) times that, {bound}: negative for every m ≥
        2.
    Source: safe, eq (23)
    """
    return -(m - 1) / (n - 1) * var


@average.form("corrected", tex=r"\boldsymbol{\Sigma}_{t-1}^{(y)}")
def kept_on_average(xp, n, m, var):
    """The unbiased variance of what stays has this average over all deletions of m of n samples.

    Note: an unbiased covariance keeps its mean under random deletions
    Proof: an unbiased covariance is an average over pairs of samples
    """
    return var
