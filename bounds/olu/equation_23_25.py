"""(23) and (25) of olu: one noisy step against a comparator, and the sum of such steps."""

from bounds import Plot, Statement, Symbol
from bounds.olu.symbols import D, L, T, eta

STEP_SYMBOLS = (
    Symbol("z", "iterate z_t", "z_t", unit="parameter"),
    Symbol("z_next", "iterate z_{t+1}", "z_{t+1}", unit="parameter"),
    Symbol("star", "comparator", r"z^\star", unit="parameter"),
    Symbol("g", "gradient at z_t", r"\nabla f_t(z_t)", unit="loss/parameter"),
    Symbol("xi", "noise added in this step, 0 for none", r"\xi_i", unit="parameter"),
    eta,
)
STEP_TEX = (
    r"-\nabla f_t(z_t)^\top\xi_i+\frac{\|z_t-z^\star+\xi_i\|^2-\|z_{t+1}-z^\star\|^2}{2\eta_t}"
    r"+\frac{\eta_t\|\nabla f_t(z_t)\|^2}{2}"
)


def one_step(z, z_next, star, g, xi, eta):
    """-g xi + ((z - z* + xi)^2 - (z_next - z*)^2)/(2 eta) + eta g^2/2, in one dimension."""
    square_gap = (z - star + xi - z_next + star) * (z - star + xi + z_next - star)
    return -g * xi + square_gap / (2 * eta) + eta * g**2 / 2


statement = Statement(
    "olu.eq23",
    "(23)",
    "inequality",
    words="For z_{t+1} = P(z_t - eta g + xi): g (z_t - z*) <= -g xi + ((z_t - z* + xi)^2 - "
    "(z_{t+1} - z*)^2)/(2 eta) + eta g^2/2.",
    left=r"\nabla f_t(z_t)^\top(z_t-z^\star)",
    reads={r"\nabla f_t(z_t)^\top\xi_i": r"g\xi_i"},
    symbols=STEP_SYMBOLS,
    quantity="gradient times the distance from the comparator",
)
statement.interpreted_as(
    "literal", "z* in K, noise before the projection (xi = 0: no deletion in this round)"
)


@statement.form("printed", tex=STEP_TEX)
def printed(xp, z, z_next, star, g, xi, eta):
    """g (z - z*) is at most this value for z_next = P(z - eta g + xi) and any z* in K.

    (26) has the factor of the cross term once as 1 and once as 2, which does not matter as its mean
    is 0.

    Note: equality where the projection is not active
    Proof: the projection does not increase the distance to z*
    Source: olu, (23), both lines (xi = 0 is the first)
    """
    return one_step(z, z_next, star, g, xi, eta)


total = Statement(
    "olu.eq25",
    "(24), (25)",
    "inequality",
    words="With eta_t = D/(L sqrt t), part A of the regret is at most 3LD sqrt T.",
    left=r"\mathbb{E}_{\xi_{1:k}}[A]",
    symbols=(T, D, L),
    aliases=("olu.eq24",),
    plot=Plot("T", (10, 30, 100, 300, 1000, 3000), {"D": 1.0, "L": 1.0}, log_x=True),
    quantity="A",
    correction="3/2 for 3: the second line of (24) drops a factor 1/2.",
)
total.interpreted_as("literal", "positions in K, one comparator, gradients of norm at most L")


@total.form("printed", tex=r"3LD\sqrt{T}")
def three(xp, T, D, L):
    """A is at most this value with eta_t = D/(L sqrt t).

    Note: twice what the steps give
    Proof: twice the corrected form
    Source: olu, (24)-(25)
    """
    return 3 * L * D * xp.sqrt(T)


@total.form("corrected", tex=r"\tfrac32LD\sqrt{T}")
def three_halves(xp, T, D, L):
    """A is at most this value with eta_t = D/(L sqrt t).

    Note: keeps the 1/2 of the first sum
    Proof: D^2/(2 eta_T) + (L^2/2) sum eta_t, sum of 1/sqrt t <= 2 sqrt T
    Source: olu, (24), with the factor 1/2 that its second line drops
    """
    return xp.rational(3, 2) * L * D * xp.sqrt(T)
