"""Definition 5 and Lemmas A and C of olu: shifted Rényi divergences, on Gaussians."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.olu.symbols import alpha

deviation = Symbol(
    "s", "standard deviation of both laws", "s", low=0, low_open=True, unit="parameter"
)
distance = Symbol("x", "distance of the means", "x", low=0, unit="parameter")
shift = Symbol("e", "shift allowed", "e", low=0, unit="parameter")

definition = Statement(
    "olu.def5",
    "Definition 5",
    "definition",
    words="D_alpha^(e)(mu || nu) is the least D_alpha(mu' || nu) with W_inf(mu, mu') <= e; it does "
    "not increase with e. R_alpha(zeta, a) is the largest D_alpha(zeta * x || zeta), |x| <= a.",
    left=r"D_\alpha^{(e)}(N(x,s^2)\,\|\,N(0,s^2))",
    symbols=(alpha, distance, deviation, shift),
    plot=Plot(
        "e",
        tuple(np.arange(0, 2.25, 0.25).tolist()),
        {"alpha": 2.0, "x": 1.5, "s": 1.0},
        log_y=False,
    ),
    quantity="D_alpha^(e) of two Gaussians",
    correction="R_alpha(zeta, alpha) is R_alpha(zeta, a).",
)
definition.interpreted_as("literal", "alpha >= 1, e >= 0", {"printed": "<="})


@definition.form(
    "printed",
    tex=r"D_{\alpha}^{\left({e}\right)}\left({\mu\|\nu}\right)="
    r"\inf_{\mu^{\prime}:W_{\infty}(\mu,\mu^{\prime})\leq e}"
    r"D_{\alpha}\left({\mu^{\prime}\|\nu}\right)",
)
def shifted(xp, alpha, x, s, e):
    """The e-shifted divergence of two Gaussians of one variance equals this value.

    The law of N(x, s^2) nearest N(0, s^2) within W-infinity distance e is N(x - e, s^2): its
    trade-off curve is convex, so it is the taut string.

    Note: evaluated on Gaussians of one variance: the best move is towards the other mean
    Source: olu, Definition 5
    """
    return alpha * xp.maximum(x - e, 0) ** 2 / (2 * s**2)


gaussian = Statement(
    "olu.lema",
    "Lemma A",
    "inequality",
    words="D_alpha(N(mu_0, s^2 I) || N(mu_1, s^2 I)) <= alpha ||mu_0 - mu_1||^2/(2 s^2).",
    left=r"D_\alpha(N(\mu_0,s^2I_d)\,\|\,N(\mu_1,s^2I_d)),\quad x=\|\mu_0-\mu_1\|",
    reads={r"\left\lVert\mu_{0}-\mu_{1}\right\rVert": "x", r"\sigma": "s"},
    symbols=(alpha, distance, deviation),
    aliases=("olu.lemA",),
    plot=Plot("x", tuple(np.linspace(0, 3, 31).tolist()), {"alpha": 2.0, "s": 1.0}),
    quantity="D_alpha of two Gaussians",
)
gaussian.interpreted_as("literal", "alpha > 1")


@gaussian.form(
    "printed", tex=r"\frac{\alpha\left\lVert\mu_{0}-\mu_{1}\right\rVert^{2}}{2\sigma^{2}}"
)
def separated(xp, alpha, x, s):
    """D_alpha of two Gaussians of covariance s^2 I equals this value.

    Note: an equality; also the value of R_alpha(N(0, s^2 I), x)
    Proof: the integral of p^alpha q^(1 - alpha), completing the square
    Source: olu, Lemma A
    """
    return alpha * x**2 / (2 * s**2)


@gaussian.form("tight", tex=r"\frac{\alpha x^2}{2s^2}")
def separated_exactly(xp, alpha, x, s):
    """D_alpha of two Gaussians of covariance s^2 I equals this value.

    Note: the printed bound is attained
    Proof: the integral of p^alpha q^(1 - alpha), an equality
    """
    return alpha * x**2 / (2 * s**2)


a = Symbol("a", "shift that the noise pays", "a", low=0, unit="parameter")
r = Symbol("r", "standard deviation of the noise", "r", low=0, low_open=True, unit="parameter")

reduction = Statement(
    "olu.lemc",
    "Lemma C",
    "inequality",
    words="D_alpha^(e)(mu * zeta || nu * zeta) <= D_alpha^(e+a)(mu || nu) + R_alpha(zeta, a).",
    left=r"D_\alpha^{(e)}(N(x,s^2)*\zeta\,\|\,N(0,s^2)*\zeta),\quad\zeta=N(0,r^2)",
    symbols=(alpha, distance, deviation, shift, a, r),
    aliases=("olu.lemC",),
    plot=Plot(
        "a",
        tuple(np.arange(0, 2.25, 0.25).tolist()),
        {"alpha": 2.0, "x": 2.0, "s": 1.0, "e": 0.0, "r": 1.0},
        log_y=False,
    ),
    quantity="shifted divergence after the noise",
    correction="alpha >= 1 as in Definition 5.",
)
reduction.interpreted_as("literal", "alpha > 1, a >= 0, e >= 0")


@reduction.form(
    "printed",
    tex=r"D_{\alpha}^{\left({e+a}\right)}\left({\mu\|\nu}\right)+R_{\alpha}(\zeta,a)",
    reads={
        r"D_{\alpha}^{\left({e+a}\right)}\left({\mu\|\nu}\right)": (
            r"\frac{\alpha(x-e-a)_+^2}{2s^2}"
        ),
        r"R_{\alpha}(\zeta,a)": r"\frac{\alpha a^2}{2r^2}",
    },
)
def reduced(xp, alpha, x, s, e, a, r):
    """The shifted divergence after the noise is at most this value, for every a >= 0.

    Note: evaluated on Gaussians; attained at a = (x - e) r^2/(s^2 + r^2)
    Proof: couple, pay a with the noise, chain rule
    Source: olu, Lemma C, with Lemma A for R_alpha(zeta, a) = alpha a^2/(2 r^2)
    """
    return alpha * (xp.maximum(x - e - a, 0) ** 2 / s**2 + a**2 / r**2) / 2


@reduction.form("tight", tex=r"\frac{\alpha(x-e)_+^2}{2(s^2+r^2)}")
def least(xp, alpha, x, s, e, r):
    """The least of the printed bound over a, which is the shifted divergence itself.

    Note: the least over a; the left side itself
    Proof: the left side on Gaussians: the best a
    """
    return alpha * xp.maximum(x - e, 0) ** 2 / (2 * (s**2 + r**2))
