"""Symbols of the downdates (22) and (23): moments of one class before a deletion and of what left.

One projected feature at a time: the equations are linear in the covariance matrices, so that a
matrix obeys them exactly when its value along every direction does.
"""

from bounds import Hypothesis, Symbol

n = Symbol("n", "samples of the class before the deletion", "n_{t-1}(y)", low=2, kind="integer")
m = Symbol("m", "samples of the class that leave", "n_{t-1}(y)-n_t(y)", low=1, kind="integer")
mean = Symbol("mean", "mean before the deletion", r"\boldsymbol{\mu}_{t-1}^{(y)}", unit="feature")
gone_mean = Symbol(
    "gone_mean", "mean of what leaves", r"\boldsymbol{\widetilde{\mu}}_t^{(y)}", unit="feature"
)
var = Symbol(
    "var",
    "variance before the deletion",
    r"\boldsymbol{\Sigma}_{t-1}^{(y)}",
    low=0,
    unit="feature^2",
)
gone_var = Symbol(
    "gone_var",
    "variance of what leaves (0 when m = 1)",
    r"\boldsymbol{\widetilde{\Sigma}}_t^{(y)}",
    low=0,
    unit="feature^2",
)

one_stays = Hypothesis("m <= n - 1", lambda m, n: m <= n - 1)
two_stay = Hypothesis("m <= n - 2: two samples stay", lambda m, n: m <= n - 2)
# Rounding may take the scatter of equal samples below 0, by little against what is subtracted.
_SLACK = 1e-9
consistent = Hypothesis(
    "(n-1) var >= (m-1) gone_var + n m/(n-m) (mean - gone_mean)^2: moments of m of n samples",
    lambda n, m, var, gone_var, mean, gone_mean: (
        (n - 1) * var * (1 + _SLACK)
        >= (m - 1) * gone_var + n * m / (n - m) * (mean - gone_mean) ** 2
    ),
)
consistent_ml = Hypothesis(
    "n var >= m gone_var + n m/(n-m) (mean - gone_mean)^2: moments of m of n samples",
    lambda n, m, var, gone_var, mean, gone_mean: (
        n * var * (1 + _SLACK) >= m * gone_var + n * m / (n - m) * (mean - gone_mean) ** 2
    ),
)
