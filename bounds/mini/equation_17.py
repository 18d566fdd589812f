"""(17) of mini: the error of following k steps, in the distances between the two trajectories."""

from bounds import Statement, Symbol
from bounds.mini.series import contractive, gap, rate_power
from bounds.mini.symbols import L, M, eta, mu, smoothness_order

distances = Symbol(
    "distances",
    "|Dw_{s-1}|, ..., |Dw_{s-k}|",
    r"\|\Delta\mathbf{w}\|",
    low=0,
    kind="list",
    unit="parameter",
)

statement = Statement(
    "mini.eq17",
    "Equation (17)",
    "inequality",
    words="The error of eq (10) is at most |H(s)..H(s-k+1) Dw_{s-k}| <= r^k |Dw_{s-k}|.",
    left=r"\|\Delta\mathbf{w}_s-\mathbf{v}^{(k)}_s\|_2",
    reads={
        r"\Delta\mathbf{w}_{s-k}": r"\argument{distances}_k",
        r"\Delta\mathbf{w}_{s-i}": r"\argument{distances}_i",
        "k": r"\size{distances}",
    },
    symbols=(eta, mu, L, M, distances),
    requires=(smoothness_order, contractive),
    quantity="error of eq (10)",
    correction="Add (eta M/2) sum_{i <= k} r^{i-1} |Dw_{s-i}|^2; or rewind, which needs no more.",
)
statement.interpreted_as(
    "literal", "mu-strongly convex L-smooth C^2 losses (every sample), 0 < eta < 2/L"
)
statement.interpreted_as(
    "quadratic",
    "quadratic losses",
    stance="amended",
    apart="one bound, as M = 0; the corrected form takes any M",
)


@statement.form("printed", tex=r"r^k\|\Delta\mathbf{w}_{s-k}\|_2")
def printed(xp, eta, mu, L, distances):
    """The error of eq (10) is at most this value for quadratic losses.

    False for other losses: 0 at k = s, where the error is not.

    Note: exact for 1-D quadratics; omits the Taylor error of eq (5)
    Proof (quadratic): eq (9) is exact; equality on a line
    Fails (literal): The first inequality takes (9) to be exact. For losses that are not quadratic
        its remainder is left out, which does not fall with k; at k = s the bound is 0 and the error
        is not. Here the error is {measured}, the bound {bound}.
    Source: mini, eq (17)
    """
    k = xp.count(distances)
    return rate_power(xp, eta, mu, L, k) * distances[k]


@statement.form(
    "corrected",
    tex=r"r^k\|\Delta\mathbf{w}_{s-k}\|+\frac{\eta M}{2}\sum_{i=1}^{k}r^{i-1}"
    r"\|\Delta\mathbf{w}_{s-i}\|^2",
)
def corrected(xp, eta, mu, L, M, distances):
    """The error of eq (10) is at most this value. |Htilde_l - H_l| <= (eta M/2)|Dw_{l-1}|.

    Note: every per-sample loss C^2 with Hessian in [mu, L] and M-Lipschitz, eta < 2/L
    Proof (literal): e_l = H_l e_{l-1} + (Htilde_l - H_l) Dw_{l-1}, unrolled
    Proof (quadratic): M = 0: the printed bound
    Equality: 1-D quadratics
    """
    k, slack = xp.count(distances), gap(xp, eta, mu, L)
    squares = xp.over(lambda i, d: xp.decay(slack, i - 1) * d**2, distances)
    return xp.decay(slack, k) * distances[k] + eta * M / 2 * squares
